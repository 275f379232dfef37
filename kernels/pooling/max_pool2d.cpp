#include "kernels/pooling/max_pool2d.h"

#include "kernels/kernel_dtype.h"
#include "kernels/pooling/pooled_form.h"
#include "kernels/pooling/window.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_max_pool2d {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  Window2d w;
  read_window(call, w, "C1");
  read_pair(call, kMaxPool2dWithIndices["dilation"], w.dilation, "C1");
  const TensorMeta& out =
      call.out.fresh(pooled_meta(call, w, call.boolean(kMaxPool2dWithIndices["ceil_mode"]), "C2", "C3", "C4"));
  const TensorMeta& in = call.meta(kMaxPool2dWithIndices["self"]);
  if (in.dim() == 4 && size_ne(in.sizes[0], 0) && suggest_memory_format(in) != MemoryFormat::Contiguous) {
    call.require(!overflows_index(call, in.sizes[2] * in.sizes[3]), "C5",
                 "a channels-last image may have no more points than its dtype counts: input is {}", in);
  }
  TensorMeta indices = out;
  indices.dtype = DType::I64;
  call.out.fresh(std::move(indices));
  require_kernel_dtype(call, in.dtype, call.out.outputs[0].meta);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kMaxPool2dWithIndices)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kReals)
                    .dtypes_on_cuda(kFloats)
                    .sample("f32[2,3,7,8], [3, 3], [2, 2], [1, 1]")
                    .sample("f32[2,3,7,8]{168,1,24,3}, [3, 2]")
                    .sample("i64[3,7,8], [2], [1], [0], [2], True")
                    .refuses("C1", "f32[2,3,7,8], [2, 2, 2]")
                    .refuses("C2", "f32[2,3,7,8], [2, 2], [2, 2], [2, 2]")
                    .refuses("C3", "f32[7,8], [2, 2]")
                    .refuses("C4", "f32[2,3,2,8], [3, 3]")
                    .refuses("C5", "i8[1,3,12,12]{432,1,36,3}, [2]");
  r.add_out(op, "out", kPooledImageForm, {"out", "indices"});
}

}  // namespace ersatz::op_max_pool2d
