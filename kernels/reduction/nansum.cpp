#include "kernels/reduction/nansum.h"

#include "kernels/own_dtype.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/reduce_dims.h"
#include "kernels/reduction/sum_dtype.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_nansum {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kNansum["self"]);
  const DimMask mask = reduced_dims(call, kNansum["dim"], in.dim(), "C1", DimChecks::InTurn);
  // PyTorch converts f8, u16, u32 and u64 inputs if `dtype` is given, so it accepts them.
  const bool converted = call.has(kNansum["dtype"]) && (kFloat8s | kWideUnsigned).has(in.dtype);
  if (!call.device.is_meta() && !converted) {
    if (kLimitedDTypes.has(in.dtype)) {
      call.require_dtype(in.dtype, kReals | kBool);
    } else {
      call.require_dtype_first(in.dtype, kReals | kBool);
    }
  }
  const DType t = sum_dtype(call, kNansum["dtype"]);
  if (kLimitedDTypes.has(t)) call.require_dtype(t, kReals | kBool);
  if (is_complex(t) && is_float(in.dtype) && size_ne(in.numel(), 0)) [[unlikely]] {
    call.require_dtype(t, kReals | kBool);
  }
  call.out.fresh(reduced_meta(in, mask, call.boolean(kNansum["keepdim"]), t, call.device));
}

/// Makes the checks in PyTorch's order. Complex inputs are refused first. If floats are summed as floats of a given
/// `dtype`, the dtype of `out` is checked before the dims; in other cases after the dims. Without `dtype`, floats are
/// summed in the dtype of `out`, which must be a float unless the input is empty.
void out_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kNansum["self"]);
  if (is_complex(in.dtype) && !call.device.is_meta()) call.require_dtype_first(in.dtype, kReals | kBool);
  const std::optional<DType> asked =
      call.has(kNansum["dtype"]) ? std::optional(call[kNansum["dtype"]].as_dtype()) : std::nullopt;
  const bool of_floats = is_float(in.dtype) && asked && !is_integral(*asked);
  if (of_floats) require_own_dtype(call, kNansum.out(), *asked);
  // Integers are passed to `at::sum_out`.
  reduced_dims(call, kNansum["dim"], in.dim(), "C1",
               is_integral(in.dtype) ? DimChecks::RangesFirst : DimChecks::InTurn);
  if (asked && !of_floats) require_own_dtype(call, kNansum.out(), *asked);
  if (is_float(in.dtype) && !call.has(kNansum["dtype"]) && size_ne(in.numel(), 0))
    call.require_dtype(call.meta(kNansum.out()).dtype, kFloats);
  derived_out_rule(call);
  if (!is_float(in.dtype)) require_dims_after_resize(call, kNansum["dim"]);
}

void require_mean(const CompositeCall& call) {
  call.require_dtype(call.meta(kNanmean["self"]).dtype, kFloatsAndComplexes | kFloat8s);
  call.require(
      !call.has(kNanmean["dtype"]) || kFloatsAndComplexes.has(call[kNanmean["dtype"]].as_dtype()), "C1",
      "dtype must be a float or complex: it is {}",
      name(call.has(kNanmean["dtype"]) ? call[kNanmean["dtype"]].as_dtype() : call.meta(kNanmean["self"]).dtype));
}

/// Returns the number of elements that are not NaN.
Tensor counted(const CompositeCall& call) {
  const Tensor self = call.tensor(kNanmean["self"]);
  return call_op<"aten.sum.dim_IntList">(ops::eq(self, self), call[kNanmean["dim"]], call[kNanmean["keepdim"]],
                                         Value());
}

void nanmean(CompositeCall& call) {
  require_mean(call);
  const Tensor total = call_op<"aten.nansum.default">(call.tensor(kNanmean["self"]), call[kNanmean["dim"]],
                                                      call[kNanmean["keepdim"]], call[kNanmean["dtype"]]);
  call.returns(ops::div(total, counted(call)));
}
void nanmean_out(CompositeCall& call) {
  require_mean(call);
  const Tensor out = call.tensor(kNanmean.out());
  call_op<"aten.nansum.out">(call.tensor(kNanmean["self"]), call[kNanmean["dim"]], call[kNanmean["keepdim"]],
                             call[kNanmean["dtype"]], out);
  call_op<"aten.div_.Tensor">(out, counted(call));
  call.returns(call[kNanmean.out()]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& sum = r.add(kNansum)
                     .with_rule(rule)
                     .cpu(run_cpu)
                     .dtypes(kReals | kBool)
                     .sample("f32[2,3,4], [1]")
                     .sample("i8[2,3]{1,2}, None, True")
                     .sample("f16[2,3], dtype=f32")
                     .refuses("C1", "f32[2,3], [0, 0]")
                     .refuses("", "c64[2]");
  r.add_out(sum, "out", reduction_form(WrittenCast::Own, kNansum["dtype"])).with_rule(out_rule);
  OpEntry& mean = r.add(kNanmean)
                      .with_composite(nanmean)
                      .dtypes(kFloats)
                      .sample("f32[2,3,4], [1]")
                      .refuses("C1", "f32[2], dtype=i64")
                      .refuses("", "i64[2]");
  r.add_out_alike(mean, "out")
      .with_composite(nanmean_out)
      .sample("f32[2,3], out=f32[0]")
      .refuses("", "i64[2], out=f32[]");
}

}  // namespace ersatz::op_nansum
