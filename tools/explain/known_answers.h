// Finds recorded calls (docs/call-records.md) with the same operator and arguments, and lists their outcomes.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::tools {

struct KnownAnswer {
  std::string id, file;
  std::string eager;      ///< results of the recorded run, or its error
  std::string fake;       ///< prediction of PyTorch's fakes on the CPU, when the call was recorded
  std::string cuda_fake;  ///< prediction of PyTorch's fakes on cuda:0
};

/// Records in `files` whose call `render_call` spells as `call`, one for each different answer. Values of tensors are
/// ignored. After SIGINT, the answers found so far.
std::vector<KnownAnswer> known_answers(const std::vector<std::string>& files, const OpEntry& op,
                                       const std::string& call);

}  // namespace ersatz::tools
