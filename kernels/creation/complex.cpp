#include "kernels/creation/complex.h"

#include "kernels/pointwise/elementwise.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_complex {

Kernel complex_cpu, polar_cpu;

namespace {

/// The dtypes of real tensors that the operators accept: those with a corresponding complex dtype.
constexpr DTypeSet kPaired = kFloats.without({DType::BF16});

void rule(RuleCall& call) {
  constexpr uint8_t operands[] = {kPair["{0}"], kPair["{1}"]};
  const TensorMeta &a = call.meta(kPair["{0}"]), &b = call.meta(kPair["{1}"]);
  for (const TensorMeta* t : {&a, &b}) call.require_dtype_first(t->dtype, kPaired);
  call.require(a.dtype == b.dtype, "C2", "expects two tensors of one dtype: {} and {}", a, b);
  pointwise::answer_elementwise(call, operands, complex_of_parts(a.dtype), std::nullopt);
}

/// ATen writes `out` by its TensorIterator, which checks the memory of `out` before the resize.
void out_rule(RuleCall& call) {
  constexpr size_t out = 2;
  for (Position p : {kPair["{0}"], kPair["{1}"]}) call.require_dtype_first(call.meta(p).dtype, kPaired);
  require_no_overlap(call, call.tensor(out), call.args.first(out), call.op.form);
  derived_out_rule(call);
}

}  // namespace

void register_ops(Registry& r) {
  struct Op {
    Schema schema;
    FillKernel kernel;
  };
  for (const Op& o : {Op{kComplex, complex_cpu}, Op{kPolar, polar_cpu}}) {
    OpEntry& op = r.add(o.schema)
                      .with_rule(rule)
                      .cpu(o.kernel)
                      .dtypes(kPaired)
                      .sample("f32[2,3]{1,2}, f32[2,3]{1,2}")
                      .sample("f64[3,1], f64[4]")
                      .refuses("C1", "f32[2], f32[3]")
                      .refuses("C2", "f32[2], f64[2]");
    r.add_out(op, "out", WrittenForm()).with_rule(out_rule);
  }
}

}  // namespace ersatz::op_complex
