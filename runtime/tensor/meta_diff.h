// The fields in which two TensorMetas differ. All comparisons of metadata use this definition.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// The fields that a comparison of metadata can report, in the order of reports.
enum class MetaField : uint8_t { DType, Size, Stride, Offset, Device, Conj, Neg, RequiresGrad };
inline constexpr int kMetaFieldCount = static_cast<int>(MetaField::RequiresGrad) + 1;
/// Returns `dtype`, `size`, `stride`, `offset`, `device`, `conj`, `neg` or `requires_grad`.
std::string_view name(MetaField f);

/// A set of MetaFields. A loop over the set visits the fields in the order of MetaField.
class MetaFields {
 public:
  constexpr MetaFields() = default;
  constexpr MetaFields(std::initializer_list<MetaField> fields) {
    for (const MetaField f : fields) add(f);
  }
  constexpr bool has(MetaField f) const { return (bits_ >> static_cast<int>(f) & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// REQUIRES: not empty.
  constexpr MetaField first() const { return static_cast<MetaField>(__builtin_ctz(bits_)); }
  constexpr void add(MetaField f) { bits_ |= 1u << static_cast<int>(f); }
  constexpr void remove(MetaField f) { bits_ &= ~(1u << static_cast<int>(f)); }
  friend constexpr MetaFields operator|(MetaFields a, MetaFields b) { return MetaFields(a.bits_ | b.bits_); }
  friend constexpr MetaFields operator-(MetaFields a, MetaFields b) { return MetaFields(a.bits_ & ~b.bits_); }
  friend constexpr MetaFields operator&(MetaFields a, MetaFields b) { return MetaFields(a.bits_ & b.bits_); }
  constexpr bool operator==(const MetaFields&) const = default;

  class Iterator {
   public:
    constexpr explicit Iterator(uint32_t left) : left_(left) {}
    constexpr MetaField operator*() const { return static_cast<MetaField>(__builtin_ctz(left_)); }
    constexpr Iterator& operator++() { return left_ &= left_ - 1, *this; }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    uint32_t left_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  constexpr explicit MetaFields(uint32_t bits) : bits_(bits) {}
  uint32_t bits_ = 0;
};

inline constexpr MetaFields kStridedFields = {MetaField::DType, MetaField::Size, MetaField::Stride, MetaField::Offset,
                                              MetaField::Device};
/// The lazy conjugate and negation bits. They change how elements are read, not the elements in memory.
inline constexpr MetaFields kLazyBits = {MetaField::Conj, MetaField::Neg};
inline constexpr MetaFields kAllMetaFields = kStridedFields | kLazyBits | MetaFields{MetaField::RequiresGrad};
/// All fields except requires_grad, for comparisons in which only the autograd engine sets requires_grad. A new
/// MetaField is automatically in this set.
inline constexpr MetaFields kAllButRequiresGrad = kAllMetaFields - MetaFields{MetaField::RequiresGrad};

struct MetaDiff {
  MetaFields significant;  ///< the fields whose difference a program can observe
  /// Stride, if all strides that differ belong to dims of size 1 or to tensors without elements: no address depends on
  /// them.
  MetaFields cosmetic;
  /// Size, Stride or Offset, if the SizeEquality cannot decide whether the field is equal and finds no difference in
  /// it.
  MetaFields undecided;
  bool is_significant() const { return !significant.empty(); }
  bool is_equal() const { return significant.empty() && cosmetic.empty(); }
  /// Returns the fields that differ, significantly or cosmetically.
  MetaFields all() const { return significant | cosmetic; }
  /// Returns the difference without the fields `f`.
  MetaDiff without(MetaFields f) const { return {significant - f, cosmetic - f, undecided - f}; }
};

/// Compares `a` and `b` in the given fields. Tensors of different rank differ in Size. If sizes differ, strides and
/// offset are not compared, because they depend on the sizes. Symbolic values are compared by sym_eq.
MetaDiff diff(const TensorMeta& a, const TensorMeta& b, MetaFields fields = kStridedFields);

/// A function that compares two sizes, strides or offsets. It returns nullopt if it cannot decide.
using SizeEquality = std::function<std::optional<bool>(SymInt, SymInt)>;

/// Like diff(a, b, fields), but `equal` compares sizes, strides and offsets.
MetaDiff diff(const TensorMeta& a, const TensorMeta& b, MetaFields fields, const SizeEquality& equal);

/// Returns the value of one field in the spelling of reports: `f32`, `[2, 3]`, `[3, 1]`, `0`, `cuda:0`, `true`.
std::string field_text(const TensorMeta& meta, MetaField field);

}  // namespace ersatz
