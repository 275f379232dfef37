// SymStep: the outermost function of an expression, and the operands of that function.
//
// A tracer uses steps to write an expression as calls of functions on numbers: it takes the step of the expression,
// then the steps of the operands. The step of a sum has two operands: the sum of all terms but the last, and the last
// term. For example, `2*s0 + 1` is the sum of `2*s0` and 1, and `s0 - 1` is the difference of `s0` and 1. Expressions
// are hash-consed (E1 of sym_expr.h), so an operand that occurs twice is the same SymInt.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/sym/sym_int.h"

namespace ersatz {

struct SymStep {
  enum class Kind : uint8_t {
    Integer,   ///< an integer constant, `integer`
    Number,    ///< a float constant, `number`
    Symbol,    ///< a symbol with the name `name`
    Function,  ///< a function with the name `name` in exported programs: `_operator.add`, `torch.sym_max`
    Unnamed,   ///< a function without a name in exported programs; `name` is its printed name in expressions
  };
  Kind kind = Kind::Integer;
  int64_t integer = 0;
  double number = 0;
  std::string_view name;
  std::vector<SymInt> operands;
  bool is_float = false;  ///< the value is a float
  bool is_truth = false;  ///< the value is a truth value
};

SymStep step_of(SymInt v);

}  // namespace ersatz
