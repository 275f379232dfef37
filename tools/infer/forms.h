// Forms: functions of the arguments' metadata that may give a field of a result.
//
// A form returns nullopt for a call that it does not fit; it never raises. It can be spelled in words, in C++
// (rule_cpp.h) and in JSON (rule_json.h).
#pragma once

#include <map>

#include "tools/infer/expression.h"

namespace ersatz::tools {

/// Sizes of a result.
struct ShapeForm {
  enum class Kind : uint8_t {
    SameAs,     ///< those of tensor argument `of`
    Broadcast,  ///< broadcast over all tensor arguments
    Tail,       ///< those of `of` (-1: none) without the last `drop`, then `tail`
    Head,       ///< `tail`, then those of `of` without the first `drop`
    Reduced,    ///< `of` without the dims in `attribute` (all dims if None or empty), or with size 1 in them
    Replaced,   ///< `of` with tail[0] in the dim that `attribute` names
    Inserted,   ///< `of` with tail[0] as a new dim at `attribute`
    Permuted,   ///< the dims of `of` in the order of the list `attribute`
    Swapped,    ///< `of` with the dims that `attribute` and `other` name swapped
    Listed,     ///< the int list `attribute`
    Viewed,     ///< the int list `attribute`; one -1 means the remaining elements of `of`
    Expanded    ///< the int list `attribute`; -1 means the size of `of` there
  };
  Kind kind = Kind::SameAs;
  int of = -1, attribute = -1, other = -1;
  int64_t drop = 0;
  int keep = 0;  ///< for Reduced: 0 removes the dims, 1 keeps them, 2 reads the argument `other`
  std::vector<Expression> tail;
  bool operator==(const ShapeForm&) const = default;
};

/// Sizes, and the dim of argument `of` that each dim comes from; -1: a new dim.
struct ShapeAnswer {
  Extents sizes;
  std::vector<int> from;
  int of = -1;
};
std::optional<ShapeAnswer> answer_of(const ShapeForm& form, std::span<const SeenArgument> arguments);

struct DTypeForm {
  enum class Kind : uint8_t {
    Constant,         ///< `dtype`
    OfArgument,       ///< of tensor argument `of`
    Named,            ///< the dtype in the argument `of`
    Promoted,         ///< common dtype of tensors and numbers
    PromotedTensors,  ///< common dtype of tensors only
    PromotedFloat,    ///< the common dtype; the default dtype if that is integral
    Summed,           ///< i64 for integers and bool, else that of `of`
    RealOf,           ///< the dtype of the real part of `of`
    Table             ///< by the dtype of `of`
  };
  Kind kind = Kind::OfArgument;
  int of = -1;
  DType dtype = DType::F32;
  std::map<DType, DType> table;
  bool operator==(const DTypeForm&) const = default;
};
std::optional<DType> answer_of(const DTypeForm& form, std::span<const SeenArgument> arguments);

struct StrideForm {
  enum class Kind : uint8_t {
    Contiguous,
    Preserved,       ///< as a clone of `of` has them
    Elementwise,     ///< as an elementwise op chooses them
    Converted,       ///< as Elementwise, for operands that are first converted to the result's dtype
    ChannelsLast,    ///< channels-last where `of` is (its strides suggest it), else row-major
    Exact,           ///< exactly those of `of`
    Mapped,          ///< those of the dims of `of` that the sizes come from
    DenseLike,       ///< dense, in the order of the strides that Mapped gives
    ColumnMajor,     ///< the first dim innermost
    LastTwoSwapped,  ///< dense, the last two dims swapped
    ViewOf           ///< those of a view of `of` with other sizes
  };
  Kind kind = Kind::Contiguous;
  int of = -1;
  bool operator==(const StrideForm&) const = default;
};
std::optional<Extents> answer_of(const StrideForm& form, std::span<const SeenArgument> arguments,
                                 const ShapeAnswer& shape, DType dtype);

struct OffsetForm {
  enum class Kind : uint8_t {
    Zero,
    OfArgument,
    Selected,  ///< that of `of` plus index (argument `index`) times the stride of the dim that `dim` names
  };
  Kind kind = Kind::Zero;
  int of = -1, dim = -1, index = -1;
  bool operator==(const OffsetForm&) const = default;
};
std::optional<int64_t> answer_of(const OffsetForm& form, std::span<const SeenArgument> arguments);

/// The storage of a result: its own (`of` is -1), or that of argument `of`. `same`: the result is the argument.
struct AliasForm {
  int of = -1;
  bool same = false;
  bool operator==(const AliasForm&) const = default;
};

/// A condition on the arguments under which a case holds.
struct Condition {
  enum class Kind : uint8_t { Pattern, Number, Rank } kind = Kind::Pattern;
  int argument = -1;
  int64_t value = 0;  ///< of Number (a bool, int or dtype) and Rank
  std::string text;   ///< for Pattern: the result of pattern_of
  bool operator==(const Condition&) const = default;
};
bool holds(const Condition& c, std::span<const SeenArgument> arguments);

}  // namespace ersatz::tools
