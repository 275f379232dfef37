#include "kernels/pointwise/float_parts.h"
#include "kernels/pointwise/iterator_layout.h"

#include <cmath>

#include "kernels/pointwise/elementwise.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_float_parts {
namespace {

using pointwise::Row;

constexpr uint8_t kOperands[] = {kEach["self"]};

void round_rule(RuleCall& call) {
  const DType dtype = call.meta(kRoundDecimals["self"]).dtype;
  pointwise::answer_elementwise(call, kOperands, dtype, dtype);
  call.require_dtype(dtype, kFloats);
}

void run_round(KernelCall& call) {
  const int64_t decimals = call.integer(kRoundDecimals["decimals"]);
  pointwise::RowParams params;
  params.re[0] = std::pow(10., std::abs(static_cast<double>(decimals)));
  pointwise::run_row(call,
                     decimals == 0  ? Row::round
                     : decimals > 0 ? Row::round_places
                                    : Row::round_tens,
                     kOperands, call.tensor(kRoundDecimals["self"]).dtype(), params);
}

void frexp_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kFrexp["self"]);
  call.require(is_float(self.dtype), "C1", "self must be a float: {}", self);
  pointwise::answer_elementwise(call, kOperands, self.dtype, self.dtype);
  pointwise::answer_elementwise(call, kOperands, DType::I32, self.dtype);
}

/// If only one of the two `out` arguments is resized, PyTorch orders its dims by the other's strides, then by self's.
void frexp_out_rule(RuleCall& call) {
  derived_out_rule(call);
  InlineVec<const TensorMeta*, 3> operands;
  for (const OutputSpec& o : call.out.outputs) {
    if (!o.metadata_changed) operands.push_back(&o.meta);
  }
  if (operands.empty()) return;
  operands.push_back(&call.meta(kFrexp["self"]));
  for (OutputSpec& o : call.out.outputs) {
    if (o.metadata_changed) iterator_layout(call, operands, std::nullopt, o.meta);
  }
}

void run_frexp(KernelCall& call) {
  const Tensor self = call.tensor(kFrexp["self"]);
  KernelCall exponents{call.op, call.args, call.outputs.subspan(1), call.context};
  pointwise::run_row(exponents, Row::frexp_exponent, kOperands, self.dtype());
  pointwise::run_row(call, Row::frexp_mantissa, kOperands, self.dtype());
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& round = r.add(kRoundDecimals)
                       .tag(Tag::Pointwise)
                       .with_rule(round_rule)
                       .every_device(run_round)
                       .dtypes(kFloats)
                       .sample("f32[2,3], decimals=1")
                       .sample("f64[2,3]{1,2}, decimals=-1", -90, 90)
                       .sample("f32[2,3], decimals=0")
                       .refuses("", "i64[2], decimals=1");
  r.add_inplace(round);
  r.add_out(round, "decimals_out", WrittenForm{});
  OpEntry& frexp = r.add(kFrexp)
                       .tag(Tag::Pointwise)
                       .with_rule(frexp_rule)
                       .every_device(run_frexp)
                       .dtypes(kFloats)
                       .sample("f32[2,3]")
                       .sample("f64[2,3]{1,2}")
                       .refuses("C1", "i64[2]");
  r.add_out(frexp, "Tensor_out", WrittenForm{}, {"mantissa", "exponent"}).with_rule(frexp_out_rule);
}

}  // namespace ersatz::op_float_parts
