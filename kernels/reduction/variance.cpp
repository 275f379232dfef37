#include "kernels/reduction/variance.h"

#include "kernels/reduction/reduce_dims.h"
#include "kernels/shape/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_variance {

Kernel run_var_cpu, run_std_cpu;

namespace {

/// On the CPU, PyTorch has a separate kernel for results of one element. For limited floats, that kernel raises an
/// error of its own, which this function raises.
void refuse_one_number(const RuleCall& call, const TensorMeta& out) {
  const TensorMeta& in = call.meta(kEach["self"]);
  if (call.device.is_cpu() && is_float(in.dtype) && size_eq(out.numel(), 1) && size_ne(in.numel(), 0))
    call.refuse(ErrorFamily::Runtime, "dtype", "one number of elements of {} is not computed", name(in.dtype));
}

/// Adds the outputs of an overload: `x(self, unbiased)`, `x.dim(self, dim, unbiased, keepdim)` or
/// `x.correction(self, dim, correction, keepdim)`, where x is the op.
void add_outputs(RuleCall& call, bool with_mean, bool converted = false) {
  static constexpr Schemas kArgs2{kVarianceDim, kVarianceCorrection};
  const TensorMeta& in = call.meta(kEach["self"]);
  const bool limited = kLimitedDTypes.has(in.dtype);
  if (!limited) call.require_dtype(in.dtype, kFloatsAndComplexes);
  const bool whole = call.args.size() == kVariance.count();
  const DimMask mask = whole ? kAllDims : reduced_dims(call, kArgs2["dim"], in.dim(), "C1", DimChecks::InTurn);
  const bool keepdim = !whole && call.boolean(kArgs2["keepdim"]);
  if (const size_t at = whole ? kVariance["unbiased"] : kVarianceDim["unbiased"];
      call.has(at) && call.scalar(at).is_complex()) {
    call.require(call.scalar(kVarianceCorrection["correction"]).to_complex().imag() == 0, "C2",
                 "the correction must be a real number: input is {}", in);
  }
  const TensorMeta& out = call.out.fresh(reduced_meta(in, mask, keepdim, real_dtype(in.dtype), call.device));
  if (limited && !converted) {
    if (!with_mean) refuse_one_number(call, out);
    call.require_dtype(in.dtype, kFloatsAndComplexes);
  }
  if (with_mean) call.out.fresh(reduced_meta(in, mask, keepdim, in.dtype, call.device));
}

void rule(RuleCall& call) { add_outputs(call, false); }
void mean_rule(RuleCall& call) { add_outputs(call, true); }

/// Rule of the out= form for f8 inputs on the CPU. PyTorch first converts f8 elements to the dtype of `out`.
void out_of_float8_rule(RuleCall& call) {
  const size_t last = call.args.size() - 1;
  const TensorMeta &in = call.meta(kEach["self"]), &out = call.meta(last);
  RuleResult functional;
  RuleCall asked = call.functional(functional);
  add_outputs(asked, false, true);
  const TensorMeta& result = functional.outputs[0].meta;
  call.require(can_cast(in.dtype, out.dtype), "result_type", "a result of dtype {} cannot be written to {}",
               name(in.dtype), out);
  if (!is_reduced_float(out.dtype)) refuse_one_number(call, result);
  call.require_dtype(out.dtype, kFloats);
  answer_out(call, result, last, reduction_form(WrittenCast::SameKind));
}

/// On the CPU, PyTorch has a separate kernel of f32 and f64 for results of one element. The result is copied to `out`,
/// which may have any dtype except f16 and bf16.
void out_rule(RuleCall& call) {
  const TensorMeta &in = call.meta(kEach["self"]), &out = call.meta(call.args.size() - 1);
  if (is_integral(in.dtype) || is_packed(in.dtype)) call.require_dtype_first(in.dtype, kFloatsAndComplexes);
  if (kFloat8s.has(in.dtype) && call.device.is_cpu() && size_ne(in.numel(), 0)) return out_of_float8_rule(call);
  if (is_complex(in.dtype)) {  // TensorIterator adds the results of the two parts
    derived_out_rule(call);
    return require_no_overlap(call, call.tensor(call.args.size() - 1), {}, {});
  }
  if (!call.device.is_cpu() || !is_float(in.dtype) || is_reduced_float(out.dtype) || size_eq(in.numel(), 0))
    return derived_out_rule(call);
  RuleResult functional;
  call.ask_functional(functional);
  if (!size_eq(functional.outputs[0].meta.numel(), 1)) return derived_out_rule(call);
  call.require(!is_reduced_float(in.dtype), "result_type", "one number of dtype {} cannot be written to {}",
               name(in.dtype), out);
  derived_out_rule(call, reduction_form(WrittenCast::Any));
}

void run_out(KernelCall& call) {
  const Tensor self = call.tensor(kEach["self"]);
  const DType t = call.outputs[0].dtype();
  if (!kFloats.has(t) || is_complex(self.dtype()) || self.dtype() == t) return derived_kernel(call);
  std::vector<Value> args(call.args.begin(), call.args.end());
  args[kEach["self"]] = Value(ops::to(self, t));
  KernelCall converted{call.op, args, call.outputs, call.context};
  derived_kernel(converted);
}

struct Family {
  std::string name, returns;
  bool with_mean;
  FillKernel kernel;
};

OpEntry& add(Registry& r, const Family& f, const Schema& schema) {
  return r.add(schema.with(f.name, f.returns))
      .with_rule(f.with_mean ? mean_rule : rule)
      .cpu(f.kernel)
      .dtypes(kFloatsAndComplexes);
}

void add_family(Registry& r, const Family& f) {
  add(r, f, kVariance).sample("f32[2,3,4]").sample("c64[5], False");
  OpEntry& by_dim = add(r, f, kVarianceDim).sample("f64[2,3,4], [1], False").refuses("C1", "f32[2,3], [0, 0]");
  OpEntry& by_correction = add(r, f, kVarianceCorrection)
                               .sample("f32[2,3,4]{1,8,2}, [0, -1], correction=0, keepdim=True")
                               .sample("bf16[3,4]")
                               .refuses("C1", "f32[2,3], [0, 0]")
                               .refuses("C2", "f32[2,3], correction=(1+2j)");
  if (f.name == "var") by_dim.tag(Tag::Core), by_correction.tag(Tag::Core);
  if (f.with_mean) {
    r.add_out(by_correction, "correction_out", kGeneratedForm);
  } else {
    r.add_out(by_dim, "out", reduction_form(WrittenCast::SameKind)).with_rule(out_rule).cpu(run_out);
    r.add_out(by_correction, "correction_out", reduction_form(WrittenCast::SameKind)).with_rule(out_rule).cpu(run_out);
  }
}

}  // namespace

void register_ops(Registry& r) {
  add_family(r, {"var", "Tensor", false, run_var_cpu});
  add_family(r, {"std", "Tensor", false, run_std_cpu});
  add_family(r, {"var_mean", "(Tensor, Tensor)", true, run_var_cpu});
  add_family(r, {"std_mean", "(Tensor, Tensor)", true, run_std_cpu});
}

}  // namespace ersatz::op_variance
