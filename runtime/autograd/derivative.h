// The derivative of one operator, looked up and parsed.
//
// The text of a derivative is OpEntry::derivative. It is parsed when a gradient of the operator is first needed. An
// in-place operator uses the text of its functional form. PyTorch's implicit composites have no text, because the
// operators that they call are differentiated. An operator with the text `parts` is treated like an implicit composite.
#pragma once

#include "runtime/autograd/formula.h"

namespace ersatz {

enum class GradientVerdict : uint8_t {
  Row,         ///< the operator, or the functional form of an in-place operator, has a formula
  Items,       ///< a call on lists: each item has the derivative of another operator, which takes one item
  Parts,       ///< a composite: the operators that it calls are differentiated
  Copied,      ///< an `out=` form: its functional form is called and differentiated, and the result is copied into
               ///< `out`
  NoGradient,  ///< no result ever requires a gradient: integer results, factories, comparisons
  Refused,     ///< PyTorch raises an error if an argument requires a gradient
  Missing      ///< ersatz has no derivative: backward raises NotSupported with the operator and the line
};
std::string_view name(GradientVerdict v);  ///< `row`, `items`, `parts`, `copied`, `no_gradient`, `refused`, `missing`

/// Text of a DerivativeRow of kind NoGradient: the written tensor becomes a leaf again (`detach_`).
inline constexpr std::string_view kForgetsHistory = "forget";
/// Text of a DerivativeRow of kind NoGradient: the operator resizes the tensor that it writes. If that tensor requires
/// a gradient, the call raises an error, even under NoGrad (`resize_`).
inline constexpr std::string_view kResizes = "resize";
/// Texts of the DerivativeRow of an `out=` form. They say how PyTorch treats an argument that requires a gradient.
/// kOutRefused: the call raises an error. kOutPasses: the call runs, and backward raises an error. kOutCopied: the
/// functional form is recorded and its result copied into `out`. If there is no text, derivative.cpp decides from the
/// other members of the OpEntry.
inline constexpr std::string_view kOutRefused = "out refused", kOutPasses = "out passes", kOutCopied = "out copied";

struct Derivative {
  const OpEntry* op = nullptr;
  GradientVerdict verdict = GradientVerdict::Missing;
  std::string node;  ///< name of the node: `MulBackward0`
  ParsedDerivative parsed;
  const OpEntry* of_item = nullptr;  ///< verdict Items: the operator that takes one item
  const OpEntry* returns = nullptr;  ///< verdict Copied: the functional form of the `out=` form
  bool real_only = false;            ///< a call with complex results raises an error
  bool refuses_out = false;          ///< the operator is an `out=` form that raises an error if an argument requires a
                                     ///< gradient
  /// Schema positions of the arguments that have gradients, in the order of the statements in `parsed`.
  std::vector<uint16_t> arguments;
  /// Whether a formula reads the value that an argument had before the call wrote it.
  bool reads_what_is_written = false;
};

/// Returns the derivative of `op`, which the first call looks up, parses and stores. Any thread may call it.
const Derivative& derivative_of(const OpEntry& op);

}  // namespace ersatz
