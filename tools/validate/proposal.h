// Proposes a rule for an op that has none. It works in a child process, because the op's kernel runs.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/validate/call_source.h"

namespace ersatz::tools {

/// Returns the JSON of an Inference (tools/infer/infer.h), with the proposed rule as text (`text`) and as C++ code of a
/// plugin (`cpp`). If a plugin cannot express the rule, `no_cpp` names the part that it cannot express. If the child
/// dies or takes more than `limit_s` seconds, there is only `declined`. REQUIRES: this process has run no kernel
/// (tools/validate/child.h).
nlohmann::ordered_json propose(const OpEntry& op, uint64_t seed, double limit_s);
/// Proposes a rule from recorded calls of an op. The op need not be registered.
nlohmann::ordered_json propose(const std::string& op, const std::vector<RecordLine>& records, double limit_s);

/// Returns the rules among the proposals, as the text of a file for `ersatz fake --rules`.
std::string rules_of(const std::vector<nlohmann::ordered_json>& proposals);

}  // namespace ersatz::tools
