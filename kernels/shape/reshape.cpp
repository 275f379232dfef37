#include "kernels/shape/reshape.h"

#include "kernels/shape/clone.h"
#include "kernels/shape/composite_call.h"
#include "kernels/shape/infer_size.h"
#include "kernels/shape/view.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"

namespace ersatz::op_reshape {
namespace {

void reshape(std::span<const Value> args, Values& results) {
  static const OpEntry& op = op_named("aten.reshape.default");
  const CompositeCall call(op, args);
  const TensorMeta& from = call->meta(0);
  DimVec sizes;
  infer_size(*call, call->ints(1), from.numel(), from, sizes);
  const Tensor self = args[0].tensor();
  if (view_strides(from.sizes, from.strides, sizes)) {
    results.push_back(ops::view(self, sizes));
  } else {
    results.push_back(ops::unsafe_view(ops::clone(self, MemoryFormat::Contiguous), sizes));
  }
}

void reshape_as(std::span<const Value> args, Values& results) {
  results.push_back(ops::reshape(args[0].tensor(), args[1].tensor_impl()->meta.sizes));
}

void flatten(std::span<const Value> args, Values& results) {
  static const OpEntry& op = op_named("aten.flatten.using_ints");
  const CompositeCall call(op, args);
  const TensorMeta& from = call->meta(0);
  const int64_t start = call->wrap_dim(call->integer(1), from.dim());
  const int64_t end = call->wrap_dim(call->integer(2), from.dim());
  call->require(start <= end, "C1", "start_dim must not come after end_dim: {} vs {}", start, end);
  const Tensor self = args[0].tensor();
  if (from.dim() == 0) {
    const SymInt one = 1;
    results.push_back(ops::reshape(self, {&one, 1}));
    return;
  }
  if (start == end) {
    results.push_back(self);
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
  results.push_back(ops::reshape(self, sizes));
}

void ravel(std::span<const Value> args, Values& results) {
  const SymInt all = -1;
  results.push_back(ops::view(ops::contiguous(args[0].tensor()), {&all, 1}));
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
  static const OpEntry& op = op_named("aten.reshape.default");
  return call_op(op, self, shape);
}
Tensor reshape_as(const Tensor& self, const Tensor& other) {
  static const OpEntry& op = op_named("aten.reshape_as.default");
  return call_op(op, self, other);
}
Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  static const OpEntry& op = op_named("aten.flatten.using_ints");
  return call_op(op, self, start_dim, end_dim);
}
Tensor ravel(const Tensor& self) {
  static const OpEntry& op = op_named("aten.ravel.default");
  return call_op(op, self);
}

}  // namespace ersatz::ops
