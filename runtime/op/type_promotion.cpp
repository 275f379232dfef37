// The promotion table, which is computed at compile time from ATen's rules, and `result_type`, which combines three
// categories of operands.
#include "runtime/op/type_promotion.h"

#include "runtime/op/op_entry.h"

namespace ersatz {

namespace {

constexpr DType wider(DType a, DType b) { return item_size(a) >= item_size(b) ? a : b; }

constexpr DType promote_integers(DType a, DType b) {
  if (a == DType::U8 || b == DType::U8) {
    DType other = a == DType::U8 ? b : a;
    return other == DType::I8 ? DType::I16 : other;  // I16 is the smallest dtype that holds all values of U8 and I8
  }
  return wider(a, b);
}

constexpr DType promote_floats(DType a, DType b) {
  // F32 has the range of BF16 and the precision of F16
  if (is_reduced_float(a) && is_reduced_float(b)) return DType::F32;
  return wider(a, b);
}

/// Returns c32 for two operands that are c32, f16 or integers. Otherwise returns c64, or c128 if one is f64 or c128.
constexpr DType promote_complex(DType a, DType b) {
  const auto is_wide = [](DType t) { return t == DType::C128 || t == DType::F64; };
  const auto is_half = [](DType t) { return t == DType::C32 || t == DType::F16 || is_integral(t); };
  if (is_wide(a) || is_wide(b)) return DType::C128;
  return is_half(a) && is_half(b) ? DType::C32 : DType::C64;
}

/// Returns the dtype that `a` and `b` promote to. Returns nullopt if ATen's promotion table has none.
constexpr std::optional<DType> promote(DType a, DType b) {
  if (a == b) return a;
  const bool wide_unsigned = kWideUnsigned.has(a) || kWideUnsigned.has(b);
  if (is_packed(a) || is_packed(b)) return wide_unsigned ? std::optional(is_packed(a) ? a : b) : std::nullopt;
  if (kFloat8s.has(a) || kFloat8s.has(b)) return std::nullopt;
  if (wide_unsigned && (is_complex(a) || is_complex(b))) return std::nullopt;
  if (is_complex(a) || is_complex(b)) return promote_complex(a, b);
  if (is_float(a) && is_float(b)) return promote_floats(a, b);
  if (is_float(a)) return a;
  if (is_float(b)) return b;
  if (wide_unsigned) return std::nullopt;
  if (a == DType::Bool) return b;
  if (b == DType::Bool) return a;
  return promote_integers(a, b);
}

struct Table {
  std::optional<DType> at[kDTypeCount][kDTypeCount] = {};
  constexpr Table() {
    for (int a = 0; a < kDTypeCount; ++a) {
      for (int b = 0; b < kDTypeCount; ++b) at[a][b] = promote(static_cast<DType>(a), static_cast<DType>(b));
    }
  }
};
constexpr Table kTable;

enum Category { kDimensioned, kZeroDim, kNumber };

/// Combines the dtypes of a higher and a lower category of operands. The categories are tensors with dims, 0-d tensors
/// and numbers, from high to low; -1 means that a category has no operand. The lower category's dtype counts only if
/// its kind (bool, integer, float, complex) is higher.
int combine(int higher, int lower) {
  if (lower < 0) return higher;
  if (higher < 0) return lower;
  DType h = static_cast<DType>(higher), l = static_cast<DType>(lower);
  if (is_complex(h)) return higher;
  if (is_float(h)) return is_complex(l) ? static_cast<int>(complex_of_parts(h)) : higher;
  if (kWideUnsigned.has(h) && is_complex(l)) return lower;
  if (h == DType::Bool || !is_integral(l)) return static_cast<int>(promote_types(h, l));
  return higher;
}

}  // namespace

DType complex_of_parts(DType t) {
  if (kFloat8s.has(t) || is_packed(t)) {
    fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "there is no complex dtype with parts of {}", name(t));
  }
  return t == DType::F16 ? DType::C32 : complex_dtype(t);
}

std::optional<DType> common_dtype(DType a, DType b) { return kTable.at[static_cast<int>(a)][static_cast<int>(b)]; }

DType promote_types(DType a, DType b) {
  if (const std::optional<DType> common = common_dtype(a, b)) [[likely]]
    return *common;
  fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "no dtype is promoted to from {} and {}: convert one of them",
       name(a), name(b));
}

bool can_cast(DType from, DType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_float(from) && is_integer(to)) return false;
  return from == DType::Bool || to != DType::Bool;
}

void ResultType::merge(int category, DType t) {
  int8_t& seen = seen_[category];
  seen = static_cast<int8_t>(seen < 0 ? t : promote_types(static_cast<DType>(seen), t));
}

void ResultType::add(const TensorMeta& t) {
  if (t.wrapped_number) {
    DType dtype = is_complex(t.dtype) ? complex_of_parts(default_dtype_) : is_float(t.dtype) ? default_dtype_ : t.dtype;
    merge(kNumber, dtype);
  } else {
    merge(t.dim() > 0 ? kDimensioned : kZeroDim, t.dtype);
  }
}

void ResultType::add(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::Kind::Bool:
      return merge(kNumber, DType::Bool);
    case Scalar::Kind::Int:
      return merge(kNumber, DType::I64);
    case Scalar::Kind::Float:
      return merge(kNumber, default_dtype_);
    case Scalar::Kind::Complex:
      return merge(kNumber, complex_of_parts(default_dtype_));
  }
}

void ResultType::add(const Value& v) {
  if (v.is_tensor()) {
    add(v.tensor_impl()->meta);
  } else if (!v.is_none()) {
    add(v.as_scalar());
  }
}

DType ResultType::result() const {
  int type = combine(seen_[kDimensioned], combine(seen_[kZeroDim], seen_[kNumber]));
  ERSATZ_ASSERT(type >= 0, "the common dtype of no operands was asked for");
  return static_cast<DType>(type);
}

DType result_type(const RuleCall& call, std::initializer_list<size_t> operands) {
  ResultType type(call.context.default_dtype);
  for (size_t i : operands) type.add(call.args[i]);
  return type.result();
}

}  // namespace ersatz
