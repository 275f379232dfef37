// Maps calls of PyTorch's Python interface to the operators that they end in.
//
// `torch.relu(x)`, `torch._C._nn.gelu(x)` and `x.relu()` call `aten.relu`. Functions of torch.nn.functional whose
// arguments differ from their operator's are listed in the source file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::pasted {

/// Arguments of a call; a keyword argument has its name in Arg::name.
using CallArgs = std::vector<Arg>;

struct OperatorCall {
  std::string op;  ///< canonical, or without its overload: `aten.add`
  CallArgs args;
};

/// Returns the operator behind the function of a dotted name, nullopt if it is unknown.
std::optional<OperatorCall> operator_of_function(Program& program, std::string_view function, const CallArgs& args);
/// Returns the operator behind a method of Tensor. The tensor is the first argument.
std::optional<OperatorCall> operator_of_method(Program& program, std::string_view method, const CallArgs& args);
/// Returns the aten operator on tensors, `add` for `+` and for `operator.add`; empty if there is none.
std::string_view tensor_operator(std::string_view symbol);
/// Returns the operator on numbers, `_operator.add` for `+`; empty if there is none.
std::string_view number_operator(std::string_view symbol);

/// Chooses an operator's overload by its arguments.
class Overloads {
 public:
  Overloads(const Program& program, const Graph& graph) : program_(program), graph_(graph) {}

  /// Returns the registered operator that takes the arguments. `op` may have an overload or none. If no overload takes
  /// them, a run of numbers or tensors that begins at the first or second argument is packed into one list. Examples
  /// are `x.view(2, 3)` and `torch.meshgrid(a, b)`; `args` is changed then. Returns null if no overload takes them
  /// either way, and sets `why` to the last overload's reason.
  const OpEntry* choose(Program& program, std::string_view op, CallArgs& args, std::string* why = nullptr);

 private:
  /// Returns the number of numbers that are passed for tensors, if the kinds of the arguments alone show that all
  /// formals take them without conversion. Returns nullopt if only binding the arguments (`takes`) can decide.
  std::optional<int> fits(const OpEntry& op, const CallArgs& args) const;
  bool takes(const OpEntry& op, const CallArgs& args, int& numbers_for_tensors, std::string* why) const;
  /// Returns the overload among `ops` that takes the arguments with the fewest numbers passed for tensors; null: none.
  const OpEntry* pick(const std::vector<const OpEntry*>& ops, std::string_view op, const CallArgs& args) const;
  /// Appends to `kinds` the properties of `a` that decide the overload: its kind, and its value if that may be
  /// converted. Returns false if no operator takes it.
  bool add_kind(const Arg& a, bool in_list, std::string& kinds) const;
  Value example(const Arg& a, int depth) const;

  const Program& program_;
  const Graph& graph_;
  std::map<std::string, std::vector<const OpEntry*>, std::less<>> known_;
};

}  // namespace ersatz::pasted
