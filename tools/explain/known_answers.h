// Finds recorded calls (docs/call-records.md) with a given operator and arguments, and lists their outcomes.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::tools {

struct KnownAnswer {
  std::string id, file;
  std::string eager;      ///< results of the recorded run, or its error
  std::string fake;       ///< prediction of PyTorch's FakeTensorMode for the CPU, made when the call was recorded
  std::string cuda_fake;  ///< prediction of PyTorch's FakeTensorMode for cuda:0
};

/// Searches `files` for records of the call that render_call prints as `call`; values of tensors are ignored. Returns
/// one record for each different outcome. After Ctrl-C, returns the records that were found so far.
std::vector<KnownAnswer> known_answers(const std::vector<std::string>& files, const OpEntry& op,
                                       const std::string& call);

}  // namespace ersatz::tools
