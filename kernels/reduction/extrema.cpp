#include "kernels/reduction/extrema.h"

#include "kernels/reduction/reduce_dims.h"
#include "runtime/dispatch.h"

namespace ersatz::op_extrema {

void run_amax_cpu(KernelCall& call);
void run_amin_cpu(KernelCall& call);

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(0);
  const DimMask mask = reduced_dims(call, 1, in.dim(), "C1");
  if (mask == kAllDims) {
    call.require(guard_ne(in.numel(), 0), "C2", "the largest or smallest of nothing is asked: input is {}", in);
  } else {
    require_nonempty(call, in, mask, "C2");
  }
  const TensorMeta& out = call.out.fresh(reduced_meta(in, mask, call.boolean(2), in.dtype, call.device));
  if (is_complex(in.dtype) && !call.device.is_meta() && guard_ne(out.numel(), 0)) [[unlikely]] {
    call.require_dtype(in.dtype, kReals | kBool);
  }
}

void add(Registry& r, const char* functional, FillKernel kernel) {
  OpEntry& op = r.add(functional, __FILE__)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(kernel)
                    .dtypes(kReals | kBool)
                    .sample("f32[2,3,4], [1]")
                    .sample("i8[2,3,4]{1,8,2}, [0, -1], True")
                    .sample("bool[5]")
                    .refuses("C1", "f32[2,3], [0, 0]")
                    .refuses("C2", "f32[2,0], [1]");
  r.add_out(op, "out");
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", run_amax_cpu);
  add(r, "aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", run_amin_cpu);
}

}  // namespace ersatz::op_extrema

namespace ersatz::ops {

Tensor amax(const Tensor& self, std::span<const SymInt> dim, bool keepdim) {
  return call_op<"aten.amax.default">(self, dim, keepdim);
}

Tensor amin(const Tensor& self, std::span<const SymInt> dim, bool keepdim) {
  return call_op<"aten.amin.default">(self, dim, keepdim);
}

}  // namespace ersatz::ops
