#include "kernels/reduction/logsumexp.h"

#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_logsumexp {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kLogsumexp["self"]);
  // If `dim` is an empty list, at::logsumexp reduces all dims and keeps them with size 1. If keepdim is false, it then
  // fails, unless self is 0-d or empty.
  call.require(!call.ints(kLogsumexp["dim"]).empty() || in.dim() == 0 || call.boolean(kLogsumexp["keepdim"]) ||
                   size_eq(in.numel(), 0),
               "C1", "dim must name at least one dim, or keepdim be true: input is {}", in);
  const DimMask mask = reduced_dims(call, kLogsumexp["dim"], in.dim(), "C1");
  const DType t = is_integral(in.dtype) ? call.context.default_dtype : in.dtype;
  call.out.fresh(reduced_meta(in, mask, call.boolean(kLogsumexp["keepdim"]), t, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLogsumexp)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kAllDTypes)
                    .sample("f32[2,3,4], [1]")
                    .sample("f64[2,3,4]{1,8,2}, [0, -1], True")
                    .sample("i32[5], [0]")
                    .sample("f32[2,3], [], True")
                    .refuses("C1", "f32[2,3], [0, 0]")
                    .refuses("C1", "f32[2,3], []");
  r.add_out(op, "out", WrittenForm{.cast = WrittenCast::Floating, .row_major = true}).cpu(run_cpu);
}

}  // namespace ersatz::op_logsumexp
