// The derivative of one operator, resolved: how a call of it is differentiated.
//
// The row stands with the operator (OpEntry::derivative); it is looked at when a gradient of the operator is first
// wanted. An in-place form has its functional form's row; PyTorch's implicit composites have none, because they go
// through their parts; so do operators whose row is the word `parts`.
#pragma once

#include "runtime/autograd/formula.h"

namespace ersatz {

enum class GradientVerdict : uint8_t {
  Row,         ///< a derivative of its own, or of the operator that the in-place form is of
  Items,       ///< each item of its lists is differentiated by the operator of one item
  Parts,       ///< its parts are differentiated
  Copied,      ///< an `out=` form: what the operator returns, which goes through its parts, is copied into the argument
  NoGradient,  ///< results never require a gradient: integers, factories, comparisons
  Refused,     ///< PyTorch refuses the call where an argument requires a gradient
  Missing      ///< there is none here: backward raises NotSupported with the operator and the line
};
std::string_view name(GradientVerdict v);  ///< `row`, `items`, `parts`, `copied`, `no_gradient`, `refused`, `missing`

/// The text of a row without a gradient, of an operator that makes the tensor which it writes a leaf again (`detach_`).
inline constexpr std::string_view kForgetsHistory = "forget";
/// ... of an operator that gives the tensor which it writes other sizes: refused where the tensor requires a gradient,
/// with gradients off too (`resize_`).
inline constexpr std::string_view kResizes = "resize";
/// The text of a row of an `out=` form whose entry does not say how PyTorch takes a call that requires a gradient:
/// refused; passed, and backward raises; computed apart with its history and copied.
inline constexpr std::string_view kOutRefused = "out refused", kOutPasses = "out passes", kOutCopied = "out copied";

struct Derivative {
  const OpEntry* op = nullptr;
  GradientVerdict verdict = GradientVerdict::Missing;
  std::string node;  ///< `MulBackward0`
  ParsedDerivative parsed;
  const OpEntry* of_item = nullptr;  ///< with the verdict Items
  const OpEntry* returns = nullptr;  ///< with the verdict Copied: the operator that the `out=` form is of
  bool real_only = false;            ///< complex results are refused
  bool refuses_out = false;          ///< an `out=` form that may not be called where a gradient is wanted
  /// Schema positions of the arguments that have gradients, in the order of the statements.
  std::vector<uint16_t> arguments;
  /// An argument is written and a formula reads it as it was.
  bool reads_what_is_written = false;
};

/// Never null members; made at first use and kept. Any thread.
const Derivative& derivative_of(const OpEntry& op);

}  // namespace ersatz
