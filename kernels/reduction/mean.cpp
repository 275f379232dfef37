#include "kernels/reduction/mean.h"

#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_mean {

Kernel run_cpu, run_dims_cpu;

namespace {

void add_output(RuleCall& call, DimMask mask, bool keepdim, Position dtype_argument) {
  const TensorMeta& in = call.meta(kEach["self"]);
  const DType t = call.has(dtype_argument) ? call.args[dtype_argument].as_dtype() : in.dtype;
  call.require_dtype(t, kFloatsAndComplexes);
  call.out.fresh(reduced_meta(in, mask, keepdim, t, call.device));
}

void rule(RuleCall& call) { add_output(call, kAllDims, false, kMean["dtype"]); }

/// PyTorch divides the sum in place, so it first checks that `out` can hold the input's dtype, then the mean's dtype.
void whole_out_rule(RuleCall& call) {
  const TensorMeta &in = call.meta(kMean["self"]), &out = call.meta(kMean.out());
  call.require(can_cast(in.dtype, out.dtype), "result_type", "an input of dtype {} cannot be written to {}",
               name(in.dtype), out);
  // PyTorch sums limited dtypes in the dtype of `out`.
  const DType summed = kLimitedDTypes.has(in.dtype) ? out.dtype : in.dtype;
  const DType dtype = call.has(kMean["dtype"]) ? call[kMean["dtype"]].as_dtype() : summed;
  if (!(kFloat8s | kFloat4s).has(dtype)) call.require_dtype_first(dtype, kFloatsAndComplexes);
  derived_out_rule(call);
}

void dims_rule(RuleCall& call) {
  const bool given = call.has(kMeanDim["dtype"]);
  call.require_dtype_first(given ? call[kMeanDim["dtype"]].as_dtype() : call.meta(kMeanDim["self"]).dtype,
                           kFloatsAndComplexes);
  add_output(call, reduced_dims(call, kMeanDim["dim"], call.meta(kMeanDim["self"]).dim(), "C1"),
             call.boolean(kMeanDim["keepdim"]), kMeanDim["dtype"]);
}

/// Refuses integers, which have no mean. Like PyTorch, checks dims before the dtype of `out`.
void dims_out_rule(RuleCall& call) {
  const TensorMeta &in = call.meta(kMeanDim["self"]), &out = call.meta(kMeanDim.out());
  if (!call.has(kMeanDim["dtype"])) {
    const bool in_own = !kLimitedDTypes.has(in.dtype);  // limited dtypes are summed in the dtype of out
    if (in_own || is_packed(in.dtype)) call.require_dtype(in.dtype, kFloatsAndComplexes);
    if (kWideUnsigned.has(in.dtype)) call.require_dtype_first(in.dtype, kFloatsAndComplexes);
    reduced_dims(call, kMeanDim["dim"], in.dim(), "C1");
    const bool sums = size_ne(in.numel(), 0);
    if (kWideUnsigned.has(out.dtype) && sums) call.require_dtype_first(out.dtype, kFloatsAndComplexes);
    call.require(!is_integral(out.dtype), "result_type", "a result of dtype {} cannot be written to {}", name(in.dtype),
                 out);
  }
  derived_out_rule(call);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& all = r.add(kMean)
                     .tag(Tag::Core)
                     .with_rule(rule)
                     .cpu(run_cpu)
                     .dtypes(kFloatsAndComplexes)
                     .sample("f32[2,3,4]")
                     .sample("i64[3,4], dtype=f64");
  r.add_out(all, "dtype_out", WrittenForm{.dtype_argument = kMean["dtype"]}).with_rule(whole_out_rule);
  OpEntry& dims = r.add(kMeanDim)
                      .tag(Tag::Core)
                      .with_rule(dims_rule)
                      .cpu(run_dims_cpu)
                      .dtypes(kFloatsAndComplexes)
                      .sample("f32[2,3,4,5], [-1, -2], True")
                      .sample("bf16[2,3,4]{1,8,2}, [1]")
                      .refuses("C1", "f32[2,3], [1, -1]");
  r.add_out(dims, "out", WrittenForm{.dtype_argument = kMeanDim["dtype"]}).with_rule(dims_out_rule);
}

}  // namespace ersatz::op_mean
