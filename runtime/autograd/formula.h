// Derivatives as text: `mul.Tensor(grad, conj(other))`.
//
//   derivative  := statement { ';' statement }
//   statement   := name { ',' name } '=' expression     the gradient of the argument; for several arguments: a list
//                | name { ',' name } '=' 'refused'      the call is refused if one of them requires a gradient
//                | 'results' '=' list                   indices of the results that have gradients; default: all
//   expression  := disjunction [ 'if' disjunction 'else' expression ]    with or, and, not, ==, !=, <, <=, >, >=, +,
//                  -, *, /, //, unary -, x[i], lists, parentheses, numbers, "text", True, False, None, dtypes
//   name(...)   := a function that was added (add_gradient_function), else the operator of that name;
//                  `base.overload(...)` names an overload
//
// Names: the arguments of the operator, `result` or `result0`, `result1`, ..., `grad` or `grad0`, ... for the gradients
// of the results, and `grads` for the list of these gradients. `needed` is a list with one bool per argument of the
// statement, true if its gradient is needed. `x.sizes`, `.strides`, `.offset`, `.dim`, `.numel`, `.dtype` and `.device`
// of a tensor are its metadata.
//
// A call saves only the values that its formulas mention: `self.sizes` saves sizes and no tensor. If an operator in a
// formula gets an undefined tensor as an argument, it is not called, and its result is undefined. Numbers are SymInt,
// double or complex.
#pragma once

#include <functional>
#include <memory>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// A value of the forward call that a formula reads. The node saves it for the backward run.
struct SavedPart {
  enum class Of : uint8_t { Argument, Result };
  enum class What : uint8_t { Itself, Sizes, Strides, Offset, Dim, Numel, DType, Device };
  Of of = Of::Argument;
  What what = What::Itself;
  uint16_t index = 0;  ///< schema position of the argument, or index of the result
  bool operator==(const SavedPart&) const = default;
};

/// The values with which a formula is evaluated.
struct FormulaValues {
  std::span<const Value> saved;    ///< one per SavedPart of the derivative
  std::span<const Value> results;  ///< the gradients of the results: tensors or None
  uint32_t needed = 0;             ///< bit i is set if the gradient of the statement's argument i is needed
};

class Expression {
 public:
  virtual ~Expression() = default;
  virtual Value evaluate(const FormulaValues& values) const = 0;
};

/// One statement of a derivative.
struct GradientStatement {
  std::vector<uint16_t> arguments;  ///< schema positions of the arguments whose gradients the expression computes
  std::unique_ptr<Expression> expression;
  uint64_t parts = 0;  ///< bit i is set if the expression reads part i of ParsedDerivative::parts
};

struct ParsedDerivative {
  std::vector<GradientStatement> statements;
  std::vector<SavedPart> parts;
  std::vector<uint16_t> refused;    ///< schema positions of the arguments that must not require gradients
  uint64_t results = ~uint64_t(0);  ///< bit i is set if result i has a gradient
};

/// Returns the operator called `name`, or null if there is none.
using FindOp = std::function<const OpEntry*(std::string_view name)>;
/// Parses `text`, the derivative of `op`. Raises InternalError with the position of a mistake, because texts are part
/// of ersatz. `find` looks up the operators that formulas call; if it is empty, the registry is searched.
ParsedDerivative parse_derivative(const OpEntry& op, std::string_view text, const FindOp& find = {});

/// A C++ function that formulas may call by name like an operator. It computes values that a formula cannot express.
using GradientFunction = Value (*)(std::span<const Value> arguments);
/// Lets formulas call `function` by `name`. REQUIRES: no derivative has been parsed yet.
void add_gradient_function(std::string_view name, GradientFunction function);
bool is_gradient_function(std::string_view name);

}  // namespace ersatz
