// Short names of the operators that derivatives are mostly written with. Each is a call as anybody makes it.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz::derivatives::calls {

using Arguments = std::span<const Value>;

inline Tensor add(const Tensor& a, const Tensor& b) { return call_op<"aten.add.Tensor">(a, b, 1); }
inline Tensor add(const Tensor& a, const Value& number) { return call_op<"aten.add.Scalar">(a, number, 1); }
inline Tensor sub(const Tensor& a, const Tensor& b) { return call_op<"aten.sub.Tensor">(a, b, 1); }
/// number - t
inline Tensor from(const Value& number, const Tensor& t) { return call_op<"aten.rsub.Scalar">(t, number, 1); }
inline Tensor mul(const Tensor& a, const Tensor& b) { return call_op<"aten.mul.Tensor">(a, b); }
inline Tensor mul(const Tensor& a, const Value& number) { return call_op<"aten.mul.Scalar">(a, number); }
inline Tensor div(const Tensor& a, const Tensor& b) { return call_op<"aten.div.Tensor">(a, b); }
inline Tensor div(const Tensor& a, const Value& number) { return call_op<"aten.div.Scalar">(a, number); }
inline Tensor neg(const Tensor& t) { return call_op<"aten.neg.default">(t); }
inline Tensor square(const Tensor& t) { return mul(t, t); }
inline Tensor sigmoid(const Tensor& t) { return call_op<"aten.sigmoid.default">(t); }
inline Tensor zeros(const Tensor& like, std::span<const SymInt> sizes) {
  return call_op<"aten.new_zeros.default">(like, sizes, Value(), Value(), Value(), Value());
}
inline Tensor zeros_like(const Tensor& t) {
  return call_op<"aten.zeros_like.default">(t, Value(), Value(), Value(), Value(), Value());
}
inline Tensor ones_like(const Tensor& t) {
  return call_op<"aten.ones_like.default">(t, Value(), Value(), Value(), Value(), Value());
}
inline Tensor cast(const Tensor& t, DType dtype) {
  return t.dtype() == dtype ? t : call_op<"aten._to_copy.default">(t, dtype, Value(), Value(), Value(), false, Value());
}
inline Tensor reshape(const Tensor& t, std::span<const SymInt> sizes) {
  return call_op<"aten.reshape.default">(t, sizes);
}
/// t where the condition holds, else 0.
inline Tensor masked(const Tensor& condition, const Tensor& t) {
  return call_op<"aten.where.ScalarOther">(condition, t, 0);
}
/// 0 where the condition holds, else t.
inline Tensor unmasked(const Tensor& condition, const Tensor& t) {
  return call_op<"aten.where.ScalarSelf">(condition, 0, t);
}
inline Tensor optional_tensor(const Value& v) { return v.is_tensor() ? v.tensor() : Tensor(); }
inline bool wanted(const Value& needed, size_t i) { return needed.as_list()[i].as_bool(); }

}  // namespace ersatz::derivatives::calls
