// Maps calls of PyTorch's Python API to the operators that they call.
//
// `torch.relu(x)`, `torch._C._nn.gelu(x)` and `x.relu()` call operators of `aten` with these names. The source file
// lists functions of torch.nn.functional whose arguments differ from their operator's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::pasted {

/// Arguments of a call. A keyword argument has its keyword in Arg::name.
using CallArgs = std::vector<Arg>;

struct OperatorCall {
  std::string op;  ///< name of the operator, with or without its overload: `aten.add`
  CallArgs args;
};

/// Returns the operator that the function with this dotted name calls; nullopt if the function is unknown.
std::optional<OperatorCall> operator_of_function(Program& program, std::string_view function, const CallArgs& args);
/// Returns the operator that a method of Tensor calls; nullopt if it is unknown. The tensor is the first argument.
std::optional<OperatorCall> operator_of_method(Program& program, std::string_view method, const CallArgs& args);
/// Returns the aten operator for tensors: `add` for `+` and for `operator.add`; empty if there is none.
std::string_view tensor_operator(std::string_view symbol);
/// Returns the operator for numbers: `_operator.add` for `+`; empty if there is none.
std::string_view number_operator(std::string_view symbol);

/// Chooses an operator's overload by its arguments.
class Overloads {
 public:
  Overloads(const Program& program, const Graph& graph) : program_(program), graph_(graph) {}

  /// Returns the registered operator that accepts the arguments. `op` may have an overload or none. If no overload
  /// accepts them, consecutive numbers or tensors from the first or second argument on are packed into one list (as for
  /// `x.view(2, 3)` and `torch.meshgrid(a, b)`), which changes `args`. Returns null if that fails too, and sets `why`
  /// to the reason of the last overload.
  const OpEntry* choose(Program& program, std::string_view op, CallArgs& args, std::string* why = nullptr);

 private:
  /// Returns how many tensor parameters get a number. nullopt if the kinds of the arguments do not show that the
  /// overload accepts all of them unconverted. `takes` then binds the arguments to find out.
  std::optional<int> fits(const OpEntry& op, const CallArgs& args) const;
  bool takes(const OpEntry& op, const CallArgs& args, int& numbers_for_tensors, std::string* why) const;
  /// Returns the overload among `ops` that accepts the arguments with the fewest numbers for tensors; null if none
  /// does.
  const OpEntry* pick(const std::vector<const OpEntry*>& ops, std::string_view op, const CallArgs& args) const;
  /// Appends to `kinds` the properties of `a` that decide the overload: its kind and, if its value may be converted,
  /// the value. Returns false if no operator accepts `a`.
  bool add_kind(const Arg& a, bool in_list, std::string& kinds) const;
  Value example(const Arg& a, int depth) const;

  const Program& program_;
  const Graph& graph_;
  std::map<std::string, std::vector<const OpEntry*>, std::less<>> known_;
};

}  // namespace ersatz::pasted
