#include "kernels/reduction/nansum.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/out_dtype.h"
#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_nansum {

void run_cpu(KernelCall& call);

namespace {

// (self, dim, keepdim, dtype)
void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(0);
  const DimMask mask = reduced_dims(call, 1, in.dim(), "C1");
  if (!call.device.is_meta()) call.require_dtype(in.dtype, kReals | kBool);
  const DType t = call.has(3) ? call.args[3].as_dtype() : is_integral(in.dtype) ? DType::I64 : in.dtype;
  if (is_complex(t) && is_float(in.dtype) && guard_ne(in.numel(), 0)) [[unlikely]] {
    call.require_dtype(t, kReals | kBool);
  }
  call.out.fresh(reduced_meta(in, mask, call.boolean(2), t, call.device));
}

/// Floats are summed in the dtype of `out`, which has to be one.
void out_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(0);
  if (is_float(in.dtype) && !call.has(3)) call.require_dtype(call.meta(4).dtype, kFloats);
  rule_by_out_dtype<3, reduction_out_rule<ReductionCast::None>>(call);
}

void require_mean(const CompositeCall& call) {
  call.require_dtype(call.meta(0).dtype, kFloatsAndComplexes);
  call.require(!call.has(3) || kFloatsAndComplexes.has(call.args[3].as_dtype()), "C1",
               "dtype must be a float or complex: it is {}",
               name(call.has(3) ? call.args[3].as_dtype() : call.meta(0).dtype));
}

/// How many elements are no NaN.
Tensor counted(const CompositeCall& call) {
  const Tensor self = call.tensor(0);
  return call_op<"aten.sum.dim_IntList">(ops::eq(self, self), call.args[1], call.args[2], Value());
}

void nanmean(CompositeCall& call) {
  require_mean(call);
  const Tensor total = call_op<"aten.nansum.default">(call.tensor(0), call.args[1], call.args[2], call.args[3]);
  call.returns(ops::div(total, counted(call)));
}
void nanmean_out(CompositeCall& call) {
  require_mean(call);
  const Tensor out = call.tensor(4);
  call_op<"aten.nansum.out">(call.tensor(0), call.args[1], call.args[2], call.args[3], out);
  call_op<"aten.div_.Tensor">(out, counted(call));
  call.returns(call.args[4]);
}

}  // namespace

void register_ops(Registry& r) {
  const std::string arguments = "(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None";
  OpEntry& sum = r.add("aten::nansum" + arguments + ") -> Tensor", __FILE__)
                     .with_rule(rule)
                     .cpu(run_cpu)
                     .dtypes(kReals | kBool)
                     .sample("f32[2,3,4], [1]")
                     .sample("i8[2,3]{1,2}, None, True")
                     .sample("f16[2,3], dtype=f32")
                     .refuses("C1", "f32[2,3], [0, 0]")
                     .refuses("", "c64[2]");
  OpEntry& out = r.add_out(sum, "out");
  compute_in_dtype_of_out<3>(out);
  out.with_rule(out_rule);
  r.add("aten::nanmean" + arguments + ") -> Tensor", __FILE__)
      .with_composite(nanmean)
      .dtypes(kFloats)
      .sample("f32[2,3,4], [1]")
      .refuses("C1", "f32[2], dtype=i64")
      .refuses("", "i64[2]");
  r.add("aten::nanmean.out" + arguments + ", Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_composite(nanmean_out)
      .dtypes(kFloats)
      .sample("f32[2,3], out=f32[0]")
      .refuses("", "i64[2], out=f32[]");
}

}  // namespace ersatz::op_nansum

namespace ersatz::ops {

Tensor nansum(const Tensor& self, std::span<const SymInt> dim, bool keepdim, std::optional<DType> dtype) {
  return call_op<"aten.nansum.default">(self, dim, keepdim, dtype);
}
Tensor nanmean(const Tensor& self, std::span<const SymInt> dim, bool keepdim, std::optional<DType> dtype) {
  return call_op<"aten.nanmean.default">(self, dim, keepdim, dtype);
}

}  // namespace ersatz::ops
