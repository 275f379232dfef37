#include "kernels/pooling/avg_pool2d.h"

#include "kernels/kernel_dtype.h"
#include "kernels/pooling/pooled_form.h"
#include "kernels/pooling/window.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_avg_pool2d {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  Window2d w;
  read_window(call, w, "C1");
  call.require(!call.has(kAvgPool2d["divisor_override"]) || check_ne(call.sym(kAvgPool2d["divisor_override"]), 0), "C2",
               "divisor_override must not be zero");
  call.require_index(call.meta(kAvgPool2d["self"]).dim() >= 3, "C3",
                     "the input must have at least three dims, it is {}", call.meta(kAvgPool2d["self"]));
  const TensorMeta& out = call.out.fresh(pooled_meta(call, w, call.boolean(kAvgPool2d["ceil_mode"]), "C2", "C3", "C4"));
  require_kernel_dtype(call, out.dtype, out);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kAvgPool2d)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloats | DTypeSet{DType::I64})
                    .dtypes_on_cuda(kFloats)
                    .sample("f32[2,3,7,8], [3, 3], [2, 2], [1, 1]")
                    .sample("f32[2,3,7,8]{168,1,24,3}, [3, 2], [], [0], False, False")
                    .sample("f64[3,7,8], [2], [3], [1], True, False, 3")
                    .refuses("C1", "f32[2,3,7,8], [2, 2, 2]")
                    .refuses("C2", "f32[2,3,7,8], [2, 2], [], [0], False, True, 0")
                    .refuses("C3", "f32[7,8], [2, 2]")
                    .refuses("C4", "f32[2,3,2,8], [3, 3]");
  r.add_out(op, "out", kPooledImageForm);
}

}  // namespace ersatz::op_avg_pool2d
