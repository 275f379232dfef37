#include "kernels/reduction/powsum.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/reduce_dims.h"
#include "kernels/shape/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_powsum {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kPowsum["self"]);
  const DType dtype = call.has(kPowsum["dtype"]) ? call[kPowsum["dtype"]].as_dtype() : in.dtype;
  call.require(!is_complex(in.dtype) || kFloatsAndComplexes.has(dtype), "C3",
               "dtype must be a floating or complex one: input is {}, dtype is {}", in, name(dtype));
  call.require_dtype(dtype, kFloatsAndComplexes);
  call.require(call.scalar(kPowsum["ord"]).to_complex().imag() == 0, "C2", "ord must be a real number: input is {}",
               in);
  const DimMask mask = reduced_dims(call, kPowsum["dim"], in.dim(), "C1");
  call.out.fresh(reduced_meta(in, mask, call.boolean(kPowsum["keepdim"]), real_dtype(dtype), call.device));
}

void run(KernelCall& call) {
  const Tensor self = call.tensor(kPowsum["self"]), &out = call.outputs[0];
  const DType wide = out.dtype() == DType::F64 ? DType::F64 : DType::F32;
  const Tensor size = ops::abs(is_complex(self.dtype()) ? self : ops::to(self, wide));
  const Tensor powers = ops::pow(ops::to(size, wide), Scalar(call.scalar(kPowsum["ord"]).to_complex().real()));
  ops::copy_(out,
             call_op<"aten.sum.dim_IntList">(powers, call[kPowsum["dim"]], call.boolean(kPowsum["keepdim"]), Value()));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kPowsum)
      .with_rule(rule)
      .every_device(run)
      .sample("f32[2,3,4]")
      .sample("f64[2,3,4]{1,8,2}, 1, [1], True")
      .sample("c64[5], 3.5")
      .sample("bf16[3,4], 0, [0], dtype=f32")
      .refuses("C1", "f32[2,3], 2, [0, 0]")
      .refuses("C2", "f32[2,3], (1+2j)")
      .refuses("C3", "c64[2,3], 2, [1], dtype=i64")
      .refuses("", "i64[2,3]");
}

}  // namespace ersatz::op_powsum
