// What is supported, from the registry: the table of docs/ops.md and of `ersatz ops`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "runtime/op_entry.h"

namespace ersatz::tools {

/// docs/ops.md, whole. Depends on the registered ops only, so that CI can check it for freshness.
std::string support_markdown(std::span<const OpEntry* const> ops);
/// One line an op for people: name, what answers, dtypes.
std::string support_text(std::span<const OpEntry* const> ops);
/// All that the registry declares of one op.
std::string describe_op(const OpEntry& op);
nlohmann::json support_json(std::span<const OpEntry* const> ops);

}  // namespace ersatz::tools
