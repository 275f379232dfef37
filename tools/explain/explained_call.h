// Predicts the results of one operator call on several devices, and finds reasons for the predictions.
//
// Reasons are found by repeated predictions: an operand decides a result's strides if changing only that operand's
// layout changes the strides. This code has no knowledge of single operators. No kernel runs and no memory is
// allocated. Sizes may be symbols (`f32[s0,4]`). They have no example value, so the answer holds for all values that
// satisfy its conditions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/base/context.h"
#include "runtime/op/op_entry.h"

namespace ersatz::tools {

/// A device for which the call is predicted.
struct AskedDevice {
  std::string name;  ///< `cpu`, `cuda`, `cuda sm_90,cublas=0,cudnn=91900`
  Device device;
  BackendRecord backend;
};

struct ExplainedResult {
  std::string meta;                     ///< metadata of the result; for a number, its text
  std::string memory;                   ///< memory of the result: `its own`, `a view of self`, `self itself`, ...
  std::vector<std::string> decided_by;  ///< operands whose layout decides the result's strides
  std::string strides;                  ///< description of the strides
  /// The strides in `meta` are a guess, because the GPU and its libraries decide them.
  bool by_backend = false;
  std::string dtype;  ///< description of the origin of the dtype
};

struct ExplainedAnswer {
  std::vector<AskedDevice> devices;  ///< devices with this answer; their answers differ only in the device
  std::string error;                 ///< the error message; empty if there are results
  bool needs_data = false;           ///< the call was refused because sizes or numbers depend on values
  std::string source;                ///< the source of the answer, named as in fake/mode/coverage.h
  std::vector<ExplainedResult> results;
  std::vector<std::string> writes;  ///< names of the arguments that the call writes
  /// If sizes are symbols: conditions that the call requires (`assert s0 == 5`) or that layouts assume (`assume s0 >=
  /// 2`).
  std::vector<std::string> conditions;
};

struct ExplainedCall {
  const OpEntry* op = nullptr;
  std::string call;                 ///< the call on the CPU in the spelling of render_call
  std::vector<std::string> others;  ///< other overloads of the operator that accept these arguments
  std::vector<ExplainedAnswer> answers;
};

/// Predicts the call on each of the devices. If several overloads of `name` accept the arguments, it explains the one
/// that takes the fewest numbers for tensors. If several overloads take equally few, it explains the first of them.
/// Tensors are put on each device in turn, unless `arguments` puts them on a device other than the CPU. RAISES
/// InvalidArgument if `name` is unknown, or if no overload accepts the arguments or they cannot be parsed.
ExplainedCall explain_call(const std::string& name, const std::string& arguments,
                           const std::vector<AskedDevice>& devices);

}  // namespace ersatz::tools
