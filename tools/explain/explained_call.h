// Asks one call of an operator on several devices for its results, and finds the reasons for them.
//
// Reasons are found by asking again: an operand decides a result's strides if changing only that operand's layout
// changes them. Nothing here knows how an operator chooses. No kernel runs and no memory is allocated. Sizes may be
// symbols (`f32[s0,4]`). They have no example, so the answer holds for all values that satisfy its conditions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/base/context.h"
#include "runtime/op/op_entry.h"

namespace ersatz::tools {

/// A device to ask about.
struct AskedDevice {
  std::string name;  ///< `cpu`, `cuda`, `cuda sm_90,cublas=0,cudnn=91900`
  Device device;
  BackendRecord backend;
};

struct ExplainedResult {
  std::string meta;                     ///< metadata on the device, or the text of a number
  std::string memory;                   ///< `its own`, `a view of self`, `self itself`, ...
  std::vector<std::string> decided_by;  ///< operands that decide its strides
  std::string strides;                  ///< the strides in words
  bool by_backend = false;              ///< the strides in `meta` are a guess: a GPU and its libraries decide them
  std::string dtype;                    ///< the origin of the dtype in words
};

struct ExplainedAnswer {
  std::vector<AskedDevice> devices;  ///< devices with this answer; only the device differs
  std::string error;                 ///< the error message; empty if there are results
  bool needs_data = false;           ///< refused because sizes or numbers depend on values
  std::string source;                ///< the source of the answer, named as in fake/mode/coverage.h
  std::vector<ExplainedResult> results;
  std::vector<std::string> writes;  ///< arguments that the call writes
  /// With symbolic sizes: conditions that the call requires (`assert s0 == 5`) or that layouts assume (`assume s0 >=
  /// 2`).
  std::vector<std::string> conditions;
};

struct ExplainedCall {
  const OpEntry* op = nullptr;
  std::string call;                 ///< canonical spelling of the call on the CPU
  std::vector<std::string> others;  ///< other overloads of the name that accept these arguments
  std::vector<ExplainedAnswer> answers;
};

/// If several overloads of `name` accept the arguments, the one that takes the fewest numbers in place of tensors is
/// explained; among equals, the first. Tensors are put on each asked device in turn, except tensors that `arguments`
/// puts on a device other than the CPU.
/// RAISES InvalidArgument for an unknown name, and for arguments that cannot be parsed or that no overload accepts.
ExplainedCall explain_call(const std::string& name, const std::string& arguments,
                           const std::vector<AskedDevice>& devices);

}  // namespace ersatz::tools
