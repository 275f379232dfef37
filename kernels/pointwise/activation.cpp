// Elementwise ops of one tensor and a few numbers: celu, elu, hardshrink, hardtanh, leaky_relu, logit, nan_to_num,
// softplus, softshrink, threshold.
#include "kernels/pointwise/activation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/integer_limits.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_activation {
namespace {

using pointwise::Promotion;
using pointwise::Row;

constexpr uint8_t kOperands[] = {kCelu["self"]};  // the position of `self` in every op of this file

/// Checks the constraint C1 of the op.
void require_parameters(const RuleCall& call, LoopNumber as) {
  require_loop_numbers(call, call.meta(kEach["self"]).dtype, as, "C1");
}

void answer(RuleCall& call, DTypeSet dtypes, Promotion promotion = Promotion::Same) {
  const DType dtype = call.meta(kEach["self"]).dtype;
  const DType operand = pointwise::operand_dtype(promotion, dtype, call.context.default_dtype);
  pointwise::answer_elementwise(call, kOperands, operand, operand);
  call.require_dtype(dtype, dtypes);
}

template <LoopNumber as>
void float_rule(RuleCall& call) {
  answer(call, kFloats);
  require_parameters(call, as);
}

/// Checks [celu.C2]: alpha is not 0, because celu divides by alpha.
void celu_rule(RuleCall& call) {
  require_fits(call, call.scalar(kCelu["alpha"]), DType::F64, "C1");
  call.require(call.scalar(kCelu["alpha"]).to_double() != 0, "C2", "alpha must not be 0");
  float_rule<LoopNumber::Computed>(call);
}

/// Checks [hardtanh.C2]: for an integer dtype, both limits fit i64, some number of the dtype is at least min_val, and
/// some number is at most max_val.
void hardtanh_rule(RuleCall& call) {
  const DType dtype = call.meta(kHardtanh["self"]).dtype;
  if ((kFloat8s | kFloat4s).has(dtype)) return answer(call, kReals);
  call.require_dtype_first(dtype, kReals);
  if (is_integer(dtype)) {
    for (Position i : {kHardtanh["min_val"], kHardtanh["max_val"]})
      require_fits(call, call.scalar(i), DType::I64, "C2");
    const auto [low, high] = integer_limits(dtype);
    const int64_t least = call.scalar(kHardtanh["min_val"]).to_int(), most = call.scalar(kHardtanh["max_val"]).to_int();
    call.require(least <= high && most >= low, "C2", "no {} is at least {} and at most {}", name(dtype), least, most);
  } else if (!is_nan(call.scalar(kHardtanh["min_val"])) && !is_nan(call.scalar(kHardtanh["max_val"]))) {
    require_parameters(call, LoopNumber::Element);
  }
  answer(call, kReals);
}

/// Checks [softshrink.C2]: lambd is finite and not negative.
void softshrink_rule(RuleCall& call) {
  require_fits(call, call.scalar(kSoftshrink["lambd"]), DType::F64, "C1");
  call.require_dtype_first(call.meta(kSoftshrink["self"]).dtype, kFloats);
  float_rule<LoopNumber::Element>(call);
  const double lambd = call.scalar(kSoftshrink["lambd"]).to_double();
  call.require(lambd >= 0 && std::isfinite(lambd), "C2", "lambd must be finite and not negative: it is {}", lambd);
}

void threshold_rule(RuleCall& call) {
  answer(call, kReals);
  const DType dtype = call.meta(kThreshold["self"]).dtype;
  require_loop_number(call, call.scalar(kThreshold["threshold"]), dtype, LoopNumber::Computed, "C1");
  require_loop_number(call, call.scalar(kThreshold["value"]), dtype, LoopNumber::Element, "C1");
}

void logit_rule(RuleCall& call) {
  answer(call, kReals | kBool, Promotion::Float);
  if (call.has(kLogit["eps"]))
    require_loop_number(call, call.real(kLogit["eps"]), call.out.outputs[0].meta.dtype, LoopNumber::Element, "C1");
}
void nan_to_num_rule(RuleCall& call) { answer(call, kAllDTypes); }
/// For an integer dtype nan_to_num copies self. In place nothing changes. If the sizes of `out` differ from self's,
/// PyTorch makes `out` row-major before it checks whether `out` overlaps self.
template <Rule derived>
void nan_to_num_written_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kNanToNum["self"]);
  const size_t out = call.op.written[0];
  TensorImpl* written = call.tensor(out);
  if (!is_integral(self.dtype)) return derived(call);
  if (written == call.tensor(kNanToNum["self"])) return call.out.same(written);
  answer_out(call, TensorMeta(self.dtype, self.sizes, self.device), out, kGeneratedForm);
  require_no_partial_overlap(call, kNanToNum["self"], out, call.out.outputs[0].meta);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(4) * result.outputs[0].meta.numel(); }

/// Registers the op with ATen's argument names and defaults. `forms` has the letters that unary_table.def explains.
OpEntry& add(Registry& r, std::string_view forms, const Schema& schema, Rule rule, DTypeSet dtypes, FillKernel kernel) {
  OpEntry& op = r.add(schema)
                    .tag(forms[0] == 'C' ? Tag::Pointwise | Tag::Core : Tags(Tag::Pointwise))
                    .with_rule(rule)
                    .every_device(kernel)
                    .dtypes(dtypes)
                    .count_flops(flops);
  op.devices(std::vector<DeviceRule>(op.schema.arguments.size(), DeviceRule::CpuScalarOk));
  const std::string_view name = op.base();
  if (forms.find('I') != forms.npos) {
    r.add_inplace(op, {.cast = WrittenCast::Any, .may_overlap = name == "threshold"});
  }
  r.add_out(op, "out",
            WrittenForm{.cast = name == "logit" || name == "threshold" ? WrittenCast::Any : WrittenCast::Own,
                        .row_major = name == "celu",
                        .may_overlap = name == "threshold"});
  return op;
}

Row row_of(std::string_view base) {
  constexpr std::pair<std::string_view, Row> rows[] = {{"celu", Row::celu},
                                                       {"elu", Row::elu},
                                                       {"hardshrink", Row::hardshrink},
                                                       {"hardtanh", Row::clamp},
                                                       {"leaky_relu", Row::leaky_relu},
                                                       {"softplus", Row::softplus},
                                                       {"softshrink", Row::softshrink},
                                                       {"threshold", Row::threshold}};
  for (const auto& [name, row] : rows) {
    if (name == base) return row;
  }
  ERSATZ_ASSERT(false, "no row for {}", base);
}

DType input_dtype(const KernelCall& call) { return call[kEach["self"]].tensor_impl()->meta.dtype; }

double largest(DType t) {
  switch (real_dtype(t)) {
    case DType::F16:
      return 65504;
    case DType::BF16:
      return 3.38953138925153547590470800371487867e38;
    case DType::F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

void run(KernelCall& call) {
  pointwise::RowParams params;
  const DType dtype = input_dtype(call);
  Row row = row_of(call.op.base());
  const bool clamps = row == Row::clamp;
  for (size_t i = 1; i < call.args.size(); ++i) {
    Scalar number = call.scalar(i);
    if (clamps && number.kind() == Scalar::Kind::Float && std::isnan(number.to_double())) row = Row::constant;
    if (clamps && is_integer(dtype)) {  // a limit outside the dtype's range excludes no number
      const auto [least, most] = integer_limits(dtype);
      number = Scalar(std::clamp(number.to_int(), least, most));
    }
    pointwise::set_param(params, static_cast<int>(i - 1), number);
  }
  if (clamps && row == Row::constant) params.re[0] = std::nan("");
  pointwise::run_row(call, row, kOperands, dtype, params);
}

void run_logit(KernelCall& call) {
  const DType dtype = input_dtype(call), compute = is_integral(dtype) ? call.context.default_dtype : dtype;
  pointwise::RowParams params;
  if (call.has(kLogit["eps"])) params.re[0] = call.real(kLogit["eps"]);
  pointwise::run_row(call, call.has(kLogit["eps"]) ? Row::logit_eps : Row::logit, kOperands, compute, params);
}

void run_nan_to_num(KernelCall& call) {
  const DType dtype = input_dtype(call);
  pointwise::RowParams params;
  params.re[0] = call.has(kNanToNum["nan"]) ? call.real(kNanToNum["nan"]) : 0;
  params.re[1] = call.has(kNanToNum["posinf"]) ? call.real(kNanToNum["posinf"]) : largest(dtype);
  params.re[2] = call.has(kNanToNum["neginf"]) ? call.real(kNanToNum["neginf"]) : -largest(dtype);
  pointwise::run_row(call, is_integral(dtype) ? Row::_conj_physical : Row::nan_to_num, kOperands, dtype, params);
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "FI", kCelu, celu_rule, kFloats, run).sample("f32[2,3]{1,2}, 0.5").refuses("C2", "f32[2], 0.0");
  add(r, "CFI", kElu, float_rule<LoopNumber::Computed>, kFloats, run)
      .sample("f32[2,3]{1,2}, 1.5, 2, 0.5")
      .refuses("C1", "f32[2], (1+2j)")
      .refuses("C1", "f16[2], 1, 1, 1e300");
  add(r, "F", kHardshrink, float_rule<LoopNumber::Element>, kFloats, run)
      .sample("f32[2,3]{1,2}")
      .refuses("", "i64[2]")
      .refuses("C1", "f16[2], 70000");
  add(r, "CFI", kHardtanh, hardtanh_rule, kReals, run)
      .sample("f32[2,3]{1,2}")
      .sample("i64[2,3], -1, 2")
      .sample("u8[2,3], 1, 2", 0, 4)
      .refuses("C1", "f16[2], -1, 70000")
      .refuses("C2", "u8[2], 1, -1");
  add(r, "CFI", kLeakyRelu, float_rule<LoopNumber::Computed>, kFloats, run)
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3], (3+0j)")
      .refuses("C1", "f32[2], (1+2j)");
  add(r, "FI", kLogit, logit_rule, kReals | kBool, run_logit)
      .sample("f32[2,3]{1,2}", 0.1, 0.9)
      .sample("f32[2,3], 0.1", 0, 1)
      .refuses("", "c64[2]")
      .refuses("C1", "f16[2], 70000.0");
  add(r, "FI", kNanToNum, nan_to_num_rule, kAllDTypes, run_nan_to_num).sample("f32[2,3]{1,2}").sample("i64[2,3]");
  r.find_mutable("aten.nan_to_num_.default")->with_rule(nan_to_num_written_rule<derived_inplace_rule>);
  r.find_mutable("aten.nan_to_num.out")->with_rule(nan_to_num_written_rule<derived_out_rule>);
  add(r, "F", kSoftplus, float_rule<LoopNumber::Computed>, kFloats, run)
      .sample("f32[2,3]{1,2}, 2, 1")
      .refuses("", "i64[2]");
  add(r, "F", kSoftshrink, softshrink_rule, kFloats, run)
      .sample("f32[2,3]{1,2}")
      .refuses("C2", "f32[2], -0.5")
      .refuses("C1", "f32[2], 1e39");
  add(r, "FI", kThreshold, threshold_rule, kReals, run)
      .sample("f32[2,3]{1,2}, 0.5, 2")
      .sample("u8[2,3], 1, 2", 0, 4)
      .refuses("C1", "u8[2], -300, 1");
}

}  // namespace ersatz::op_activation
