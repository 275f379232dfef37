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
  const TensorMeta& from = call.meta(kReshape["self"]);
  DimVec sizes;
  infer_size(call, call.ints(kReshape["shape"]), from.numel(), from, sizes);
  const Tensor self = call.tensor(kReshape["self"]);
  if (self.is_contiguous()) {
    call.returns(ops::view(self, call.ints(kReshape["shape"])));
  } else if (view_strides(from.sizes, from.strides, sizes)) {
    call.returns(ops::view(self, sizes));
  } else {
    call.returns(ops::unsafe_view(ops::clone(self, MemoryFormat::Contiguous), sizes));
  }
}

void reshape_as(CompositeCall& call) {
  call.returns(ops::reshape(call.tensor(kReshapeAs["self"]), call[kReshapeAs["other"]].tensor_impl()->meta.sizes));
}

void flatten(CompositeCall& call) {
  const TensorMeta& from = call.meta(kFlattenUsingInts["self"]);
  const int64_t start = call.wrap_dim(call.integer(kFlattenUsingInts["start_dim"]), from.dim());
  const int64_t end = call.wrap_dim(call.integer(kFlattenUsingInts["end_dim"]), from.dim());
  call.require(start <= end, "C1", "start_dim must not come after end_dim: {} vs {}", start, end);
  const Tensor self = call.tensor(kFlattenUsingInts["self"]);
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
  call.returns(ops::view(ops::contiguous(call.tensor(kRavel["self"])), {&all, 1}));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kReshape)
      .with_composite(reshape)
      .sample("f32[2,3], [3, 2]")
      .sample("f32[2,3]{1,2}, [-1]")
      .refuses("C1", "f32[2,3], [-1, -1]")
      .refuses("C2", "f32[2,3], [4]");
  r.add(kReshapeAs).with_composite(reshape_as).sample("f32[2,3], f32[6]");
  r.add(kFlattenUsingInts).with_composite(flatten).sample("f32[2,3,4], 1").refuses("C1", "f32[2,3], 1, 0");
  r.add(kRavel).with_composite(ravel).sample("f32[2,3]{1,2}");
}

}  // namespace ersatz::op_reshape
