// Compares derivatives with central differences: for each operator its samples, six layouts, and three layouts of
// incoming gradients.
//
// A sample has f64 tensors, and in a second run c128 ones if the operator takes them. Each tensor with a gradient
// becomes a leaf x. The gradient from `grad` is compared with the slope of the results along a direction d of random
// numbers. Re <gradient, d> must equal the difference of Re <w, f(x + h d)> over 2 h, where w is the incoming gradient.
// One direction is enough: a wrong element changes the sum. Second gradients are compared with differences of first
// ones, along the leaves and along w.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::grad_check {

/// How the matrices of a case are made from random numbers.
enum class Matrices : uint8_t {
  Any,
  Hermitian,  ///< (x + x^H) / 2; directions are Hermitian too
  Positive,   ///< x x^H + n, directions Hermitian
  Lower       ///< the lower triangle of x + 3, with a real diagonal; directions are lower triangular
};

/// The layouts in which a case is tried.
enum class Layouts : uint8_t {
  All,
  Distinct,  ///< without expanded layouts, because elements must differ
  Written    ///< only the layout in the case's text: the arguments fix the strides
};

/// A call that is checked instead of the operator's registered samples.
struct Case {
  std::string_view op, arguments;
  double low = -2, high = 2;
  Matrices matrices = Matrices::Any;
  bool complex = true;  ///< the case is also tried with c128
  Layouts layouts = Layouts::All;
};
/// A derivative formula that central differences cannot check.
struct Skip {
  std::string_view op, reason;
};
std::span<const Case> cases();
std::span<const Skip> skips();

struct Counts {
  int calls = 0;           ///< forward calls whose gradients were compared
  int first = 0;           ///< compared gradients, one for each leaf and incoming gradient
  int second = 0;          ///< second gradients compared
  int second_missing = 0;  /// calls whose backward calls an operator without a derivative formula
  int complex_calls = 0;   ///< those of `calls` with complex tensors
  std::vector<std::string> failures;
  std::string refusal;  ///< the last call that was refused before it had a gradient
};

/// Operators with a derivative formula: their own, or one for the items of their lists. In the registry's order.
std::vector<const OpEntry*> rows();
Counts check(const OpEntry& op);

}  // namespace ersatz::grad_check
