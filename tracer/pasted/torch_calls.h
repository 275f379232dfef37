// Calls of PyTorch's Python interface by the operators that they end in.
//
// `torch.relu(x)`, `torch._C._nn.gelu(x)` and `x.relu()` call `aten.relu`; functions of torch.nn.functional whose
// arguments are others than their operator's are listed here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::pasted {

/// Arguments of a call, keywords by their names (Arg::name).
using CallArgs = std::vector<Arg>;

struct OperatorCall {
  std::string op;  ///< canonical, or without an overload: `aten.add`
  CallArgs args;
};

/// The operator behind a function of that dotted name; none where it is not known.
std::optional<OperatorCall> operator_of_function(Program& program, std::string_view function, const CallArgs& args);
/// The operator behind a method, whose tensor is the first argument.
std::optional<OperatorCall> operator_of_method(Program& program, std::string_view method, const CallArgs& args);
/// `add` of `+` and of `operator.add`, on tensors; empty: none.
std::string_view tensor_operator(std::string_view symbol);
/// `_operator.add` of `+`, on numbers; empty: none.
std::string_view number_operator(std::string_view symbol);

/// Chooses overloads by arguments.
class Overloads {
 public:
  Overloads(const Program& program, const Graph& graph) : program_(program), graph_(graph) {}

  /// The registered operator that takes the arguments; `op` may have an overload or none. Where none takes them, and
  /// the first or second one begins a run of numbers or of tensors, these as one list (`x.view(2, 3)`,
  /// `torch.meshgrid(a, b)`): `args` is changed then. Null: none takes them,
  /// and `why` says what the last one has against them.
  const OpEntry* choose(Program& program, std::string_view op, CallArgs& args, std::string* why = nullptr);

 private:
  /// RETURNS: if the kind of each argument alone shows that its formal takes it unconverted, how many numbers are given
  /// for tensors. No value: only binding the arguments (`takes`) decides whether the call fits.
  std::optional<int> fits(const OpEntry& op, const CallArgs& args) const;
  bool takes(const OpEntry& op, const CallArgs& args, int& numbers_for_tensors, std::string* why) const;
  /// The overload among `ops` that takes the arguments, and takes the fewest numbers for tensors; null: none.
  const OpEntry* pick(const std::vector<const OpEntry*>& ops, std::string_view op, const CallArgs& args) const;
  /// Appends what decides whether an operator takes the argument: kinds, and those values that are converted. False:
  /// no operator takes it.
  bool add_kind(const Arg& a, bool in_list, std::string& kinds) const;
  Value example(const Arg& a, int depth) const;

  const Program& program_;
  const Graph& graph_;
  std::map<std::string, std::vector<const OpEntry*>, std::less<>> known_;
};

}  // namespace ersatz::pasted
