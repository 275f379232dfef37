// A form is a function of the arguments' metadata that may give a field of a result: its sizes, dtype, strides or
// offset.
//
// A form returns nullopt for a call that it does not fit; it never raises. It can be written in words, in C++
// (rule_cpp.h) and in JSON (rule_json.h).
#pragma once

#include <map>

#include "tools/infer/expression.h"

namespace ersatz::tools {

/// A form that gives the sizes of a result.
struct ShapeForm {
  enum class Kind : uint8_t {
    SameAs,     ///< the sizes of tensor argument `of`
    Broadcast,  ///< the sizes of all tensor arguments, broadcast together
    Tail,       ///< the sizes of `of` without the last `drop` dims, then `tail`; `of` = -1: only `tail`
    Head,       ///< `tail`, then the sizes of `of` without the first `drop` dims
    /// The sizes of `of`, with the dims in argument `attribute` removed or of size 1; None or an empty list means all
    /// dims.
    Reduced,
    Replaced,  ///< the sizes of `of`, with tail[0] in the dim that `attribute` names
    Inserted,  ///< the sizes of `of`, with tail[0] inserted as a new dim at `attribute`
    Permuted,  ///< the sizes of `of`, in the order that the list `attribute` gives
    Swapped,   ///< the sizes of `of`, with the dims that `attribute` and `other` name swapped
    Listed,    ///< the int list `attribute`, like the size of aten.zeros
    Viewed,    ///< the int list `attribute`, in which one -1 means the remaining elements of `of` (aten.view)
    Expanded   ///< the int list `attribute`, in which -1 means the size of `of` in that dim (aten.expand)
  };
  Kind kind = Kind::SameAs;
  int of = -1, attribute = -1, other = -1;
  int64_t drop = 0;
  int keep = 0;  ///< for Reduced: 0 removes the dims, 1 keeps them with size 1, 2 lets the argument `other` decide
  std::vector<Expression> tail;
  bool operator==(const ShapeForm&) const = default;
};

/// Sizes and, for each dim, the dim of argument `of` that it comes from; -1: a new dim.
struct ShapeAnswer {
  Extents sizes;
  std::vector<int> from;
  int of = -1;
};
std::optional<ShapeAnswer> answer_of(const ShapeForm& form, std::span<const SeenArgument> arguments);

struct DTypeForm {
  enum class Kind : uint8_t {
    Constant,         ///< always the dtype `dtype`
    OfArgument,       ///< the dtype of tensor argument `of`
    Named,            ///< the dtype that the dtype argument `of` names
    Promoted,         ///< the type promotion of all tensors and numbers
    PromotedTensors,  ///< the type promotion of tensors only
    PromotedFloat,    ///< the type promotion; if the promoted type is integral, the default dtype
    Summed,           ///< i64 if `of` has an integral or bool dtype, else the dtype of `of`
    RealOf,           ///< the dtype of the real part of `of`: f32 for c64
    Table             ///< looked up in a table by the dtype of `of`
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
    Preserved,       ///< the strides of a clone of `of` with torch.preserve_format
    Elementwise,     ///< the strides that an elementwise operator of PyTorch (TensorIterator) computes
    Converted,       ///< the strides that Elementwise gives if the operands are converted to the result's dtype first
    ChannelsLast,    ///< channels-last if the strides of `of` are channels-last, else row-major
    Exact,           ///< the strides of `of`, unchanged
    Mapped,          ///< for each dim of the result, the stride of the dim of `of` that gave it its size
    DenseLike,       ///< dense strides; the dims have the order of the strides that Mapped gives
    ColumnMajor,     ///< dense strides with the first dim innermost
    LastTwoSwapped,  ///< dense strides with the last two dims swapped
    ViewOf           ///< the strides of a view of `of` with other sizes
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
    Selected,  ///< the offset of `of`, plus index (argument `index`) times the stride of the dim that `dim` names
  };
  Kind kind = Kind::Zero;
  int of = -1, dim = -1, index = -1;
  bool operator==(const OffsetForm&) const = default;
};
std::optional<int64_t> answer_of(const OffsetForm& form, std::span<const SeenArgument> arguments);

/// The storage of a result: its own (`of` is -1), or that of argument `of`. `same`: the result is the argument itself.
struct AliasForm {
  int of = -1;
  bool same = false;
  bool operator==(const AliasForm&) const = default;
};

/// A condition on the arguments. A case of a rule applies if its conditions hold.
struct Condition {
  enum class Kind : uint8_t { Pattern, Number, Rank } kind = Kind::Pattern;
  int argument = -1;
  int64_t value = 0;  ///< for Number: a bool, int or dtype; for Rank: the rank
  std::string text;   ///< for Pattern: the text that pattern_of returns
  bool operator==(const Condition&) const = default;
};
bool holds(const Condition& c, std::span<const SeenArgument> arguments);

}  // namespace ersatz::tools
