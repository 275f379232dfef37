// The proposal of a rule for an op that has none, worked out in a child process: its kernel is run for it.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/validate/call_source.h"

namespace ersatz::tools {

/// What `to_json` of an Inference (tools/infer/infer.h) says, with `text`, the proposal in words, and `cpp`, it as a
/// rule of a plugin, where plugins can say it (`no_cpp` says which part they cannot). A child that died or found no end
/// within `limit_s` gives `declined` alone. REQUIRES: this process has not computed (tools/validate/child.h).
nlohmann::ordered_json propose(const OpEntry& op, uint64_t seed, double limit_s);
/// The same from recorded calls of an op, which need not be here.
nlohmann::ordered_json propose(const std::string& op, const std::vector<RecordLine>& records, double limit_s);

/// The rules among such proposals as a file for `ersatz fake --rules`.
std::string rules_of(const std::vector<nlohmann::ordered_json>& proposals);

}  // namespace ersatz::tools
