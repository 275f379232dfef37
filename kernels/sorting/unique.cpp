#include "kernels/sorting/unique.h"

#include "runtime/dispatch.h"
#include "runtime/meta_text.h"

namespace ersatz::op_unique {

void elements_cpu(KernelCall& call, Values& results);
void slices_cpu(KernelCall& call, Values& results);

namespace {

// Both name no output: how many different ones there are only the kernel can tell.
void elements_rule(RuleCall& call) { call.require_dtype(call.meta(0).dtype, kReals | kBool); }

void slices_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(0);
  const int64_t dim = call.wrap_dim(call.integer(1), self.dim());
  call.require_index(self.dim() > 0, "C1", "expects a tensor with dims: self is {}", self);
  for (int64_t d = 0; d < self.dim(); ++d) {
    call.require(d == dim || guard_ne(self.sizes[static_cast<size_t>(d)], 0), "C2",
                 "no dim but {} may have size 0: self is {}", dim, self);
  }
  call.require_dtype(self.dtype, kReals | kBool);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(
       "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> "
       "(Tensor, Tensor, Tensor)",
       __FILE__)
      .tag(Tag::DataDependent)
      .with_rule(elements_rule)
      .cpu_returns(elements_cpu)
      .sample("i64[4,5], True, True, True", 0, 4)
      .sample("f32[6]", 0, 3)
      .refuses("", "c64[2]");
  r.add(
       "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) "
       "-> (Tensor, Tensor, Tensor)",
       __FILE__)
      .tag(Tag::DataDependent)
      .with_rule(slices_rule)
      .cpu_returns(slices_cpu)
      .sample("i64[6,2], 0", 0, 1)
      .sample("f32[2,6], 1", 0, 1)
      .refuses("C1", "f32[], 0")
      .refuses("C2", "f32[2,0], 0");
}

}  // namespace ersatz::op_unique

namespace ersatz::ops {

UniqueResult unique(const Tensor& self, bool return_inverse, bool return_counts) {
  Values r = call_op_all<"aten._unique2.default">(self, true, return_inverse, return_counts);
  return {r[0].take_tensor(), r[1].take_tensor(), r[2].take_tensor()};
}
UniqueResult unique_dim(const Tensor& self, int64_t dim) {
  Values r = call_op_all<"aten.unique_dim.default">(self, dim, true, true, true);
  return {r[0].take_tensor(), r[1].take_tensor(), r[2].take_tensor()};
}

}  // namespace ersatz::ops
