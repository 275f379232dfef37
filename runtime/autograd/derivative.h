// The resolved derivative of one operator: how a call of it is differentiated.
//
// The derivative's text is a member of the operator (OpEntry::derivative). It is parsed when a gradient of the operator
// is first wanted. An in-place operator uses the text of its functional form. PyTorch's implicit composites have none,
// because the operators that they call are differentiated. The text `parts` asks for that too.
#pragma once

#include "runtime/autograd/formula.h"

namespace ersatz {

enum class GradientVerdict : uint8_t {
  Row,         ///< the operator has a formula; an in-place operator has that of its functional form
  Items,       ///< a call on lists: each item has the derivative of the operator on one item
  Parts,       ///< a composite: the operators that it calls are differentiated
  Copied,      ///< an `out=` form: its functional form is called and differentiated, then copied into `out`
  NoGradient,  ///< results never require a gradient: integers, factories, comparisons
  Refused,     ///< PyTorch raises if an argument requires a gradient
  Missing      ///< ersatz has no derivative: backward raises NotSupported with the operator and the line
};
std::string_view name(GradientVerdict v);  ///< `row`, `items`, `parts`, `copied`, `no_gradient`, `refused`, `missing`

/// Text of a DerivativeRow of kind NoGradient: the operator makes the tensor that it writes a leaf again (`detach_`).
inline constexpr std::string_view kForgetsHistory = "forget";
/// Text of a DerivativeRow of kind NoGradient: the operator resizes the tensor that it writes. If the tensor requires a
/// gradient, the call raises, with gradients off too (`resize_`).
inline constexpr std::string_view kResizes = "resize";
/// Texts of the DerivativeRow of an `out=` form: what PyTorch does if an argument requires a gradient. kOutRefused: the
/// call raises. kOutPasses: the call runs, and backward raises. kOutCopied: the result is computed with its history and
/// copied into `out`. Without a text, derivative.cpp decides from the other members of the OpEntry.
inline constexpr std::string_view kOutRefused = "out refused", kOutPasses = "out passes", kOutCopied = "out copied";

struct Derivative {
  const OpEntry* op = nullptr;
  GradientVerdict verdict = GradientVerdict::Missing;
  std::string node;  ///< name of the node: `MulBackward0`
  ParsedDerivative parsed;
  const OpEntry* of_item = nullptr;  ///< verdict Items: the operator on one item
  const OpEntry* returns = nullptr;  ///< verdict Copied: the functional form of the `out=` form
  bool real_only = false;            ///< a call with complex results raises
  bool refuses_out = false;          ///< an `out=` form that raises if an argument requires a gradient
  /// Schema positions of the arguments that have gradients, in the order of the statements.
  std::vector<uint16_t> arguments;
  /// A formula reads the old value of an argument that the call writes.
  bool reads_what_is_written = false;
};

/// Returns the derivative of `op`. It is resolved at the first call and kept. Any thread may call this.
const Derivative& derivative_of(const OpEntry& op);

}  // namespace ersatz
