// Integers of a call's arguments, and expressions over them that may give the size of a result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/infer/observation.h"

namespace ersatz::tools {

/// An integer that is known from a call's arguments.
struct Atom {
  enum class Kind : uint8_t {
    Constant,  ///< the constant `number`
    Size,      ///< size of dim `dim` of a tensor argument; a negative `dim` counts from the end
    SizeAt,    ///< size of a tensor argument in the dim that the int argument `other` names
    SumAt,     ///< sum of the sizes of a list's tensors in the dim that `other` names
    Count,     ///< number of tensors in a list argument
    Number,    ///< value of an int argument
    Item       ///< item `dim` of an int list; if the list has one item, that item for every dim
  };
  Kind kind = Kind::Constant;
  int argument = -1, other = -1;
  int64_t dim = 0, number = 0;
  bool operator==(const Atom&) const = default;
};
std::optional<int64_t> value_of(const Atom& atom, std::span<const SeenArgument> arguments);

/// An expression over the atoms a, b, ... in the order of `atoms`.
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
    Minimum,   ///< min(a, b)
    /// Size of a sliding window: (n + 2 padding - dilation (kernel - 1) - 1) / stride + 1; atoms: n, kernel, stride,
    /// padding, dilation.
    Window
  };
  Kind kind = Kind::Plus;
  std::vector<Atom> atoms;
  int64_t plus = 0;
  bool operator==(const Expression&) const = default;
};
std::optional<int64_t> value_of(const Expression& e, std::span<const SeenArgument> arguments);
/// Evaluates the expression for these values of its atoms. nullopt if it has no value, for example after a division by
/// 0.
std::optional<int64_t> value_of(Expression::Kind kind, std::span<const int64_t> atoms, int64_t plus);

/// An example: the arguments of a call, and the number to explain.
struct Example {
  std::span<const SeenArgument> arguments;
  int64_t value = 0;
};
/// Returns at most `most` expressions that give the value in all examples, simplest first. `at`: the int argument that
/// names the dim for SizeAt and SumAt, or -1.
std::vector<Expression> explain(std::span<const Example> examples, int at, size_t most = 8);

/// Returns the dim in [0, rank) that `d` means, which may count from the end. A 0-d tensor counts as rank 1. nullopt if
/// out of range.
inline std::optional<int64_t> dim_in(int64_t d, int64_t rank) {
  const int64_t n = rank > 0 ? rank : 1;
  if (d < -n || d >= n) return std::nullopt;
  return d < 0 ? d + n : d;
}

}  // namespace ersatz::tools
