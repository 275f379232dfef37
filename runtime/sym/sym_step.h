// One step into an expression: which function of which smaller expressions it is.
//
// Who writes an expression down as calls of functions on numbers (a traced program) asks for the step, then for those
// of its operands. A sum is written term by term from the first on, so its operands are two: `2*s0 + 1` is the sum of
// `2*s0` and 1, `s0 - 1` the difference of `s0` and 1. Expressions are hash-consed (E1 of sym_expr.h), so an operand
// that occurs twice is the same word.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/sym/sym_int.h"

namespace ersatz {

struct SymStep {
  enum class Kind : uint8_t {
    Integer,   ///< a number: `integer`
    Number,    ///< a float that is one: `number`
    Symbol,    ///< `name` is the symbol's
    Function,  ///< `name` is the function's, as exported programs call it: `_operator.add`, `torch.sym_max`
    Unnamed,   ///< a function for which exported programs have no name: `name` is the expression's own
  };
  Kind kind = Kind::Integer;
  int64_t integer = 0;
  double number = 0;
  std::string_view name;
  std::vector<SymInt> operands;
  bool is_float = false;  ///< its value is a float
  bool is_truth = false;  ///< its value is a truth value
};

SymStep step_of(SymInt v);

}  // namespace ersatz
