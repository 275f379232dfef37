#include "kernels/shape/flip.h"

#include "kernels/no_flops.h"
#include "kernels/shape/copy_flipped.h"
#include "kernels/shape/dim_set.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_flip {
namespace {

/// Whether `dims` has the dim with the smallest stride. at::flip loops over this dim; if it is not reversed, at::flip
/// can move elements of any dtype.
bool reverses_densest(const TensorMeta& self, const DimSet& dims) {
  int64_t densest = -1;
  for (int64_t d = self.dim(); d-- > 0;) {
    const auto at = static_cast<size_t>(d);
    if (size_eq(self.sizes[at], 1)) continue;
    if (densest < 0 || size_lt(self.strides[at], self.strides[static_cast<size_t>(densest)])) densest = d;
  }
  return densest >= 0 && dims.has(densest);
}

}  // namespace

void require_reversible(const RuleCall& call, const TensorMeta& self, const DimSet& dims) {
  if (!kLimitedDTypes.has(self.dtype)) [[likely]]
    return;
  const DTypeSet reversed = call.device.is_cuda() ? kLimitedDTypes.without(kFloat4s) : kWideUnsigned;
  const DTypeSet copied = reversed | (reverses_densest(self, dims) ? DTypeSet() : kLimitedDTypes);
  call.require_dtype(self.dtype, kAllDTypes | copied);
}

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kFlip["self"]);
  call.require(self.dim() <= 64, "C2", "at most 64 dims can be reversed, self has {}", self.dim());
  DimSet seen;
  for (SymInt d : call.ints(kFlip["dims"])) {
    const int64_t dim = call.wrap_dim(d.guard_int(), self.dim());
    call.require(seen.insert(dim), "C1", "dim {} is there more than once in {}: self is {}", dim,
                 call.ints(kFlip["dims"]), self);
  }
  require_reversible(call, self, seen);
  answer_like(call, self);
}

void run(KernelCall& call) {
  const Tensor self = call.tensor(kFlip["self"]);
  DimSet dims;
  for (int64_t d : call.ints(kFlip["dims"])) dims.insert(d < 0 ? d + std::max<int64_t>(self.dim(), 1) : d);
  copy_flipped(call.outputs[0], self, dims);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& flip = r.add(kFlip)
                      .tag(Tag::Core)
                      .with_rule(rule)
                      .count_flops(no_flops)
                      .every_device(run)
                      .sample("f32[2,3], [0]")
                      .sample("i64[2,3,4], [0, -1]")
                      .sample("bool[4], []")
                      .refuses("C1", "f32[2,3], [1, -1]")
                      .refuses("dim", "f32[2,3], [2]");
  r.add_out(flip, "out", kGeneratedForm);
}

}  // namespace ersatz::op_flip
