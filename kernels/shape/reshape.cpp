#include "kernels/shape/reshape.h"

#include "kernels/shape/clone.h"
#include "kernels/shape/infer_size.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_reshape {
namespace {

void reshape(CompositeCall& call) {
  const TensorMeta& from = call.meta(0);
  DimVec sizes;
  infer_size(call, call.ints(1), from.numel(), from, sizes);
  const Tensor self = call.tensor(0);
  if (view_strides(from.sizes, from.strides, sizes)) {
    call.returns(ops::view(self, sizes));
  } else {
    call.returns(ops::unsafe_view(ops::clone(self, MemoryFormat::Contiguous), sizes));
  }
}

void reshape_as(CompositeCall& call) {
  call.returns(ops::reshape(call.tensor(0), call.args[1].tensor_impl()->meta.sizes));
}

void flatten(CompositeCall& call) {
  const TensorMeta& from = call.meta(0);
  const int64_t start = call.wrap_dim(call.integer(1), from.dim());
  const int64_t end = call.wrap_dim(call.integer(2), from.dim());
  call.require(start <= end, "C1", "start_dim must not come after end_dim: {} vs {}", start, end);
  const Tensor self = call.tensor(0);
  if (from.dim() == 0) {
    const SymInt one = 1;
    call.returns(ops::reshape(self, {&one, 1}));
    return;
  }
  if (start == end) {
    call.returns(self);
    return;
  }
  DimVec sizes;
  for (int64_t d = 0; d < from.dim(); ++d) {
    if (d <= start || d > end) {
      sizes.push_back(from.sizes[d]);
    } else {
      sizes.back() *= from.sizes[d];
    }
  }
  call.returns(ops::reshape(self, sizes));
}

void ravel(CompositeCall& call) {
  const SymInt all = -1;
  call.returns(ops::view(ops::contiguous(call.tensor(0)), {&all, 1}));
}

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", __FILE__)
      .with_composite(reshape)
      .sample("f32[2,3], [3, 2]")
      .sample("f32[2,3]{1,2}, [-1]")
      .refuses("C1", "f32[2,3], [-1, -1]")
      .refuses("C2", "f32[2,3], [4]");
  r.add("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", __FILE__)
      .with_composite(reshape_as)
      .sample("f32[2,3], f32[6]");
  r.add("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", __FILE__)
      .with_composite(flatten)
      .sample("f32[2,3,4], 1")
      .refuses("C1", "f32[2,3], 1, 0");
  r.add("aten::ravel(Tensor(a) self) -> Tensor(a)", __FILE__).with_composite(ravel).sample("f32[2,3]{1,2}");
}

}  // namespace ersatz::op_reshape

namespace ersatz::ops {

Tensor reshape(const Tensor& self, std::span<const SymInt> shape) {
  return call_op<"aten.reshape.default">(self, shape);
}
Tensor reshape_as(const Tensor& self, const Tensor& other) { return call_op<"aten.reshape_as.default">(self, other); }
Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  return call_op<"aten.flatten.using_ints">(self, start_dim, end_dim);
}
Tensor ravel(const Tensor& self) { return call_op<"aten.ravel.default">(self); }

}  // namespace ersatz::ops
