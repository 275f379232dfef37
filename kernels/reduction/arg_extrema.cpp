#include "kernels/reduction/arg_extrema.h"

#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_arg_extrema {

Kernel run_argmax_cpu, run_argmin_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kEach["self"]);
  if (is_complex(in.dtype)) call.refuse(ErrorFamily::Type, "C2", "complex numbers have no order: input is {}", in);
  // Along a dim of size 1 each index is 0. PyTorch compares no elements, so it accepts limited dtypes too.
  const bool of_one = kLimitedDTypes.has(in.dtype) && call.has(kEach["dim"]) && in.dim() > 0 &&
                      size_eq(in.sizes[static_cast<size_t>(call.wrap_dim(call.integer(kEach["dim"]), in.dim()))], 1);
  if (kLimitedDTypes.has(in.dtype)) {
    call.require_dtype(in.dtype, of_one ? kLimitedDTypes : DTypeSet());
  } else {
    call.require_dtype_first(in.dtype, kReals);
  }
  const DimMask mask = call.has(kEach["dim"]) ? reduced_dim(call, kEach["dim"], in.dim()) : kAllDims;
  require_nonempty(call, in, mask, "C1");
  call.out.fresh(reduced_meta(in, mask, call.boolean(kEach["keepdim"]), DType::I64, call.device));
}

void add(Registry& r, Schema functional, FillKernel kernel) {
  OpEntry& op = r.add(functional)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(kernel)
                    .dtypes(kReals)
                    .sample("f32[2,3,4]")
                    .sample("i16[2,3,4]{1,8,2}, 1, True")
                    .refuses("C1", "f32[2,0], 1")
                    .refuses("C2", "c64[2,3]");
  r.add_out(op, "out", reduction_form()).with_rule(out_rule_after_resize<kEach>);
}

}  // namespace

void register_ops(Registry& r) {
  add(r, kArgmax, run_argmax_cpu);
  add(r, kArgmin, run_argmin_cpu);
}

}  // namespace ersatz::op_arg_extrema
