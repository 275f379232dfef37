#include "kernels/reduction/cumsum.h"

#include "kernels/own_dtype.h"
#include "kernels/reduction/sum_dtype.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_cumsum {

Kernel run_cumsum_cpu, run_cumprod_cpu;

namespace {

// Arguments: (self, dim, dtype).
void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kCumsum["self"]);
  call.wrap_dim(call.integer(kCumsum["dim"]), in.dim());
  const DType t = sum_dtype(call, kCumsum["dtype"]);
  // PyTorch copies a 0-d or empty tensor, so it accepts any dtype for these.
  if (kLimitedDTypes.has(t) && in.dim() == 0) call.require_dtype(t, kEveryDType);
  if (t == DType::Bool && in.dim() > 0 && size_ne(in.numel(), 0)) [[unlikely]] {
    call.require_dtype_first(t, kNumbers);
  }
  call.out.fresh(TensorMeta(t, in.sizes, call.device));
}

/// Checks that `out` has the given `dtype` before it checks whether that dtype has a kernel, as PyTorch does.
void out_rule(RuleCall& call) {
  call.wrap_dim(call.integer(kCumsum["dim"]), call.meta(kCumsum["self"]).dim());
  if (call.has(kCumsum["dtype"])) require_own_dtype(call, kCumsum.out(), call[kCumsum["dtype"]].as_dtype());
  WrittenForm form = call.op.form;
  // If the dtypes differ, the input is converted to a copy first, so self may overlap `out`.
  if (call.meta(kCumsum["self"]).dtype != call.meta(kCumsum.out()).dtype) form.may_overlap = form.own_elements = true;
  derived_out_rule(call, form);
}

void inplace_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kCumsum["self"]);
  call.wrap_dim(call.integer(kCumsum["dim"]), self.dim());
  call.require(!call.has(kCumsum["dtype"]) || call[kCumsum["dtype"]].as_dtype() == self.dtype, "C1",
               "in place, dtype must be that of self: it is {}, self is {}",
               name(call.has(kCumsum["dtype"]) ? call[kCumsum["dtype"]].as_dtype() : self.dtype), self);
  derived_inplace_rule(call);
}

void add(Registry& r, const std::string& name, FillKernel kernel) {
  OpEntry& op = r.add(kCumsum.with(name))
                    .with_rule(rule)
                    .cpu(kernel)
                    .dtypes(kAllDTypes)
                    .sample("f32[2,3,4], 1")
                    .sample("bool[5], 0")
                    .sample("bf16[2,3]{1,2}, -1, dtype=bf16")
                    .refuses("", "f32[3], 0, dtype=bool");
  if (name == "cumsum") op.tag(Tag::Core);
  r.add_out(op, "out", WrittenForm{.dtype_argument = kCumsum["dtype"]}).with_rule(out_rule);
  r.add_inplace(op, {.cast = WrittenCast::Any, .dtype_argument = kCumsum["dtype"]})
      .with_rule(inplace_rule)
      .refuses("C1", "f32[3], 0, dtype=i8");
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "cumsum", run_cumsum_cpu);
  add(r, "cumprod", run_cumprod_cpu);
}

}  // namespace ersatz::op_cumsum
