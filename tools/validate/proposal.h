// Proposes a rule for an op without one, in a child process, because its kernel runs.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/validate/call_source.h"

namespace ersatz::tools {

/// The `to_json` of an Inference (tools/infer/infer.h), with the proposal as text (`text`) and as C++ of a plugin
/// (`cpp`). If plugins cannot express it, `no_cpp` names the part. If the child dies or takes more than `limit_s`,
/// there is only `declined`. REQUIRES: this process has not computed (tools/validate/child.h).
nlohmann::ordered_json propose(const OpEntry& op, uint64_t seed, double limit_s);
/// Proposes a rule from recorded calls of an op, which need not be registered.
nlohmann::ordered_json propose(const std::string& op, const std::vector<RecordLine>& records, double limit_s);

/// The rules among the proposals, as the text of a file for `ersatz fake --rules`.
std::string rules_of(const std::vector<nlohmann::ordered_json>& proposals);

}  // namespace ersatz::tools
