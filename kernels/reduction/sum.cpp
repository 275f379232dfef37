#include "kernels/reduction/sum.h"

#include <algorithm>
#include <vector>

#include "kernels/reduction/reduce_dims.h"
#include "kernels/reduction/sum_dtype.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_sum {

Kernel run_cpu, run_dims_cpu;

namespace {

/// Accepts float8 on the CPU if at::sum computes it. at::sum adds float8 numbers (in f32) if TensorIterator cannot
/// merge the reduced dims into one. If it can, PyTorch has no loop for float8.
void require_sum(const RuleCall& call, const TensorMeta& in, DimMask mask, DType t) {
  if (!kFloat8s.has(t) || is_packed(in.dtype) || !call.device.is_cpu()) return;
  const DimVec strides = in.dtype == t ? in.strides : preserved_strides(in.sizes, in.strides);
  std::vector<std::pair<SymInt, SymInt>> dims;  // strides and sizes
  for (size_t d = 0; d < in.sizes.size(); ++d) {
    if (reduces(mask, d) && size_ne(in.sizes[d], 1)) dims.emplace_back(strides[d], in.sizes[d]);
  }
  std::ranges::stable_sort(dims, [](const auto& a, const auto& b) { return size_lt(a.first, b.first); });
  bool several = false;
  for (size_t d = 1; d < dims.size(); ++d) several |= size_ne(dims[d - 1].first * dims[d - 1].second, dims[d].first);
  if (several) call.require_dtype(t, kEveryDType);
}

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kSum["self"]);
  const DType dtype = sum_dtype(call, kSum["dtype"]);
  require_sum(call, in, kAllDims, dtype);
  call.out.fresh(reduced_meta(in, kAllDims, false, dtype, call.device));
}

void dims_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kSumDimIntList["self"]);
  const DimMask mask = reduced_dims(call, kSumDimIntList["dim"], in.dim(), "C1");
  const DType dtype = sum_dtype(call, kSumDimIntList["dtype"]);
  require_sum(call, in, mask, dtype);
  call.out.fresh(reduced_meta(in, mask, call.boolean(kSumDimIntList["keepdim"]), dtype, call.device));
}

/// Returns the sum of self over the leading dims that `size` does not have, and over dims that have size 1 in `size`.
void sum_to_size(CompositeCall& call) {
  const Tensor self = call.tensor(kSumToSize["self"]);
  const auto target = call.ints(kSumToSize["size"]), sizes = self.sizes();
  bool fit = target.size() <= sizes.size();
  const size_t leading = fit ? sizes.size() - target.size() : 0;
  for (size_t d = leading; fit && d < sizes.size(); ++d) {
    fit = stretches_to(target[d - leading], sizes[d]);
  }
  call.require(fit, "C1", "size {} must expand to the sizes of self: it is {}", target, self.meta());
  if (target.empty()) return call.returns(ops::sum(self));
  DimVec dims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool summed = d < leading || (size_eq(target[d - leading], 1) && size_ne(sizes[d], 1));
    if (summed) dims.push_back(static_cast<int64_t>(d));
  }
  if (dims.empty()) return call.returns(call[kSumToSize["self"]]);
  const Tensor total = ops::sum(self, dims, true);
  call.returns(leading > 0 ? ops::view(total, target) : total);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& all = r.add(kSum)
                     .with_rule(rule)
                     .cpu(run_cpu)
                     .dtypes(kAllDTypes)
                     .sample("f32[2,3,4]")
                     .sample("bool[5]")
                     .sample("f16[3,4]{1,3}, dtype=f32");
  r.add_out(all, "out", kGeneratedForm);
  OpEntry& dims = r.add(kSumDimIntList)
                      .tag(Tag::Core)
                      .with_rule(dims_rule)
                      .cpu(run_dims_cpu)
                      .dtypes(kAllDTypes)
                      .sample("f32[2,3,4], [1]")
                      .sample("f32[2,3,4]{1,8,2}, [0, -1], True")
                      .sample("i32[2,0,4], None")
                      .refuses("C1", "f32[2,3], [0, 0]");
  r.add_out(dims, "IntList_out", reduction_form(WrittenCast::Own, kSumDimIntList["dtype"]))
      .with_rule(out_rule_after_resize<kSumDimIntList>);
  r.add(kSumToSize)
      .with_composite(sum_to_size)
      .dtypes(kAllDTypes)
      .sample("f32[2,3,4], [3,1]")
      .sample("f32[2,3], [2,3]")
      .refuses("C1", "f32[2,3], [2]");
}

}  // namespace ersatz::op_sum
