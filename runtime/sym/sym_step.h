// A step: the outermost function of an expression, and its operands.
//
// A tracer writes an expression as calls of functions on numbers: it takes the expression's step, then the steps of the
// operands. A step of a sum has two operands, the last term and the sum of the terms before it: `2*s0 + 1` is the sum
// of `2*s0` and 1, `s0 - 1` is the difference of `s0` and 1. Expressions are hash-consed (E1 of sym_expr.h), so an
// operand that occurs twice is the same SymInt.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/sym/sym_int.h"

namespace ersatz {

struct SymStep {
  enum class Kind : uint8_t {
    Integer,   ///< an integer constant: `integer`
    Number,    ///< a float constant: `number`
    Symbol,    ///< `name` is the symbol's
    Function,  ///< `name` is the function's name in exported programs: `_operator.add`, `torch.sym_max`
    Unnamed,   ///< a function without a name in exported programs: `name` is the name in this library's expressions
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
