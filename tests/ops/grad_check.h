// Derivatives against central differences: one operator, its samples, six layouts, three layouts of what arrives.
//
// A sample is made of f64 tensors, and once more of c128 ones where the operator takes them. Every tensor that the row
// gives a gradient to becomes a leaf x. The gradient that `grad` answers is held against the slope of the results along
// a direction d of random numbers, one per element: Re <gradient, d> must equal the difference of Re <w, f(x + h d)>
// over 2 h, where w is the gradient that arrives. One direction suffices: a wrong element shows in the sum. Second
// gradients are held against differences of first ones in the same way, along the leaves and along w.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::grad_check {

/// How the matrices of a case are made of random numbers.
enum class Matrices : uint8_t {
  Any,
  Hermitian,  ///< (x + x^H) / 2; directions are Hermitian too
  Positive,   ///< x x^H + n, directions Hermitian
  Lower       ///< the lower triangle of x + 3, with a real diagonal; directions are lower triangular
};

/// Which layouts a case is tried in.
enum class Layouts : uint8_t {
  All,
  Distinct,  ///< no expanded ones: elements must differ
  Written    ///< the written one: the arguments say its strides
};

/// A call that is checked in place of the operator's registered samples.
struct Case {
  std::string_view op, arguments;
  double low = -2, high = 2;
  Matrices matrices = Matrices::Any;
  bool complex = true;  ///< tried with c128 too
  Layouts layouts = Layouts::All;
};
/// A row that no difference can judge.
struct Skip {
  std::string_view op, reason;
};
std::span<const Case> cases();
std::span<const Skip> skips();

struct Counts {
  int calls = 0;           ///< forward calls whose gradients were compared
  int first = 0;           ///< gradients compared, one per leaf and gradient that arrives
  int second = 0;          ///< second gradients compared
  int second_missing = 0;  ///< calls whose gradient cannot be differentiated: an operator in the row has no row
  int complex_calls = 0;   ///< of `calls`
  std::vector<std::string> failures;
  std::string refusal;  ///< the last call that was refused before there was a gradient
};

/// Every operator with a row of its own or of its items, in the registry's order.
std::vector<const OpEntry*> rows();
Counts check(const OpEntry& op);

}  // namespace ersatz::grad_check
