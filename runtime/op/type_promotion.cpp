// The promotion table, computed at compile time from ATen's rules, and the three categories of `result_type`.
#include "runtime/op/type_promotion.h"

#include "runtime/op/op_entry.h"

namespace ersatz {

namespace {

constexpr DType wider(DType a, DType b) { return item_size(a) >= item_size(b) ? a : b; }

constexpr DType promote_integers(DType a, DType b) {
  if (a == DType::U8 || b == DType::U8) {
    DType other = a == DType::U8 ? b : a;
    return other == DType::I8 ? DType::I16 : other;  // only a wider signed type holds both
  }
  return wider(a, b);
}

constexpr DType promote_floats(DType a, DType b) {
  if (is_reduced_float(a) && is_reduced_float(b)) return DType::F32;  // range of one, precision of the other
  return wider(a, b);
}

constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) {
    bool wide = a == DType::C128 || b == DType::C128 || a == DType::F64 || b == DType::F64;
    return wide ? DType::C128 : DType::C64;
  }
  if (is_float(a) && is_float(b)) return promote_floats(a, b);
  if (is_float(a)) return a;
  if (is_float(b)) return b;
  if (a == DType::Bool) return b;
  if (b == DType::Bool) return a;
  return promote_integers(a, b);
}

struct Table {
  DType at[kDTypeCount][kDTypeCount] = {};
  constexpr Table() {
    for (int a = 0; a < kDTypeCount; ++a) {
      for (int b = 0; b < kDTypeCount; ++b) at[a][b] = promote(static_cast<DType>(a), static_cast<DType>(b));
    }
  }
};
constexpr Table kTable;

enum Category { kDimensioned, kZeroDim, kNumber };

/// `higher` with what a lower category adds to it; -1 is "none seen". A lower one decides only where its kind is
/// higher.
int combine(int higher, int lower) {
  if (lower < 0) return higher;
  if (higher < 0) return lower;
  DType h = static_cast<DType>(higher), l = static_cast<DType>(lower);
  if (is_complex(h)) return higher;
  if (is_float(h)) return is_complex(l) ? static_cast<int>(complex_dtype(h)) : higher;
  if (h == DType::Bool || !is_integral(l)) return static_cast<int>(promote_types(h, l));
  return higher;
}

}  // namespace

DType promote_types(DType a, DType b) { return kTable.at[static_cast<int>(a)][static_cast<int>(b)]; }

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
    DType dtype = is_complex(t.dtype) ? complex_dtype(default_dtype_) : is_float(t.dtype) ? default_dtype_ : t.dtype;
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
      return merge(kNumber, complex_dtype(default_dtype_));
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
