#include "kernels/pooling/adaptive_avg_pool2d.h"

#include "runtime/dispatch.h"
#include "runtime/layout.h"
#include "runtime/meta_text.h"

namespace ersatz::op_adaptive_avg_pool2d {

void run_cpu(KernelCall& call);

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(0);
  const auto size = call.ints(1);
  call.require(size.size() == 2 && guard_ge(size[0], 0) && guard_ge(size[1], 0), "C1",
               "output_size must be two sizes that are not negative, it is {}", size);
  const size_t rank = in.sizes.size();
  call.require((rank == 3 || rank == 4) && guard_ne(in.sizes[rank - 2], 0) && guard_ne(in.sizes[rank - 1], 0), "C2",
               "input must be 3-d or 4-d with a height and a width that are not empty, it is {}", in);
  TensorMeta& out = call.out.fresh(TensorMeta());
  out.dtype = in.dtype;
  out.device = call.device;
  out.sizes = in.sizes;
  out.sizes[rank - 2] = size[0];
  out.sizes[rank - 1] = size[1];
  out.strides = rank == 4 ? strides_for(out.sizes, suggest_memory_format(in)) : contiguous_strides(out.sizes);
  if (!kFloats.has(in.dtype) && !call.device.is_meta() && guard_ne(out.numel(), 0)) [[unlikely]] {
    call.require_dtype(in.dtype, kFloats);
  }
}

}  // namespace

void register_ops(Registry& r) {
  for (const char* name : {"_adaptive_avg_pool2d", "adaptive_avg_pool2d"}) {
    OpEntry& op = r.add(std::string("aten::") + name + "(Tensor self, SymInt[2] output_size) -> Tensor", __FILE__)
                      .with_rule(rule)
                      .cpu(run_cpu)
                      .dtypes(kFloats)
                      .sample("f32[2,3,7,8], [3, 5]")
                      .sample("f32[2,3,7,8]{168,1,24,3}, [1, 1]")
                      .sample("bf16[3,4,4], [6, 2]")
                      .refuses("C1", "f32[2,3,7,8], [3, -1]")
                      .refuses("C2", "f32[7,8], [2, 2]");
    if (name[0] == '_') op.tag(Tag::Core);
    r.add_out(op, "out", name[0] == '_' ? kGeneratedForm : WrittenForm());
  }
}

}  // namespace ersatz::op_adaptive_avg_pool2d

namespace ersatz::ops {

Tensor adaptive_avg_pool2d(const Tensor& self, std::span<const SymInt> output_size) {
  return call_op<"aten.adaptive_avg_pool2d.default">(self, output_size);
}

}  // namespace ersatz::ops
