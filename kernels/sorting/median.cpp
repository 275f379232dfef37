#include "kernels/sorting/median.h"

#include "kernels/sorting/selection_rule.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_median {

Kernel run_median_cpu, run_nanmedian_cpu, run_median_dim_cpu, run_nanmedian_dim_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kMedian["self"]);
  if (!kReals.has(self.dtype) && !call.device.is_meta() && size_ne(self.numel(), 0)) [[unlikely]] {
    call.require_dtype(self.dtype, kReals);
  }
  call.out.fresh(reduced_meta(self, kAllDims, false, self.dtype, call.device));
}

void dim_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kMedianDim["self"]);
  const DimMask mask = reduced_dim(call, kMedianDim["dim"], self.dim());
  require_nonempty(call, self, mask, "C1");
  if (!call.device.is_meta()) call.require_dtype(self.dtype, kReals);
  add_selection(call, mask, call.boolean(kMedianDim["keepdim"]));
}

void add(Registry& r, const std::string& name, FillKernel whole_kernel, FillKernel dim_kernel) {
  OpEntry& whole = r.add(kMedian.with(name))
                       .with_rule(rule)
                       .cpu(whole_kernel)
                       .dtypes(kReals)
                       .sample("f32[2,3]")
                       .sample("i64[5]{2}")
                       .refuses("", "bool[3]");
  r.add_out(whole, "out", kGeneratedForm);
  OpEntry& dim = r.add(kMedianDim.with(name))
                     .tag(kTiesByDevice)
                     .with_rule(dim_rule)
                     .cpu(dim_kernel)
                     .dtypes(kReals)
                     .sample("f32[2,3,4], 1")
                     .sample("bf16[2,3,4]{1,8,2}, -1, True")
                     .refuses("C1", "f32[2,0], 1");
  r.add_out(dim, "dim_values", std::nullopt, {"values", "indices"});
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "median", run_median_cpu, run_median_dim_cpu);
  add(r, "nanmedian", run_nanmedian_cpu, run_nanmedian_dim_cpu);
}

}  // namespace ersatz::op_median
