// Answers that a recorder saw: recorded calls (docs/call-records.md) with the same operator and arguments.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::tools {

struct KnownAnswer {
  std::string id, file;
  std::string eager;      ///< results of the recorded run, or its error
  std::string fake;       ///< what the recorder's fakes predict on the CPU
  std::string cuda_fake;  ///< and on cuda:0
};

/// Records of `files` whose call is `call` as `render_call` spells it: the first of each different answer. Values of
/// tensors do not count. What was found so far, where a SIGINT comes.
std::vector<KnownAnswer> known_answers(const std::vector<std::string>& files, const OpEntry& op,
                                       const std::string& call);

}  // namespace ersatz::tools
