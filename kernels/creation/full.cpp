#include "kernels/creation/full.h"

#include "kernels/shape/fill_elements.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/slice_tags.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_full {
namespace {

void sized_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kZeros, kOnes};
  answer_sized(call, kArgs["dtype"], call.context.default_dtype, call.device, call.ints(kArgs["size"]));
}

DType dtype_of_number(const RuleCall& call, const Scalar& number) {
  const DType dtype = call.context.default_dtype;
  switch (number.kind()) {
    case Scalar::Kind::Bool:
      return DType::Bool;
    case Scalar::Kind::Int:
      return DType::I64;
    case Scalar::Kind::Complex:
      return complex_of_parts(dtype);
    default:
      return dtype;
  }
}

void full_rule(RuleCall& call) {
  const Scalar number = call.scalar(kFull["fill_value"]);
  const TensorMeta& out =
      answer_sized(call, kFull["dtype"], dtype_of_number(call, number), call.device, call.ints(kFull["size"]));
  require_fill_number(call, number, out, "C2");
}

void like_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kZerosLike, kOnesLike};
  answer_factory_like(call, kArgs["dtype"], kArgs["memory_format"], "C3");
}

void full_like_rule(RuleCall& call) {
  const TensorMeta& out = answer_factory_like(call, kFullLike["dtype"], kFullLike["memory_format"], "C3");
  require_fill_number(call, call.scalar(kFullLike["fill_value"]), out, "C2");
}

const TensorMeta& answer_new(RuleCall& call, Position options) {
  static constexpr Schemas kArgs{kNewZeros, kNewOnes, kNewFull};
  const TensorMeta& self = call.meta(kArgs["self"]);
  return answer_sized(call, options, self.dtype, self.device, call.ints(kArgs["size"]), SharedElements::Refused);
}

void new_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kNewZeros, kNewOnes};
  answer_new(call, kArgs["dtype"]);
}

void new_full_rule(RuleCall& call) {
  const TensorMeta& out = answer_new(call, kNewFull["dtype"]);
  require_fill_number(call, call.scalar(kNewFull["fill_value"]), out, "C2");
}

void scalar_rule(RuleCall& call) {
  const TensorMeta& out = answer_sized(call, kScalarTensor["dtype"], call.context.default_dtype, call.device, {});
  require_fill_number(call, call.scalar(kScalarTensor["s"]), out, "C2");
}

void run_zeros(KernelCall& call) { fill_elements(call.outputs[0], 0); }
void run_ones(KernelCall& call) { fill_elements(call.outputs[0], 1); }
void run_full(KernelCall& call) {
  static constexpr Schemas kArgs{kFull, kFullLike};
  fill_elements(call.outputs[0], call.scalar(kArgs["fill_value"]));
}
void run_new_full(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(kNewFull["fill_value"])); }
void run_scalar(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(kScalarTensor["s"])); }

void add(Registry& r, const Schema& schema, Tags tags, Rule rule, FillKernel kernel, std::vector<const char*> samples,
         std::vector<ErrorSample> refused, const char* out_sample) {
  OpEntry& op = r.add(schema).tag(tags).with_rule(rule).every_device(kernel);
  for (const char* s : samples) op.sample(s);
  for (const ErrorSample& e : refused) op.refuses(e.label, e.arguments);
  r.add_out_alike(op, "out").sample(out_sample);
}

void efficient_zeros(CompositeCall& call) {
  call.returns(call_op<"aten.zeros.default">(call[kEfficientZeroTensor["size"]], call[kEfficientZeroTensor["dtype"]],
                                             call[kEfficientZeroTensor["layout"]], call[kEfficientZeroTensor["device"]],
                                             std::nullopt));
}
void efficient_zeros_out(CompositeCall& call) {
  call.returns(call_op<"aten.zeros.out">(call[kEfficientZeroTensor["size"]], call.args.back()));
}

}  // namespace

void register_ops(Registry& r) {
  const Tags factory = Tag::Factory;
  add(r, kZeros, factory, sized_rule, run_zeros, {"[2, 3], dtype=i64"}, {{"C1", "[-1]"}}, "[2, 3], out=f32[0]");
  add(r, kOnes, factory, sized_rule, run_ones, {"[2, 3]"}, {{"C1", "[-1]"}}, "[2, 3], out=f32[0]");
  add(r, kFull, factory | Tag::Core, full_rule, run_full, {"[2, 3], 1.5", "[2, 3], True"},
      {{"C1", "[-1], 0"}, {"C2", "[2], 300, dtype=u8"}}, "[2, 3], 1.5, out=f32[0]");
  add(r, kScalarTensor, factory | Tag::Core, scalar_rule, run_scalar, {"2"}, {{"C2", "(1+2j)"}}, "2, out=f32[3]");
  add(r, kZerosLike, {}, like_rule, run_zeros, {"f32[2,3]{1,2}"}, {{"C3", "f32[2], memory_format=channels_last"}},
      "f32[2,3], out=f32[0]");
  add(r, kOnesLike, {}, like_rule, run_ones, {"f32[2,3]{1,2}"}, {{"C3", "f32[2], memory_format=channels_last"}},
      "f32[2,3], out=f32[0]");
  add(r, kFullLike, Tag::Core, full_like_rule, run_full, {"i64[2,3]{1,2}, 1.5"},
      {{"C2", "u8[2], 300"}, {"C3", "f32[2], 0, memory_format=channels_last"}}, "f32[2,3], 1.5, out=f32[0]");
  add(r, kNewZeros, kZerosAlikeTag, new_rule, run_zeros, {"f64[2], [3, 4]"}, {{"C1", "f64[2], [-1]"}},
      "f64[2], [3, 4], out=f32[0]");
  add(r, kNewOnes, {}, new_rule, run_ones, {"f64[2], [3, 4]"}, {{"C1", "f64[2], [-1]"}}, "f64[2], [3, 4], out=f32[0]");
  add(r, kNewFull, {}, new_full_rule, run_new_full, {"f64[2], [3, 4], 1.5"},
      {{"C1", "f64[2], [-1], 0"}, {"C2", "u8[2], [2], 300"}}, "f64[2], [3, 4], 1.5, out=f32[0]");
  OpEntry& efficient = r.add(kEfficientZeroTensor).tag(factory).with_composite(efficient_zeros).sample("[2, 3]");
  r.add_out_alike(efficient, "out").with_composite(efficient_zeros_out).sample("[2, 3], out=f64[0]");
}

}  // namespace ersatz::op_full
