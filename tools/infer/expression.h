// Integers of a call's arguments, and expressions of them that may be a size of a result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/infer/observation.h"

namespace ersatz::tools {

/// An integer that a call's arguments determine.
struct Atom {
  enum class Kind : uint8_t {
    Constant,  ///< `number`
    Size,      ///< size `dim` of a tensor argument; from the end where negative
    SizeAt,    ///< its size in the dim that the int argument `other` names
    SumAt,     ///< sum of these sizes over a list of tensors
    Count,     ///< number of tensors in a list
    Number,    ///< an int argument
    Item       ///< item `dim` of an int list; a list with one item has it for every dim
  };
  Kind kind = Kind::Constant;
  int argument = -1, other = -1;
  int64_t dim = 0, number = 0;
  bool operator==(const Atom&) const = default;
};
std::optional<int64_t> value_of(const Atom& atom, std::span<const SeenArgument> arguments);

/// An expression of the atoms a, b, ... in order.
struct Expression {
  enum class Kind : uint8_t {
    Plus,      ///< a + plus
    Product,   ///< a * b + plus
    Product3,  ///< a * b * c
    Sum,       ///< a + b + plus
    Sum3,      ///< a + b + c
    Minus,     ///< a - b + plus
    Floor,     ///< a / b, rounded down, + plus
    Ceil,      ///< a / b, rounded up, + plus
    Minimum,   ///< of a and b
    Window     ///< (n + 2 padding - dilation (kernel - 1) - 1) / stride + 1, of n, kernel, stride, padding, dilation
  };
  Kind kind = Kind::Plus;
  std::vector<Atom> atoms;
  int64_t plus = 0;
  bool operator==(const Expression&) const = default;
};
std::optional<int64_t> value_of(const Expression& e, std::span<const SeenArgument> arguments);
/// The value for these values of the atoms.
std::optional<int64_t> value_of(Expression::Kind kind, std::span<const int64_t> atoms, int64_t plus);

/// An example: the arguments of a call, and the number to explain.
struct Example {
  std::span<const SeenArgument> arguments;
  int64_t value = 0;
};
/// The expressions that give the value in all examples, simplest first, at most `most`. `at`: the int argument that
/// names the dim, or -1.
std::vector<Expression> explain(std::span<const Example> examples, int at, size_t most = 8);

/// The dim in [0, rank) that `d` names; a 0-d tensor counts as rank 1. nullopt if out of range.
inline std::optional<int64_t> dim_in(int64_t d, int64_t rank) {
  const int64_t n = rank > 0 ? rank : 1;
  if (d < -n || d >= n) return std::nullopt;
  return d < 0 ? d + n : d;
}

}  // namespace ersatz::tools
