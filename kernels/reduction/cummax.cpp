#include "kernels/reduction/cummax.h"

#include "kernels/own_dtype.h"
#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_cummax {

Kernel run_cummax_cpu, run_cummin_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kCummax["self"]);
  call.wrap_dim(call.integer(kCummax["dim"]), self.dim());
  if (is_complex(self.dtype) && !call.device.is_meta() && self.dim() > 0 && size_ne(self.numel(), 0)) [[unlikely]] {
    call.require_dtype(self.dtype, kReals | kBool);
  }
  // PyTorch copies a 0-d tensor and compares no elements, so it accepts limited dtypes too.
  if (self.dim() == 0 && kLimitedDTypes.has(self.dtype)) call.require_dtype(self.dtype, kEveryDType);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
  call.out.fresh(TensorMeta(DType::I64, self.sizes, call.device));
}

// PyTorch checks the dtypes of the `out` arguments before it checks `dim`.
void out_rule(RuleCall& call) {
  const size_t values = call.args.size() - 2;
  require_own_dtype(call, values, call.meta(kCummax["self"]).dtype);
  require_own_dtype(call, values + 1, DType::I64);
  derived_out_rule(call);
}

void add(Registry& r, const std::string& name, FillKernel kernel) {
  OpEntry& op = r.add(kCummax.with(name))
                    .with_rule(rule)
                    .cpu(kernel)
                    .dtypes(kReals | kBool)
                    .sample("f32[2,3,4], 1")
                    .sample("i8[2,3]{1,2}, -1")
                    .refuses("", "c64[2], 0");
  r.add_out(op, "out", reduction_form(), {"values", "indices"}).with_rule(out_rule);
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "cummax", run_cummax_cpu);
  add(r, "cummin", run_cummin_cpu);
}

}  // namespace ersatz::op_cummax
