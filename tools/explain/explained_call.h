// One call of an operator, asked on several devices: what it answers there, and why.
//
// Why is found by asking again. An operand decides a result's strides if the result gets others when that operand alone
// is laid out otherwise; nothing here knows how any operator chooses. No kernel runs and no memory is allocated.
// Sizes may be symbols (`f32[s0,4]`): they have no example, so that the answer holds for every value under conditions.
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
  std::string meta;                     ///< on the device; a number's spelling
  std::string memory;                   ///< `its own`, `a view of self`, `self itself`, ...
  std::vector<std::string> decided_by;  ///< operands that decide its strides
  std::string strides;                  ///< in words
  bool by_backend = false;              ///< the strides in `meta` are a guess: a GPU and its libraries decide them
  std::string dtype;                    ///< in words: where the dtype comes from
};

struct ExplainedAnswer {
  std::vector<AskedDevice> devices;  ///< that answer the same, but for the device
  std::string error;                 ///< the refusal; empty where there is an answer
  bool needs_data = false;           ///< refused because sizes or numbers follow from values
  std::string source;                ///< who answered: names of fake/mode/coverage.h
  std::vector<ExplainedResult> results;
  std::vector<std::string> writes;  ///< arguments that the call writes
  /// With symbols for sizes: what is required of them (`assert s0 == 5`), and how layouts read them (`assume s0 >= 2`).
  std::vector<std::string> conditions;
};

struct ExplainedCall {
  const OpEntry* op = nullptr;
  std::string call;                 ///< in canonical spelling, as asked on the CPU
  std::vector<std::string> others;  ///< other overloads of the name that take these arguments too
  std::vector<ExplainedAnswer> answers;
};

/// `name` may stand for several overloads: of those that take the arguments the one is explained that takes the fewest
/// numbers for tensors, the first of these. Tensors live on each asked
/// device in turn; those that `arguments` puts on another device than the CPU stay there. InvalidArgument for unknown
/// names and for arguments that cannot be read or that no overload takes.
ExplainedCall explain_call(const std::string& name, const std::string& arguments,
                           const std::vector<AskedDevice>& devices);

}  // namespace ersatz::tools
