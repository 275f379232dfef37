// Helpers for the bodies of decompositions: calls of core operators, access to arguments by position, and the dtype in
// which elementwise formulas are computed.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::decomposition {

/// Returns the argument at a position. Bodies use positions instead of names, because one body may serve operators with
/// several schemas.
inline const Value& given(const CompositeCall& call, size_t i) { return call.args[i]; }
inline Tensor tensor(const CompositeCall& call, size_t i) {
  return call.args[i].is_none() ? Tensor() : call.args[i].tensor();
}

template <class A, class B>
Tensor add(const A& a, const B& b) {
  return call_op<"aten.add.Tensor">(a, b, 1);
}
template <class A, class B>
Tensor sub(const A& a, const B& b) {
  return call_op<"aten.sub.Tensor">(a, b, 1);
}
template <class A, class B>
Tensor mul(const A& a, const B& b) {
  return call_op<"aten.mul.Tensor">(a, b);
}
template <class A, class B>
Tensor div(const A& a, const B& b) {
  return call_op<"aten.div.Tensor">(a, b);
}
inline Tensor where(const Tensor& c, const Tensor& a, const Tensor& b) { return call_op<"aten.where.self">(c, a, b); }
inline Tensor sum_of(const Tensor& t, const DimVec& dims) {
  return call_op<"aten.sum.dim_IntList">(t, dims, false, Value());
}
inline Tensor pow(const Tensor& t, const Value& exponent) { return call_op<"aten.pow.Tensor_Scalar">(t, exponent); }
inline Tensor view(const Tensor& t, const DimVec& sizes) { return call_op<"aten.view.default">(t, sizes); }
inline Tensor unsqueeze(const Tensor& t, int64_t dim) { return call_op<"aten.unsqueeze.default">(t, dim); }

/// Returns a 0-d tensor with the value `v`.
inline Tensor number(const Value& v, DType dtype, Device device) {
  return call_op<"aten.scalar_tensor.default">(v, dtype, Layout::Strided, device, Value());
}
inline Tensor filled(const DimVec& sizes, const Value& v, DType dtype, Device device) {
  return call_op<"aten.full.default">(sizes, v, dtype, Layout::Strided, device, false);
}
inline Tensor range(const Value& start, const Value& end, Device device, const Value& dtype = Value()) {
  return call_op<"aten.arange.start_step">(start, end, 1, dtype, Layout::Strided, device, false);
}
inline Tensor cast(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return t;
  return call_op<"aten._to_copy.default">(t, dtype, Value(), Value(), Value(), false, Value());
}
/// Returns `t` if it is contiguous in the memory format, else a clone in that format.
inline Tensor laid_out(const Tensor& t, MemoryFormat format = MemoryFormat::Contiguous) {
  return is_contiguous(t.meta(), format) ? t : call_op<"aten.clone.default">(t, format);
}
inline DimVec sizes_of(const Tensor& t) { return DimVec(t.sizes()); }

/// An elementwise formula. Its operands are converted to the compute dtype: f32 for f16 and bf16, and the default dtype
/// for integers if `real`. `returns` converts a result of the compute dtype to the dtype that the arguments promote to.
class Formula {
 public:
  explicit Formula(CompositeCall& call, bool real = true) : call_(call) {
    ResultType common(call.context.default_dtype);
    for (const Value& v : call.args) {
      if (v.is_tensor()) common.add(v);
    }
    result_ = common.result();
    if (real && !is_float(result_) && !is_complex(result_)) result_ = call.context.default_dtype;
    compute_ = result_ == DType::F16 || result_ == DType::BF16 ? DType::F32 : result_;
  }
  Tensor operator[](size_t i) const { return cast(tensor(call_, i), compute_); }
  DType compute() const { return compute_; }
  Device device() const { return tensor(call_, 0).device(); }
  Tensor constant(const Value& v) const { return number(v, compute_, device()); }
  void returns(const Tensor& t) { call_.returns(cast(t, t.dtype() == compute_ ? result_ : t.dtype())); }

 private:
  CompositeCall& call_;
  DType result_, compute_;
};

}  // namespace ersatz::decomposition
