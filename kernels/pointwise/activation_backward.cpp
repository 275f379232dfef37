#include "kernels/pointwise/activation_backward.h"

#include "kernels/pointwise/elementwise.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_activation_backward {
namespace {

using pointwise::Row;

/// Checks [elu_backward.C2].
void check_elu(const RuleCall& call, DType) {
  call.require(!call.boolean(kElu["is_result"]) || call.scalar(kElu["alpha"]).to_double() >= 0, "C2",
               "alpha must not be negative where self_or_result is the result, it is {}",
               call.scalar(kElu["alpha"]).to_double());
}
/// Checks [leaky_relu_backward.C2].
void check_leaky_relu(const RuleCall& call, DType) {
  call.require(
      !call.boolean(kLeakyRelu["self_is_result"]) || call.scalar(kLeakyRelu["negative_slope"]).to_double() >= 0, "C2",
      "negative_slope must not be negative where self is the result, it is {}",
      call.scalar(kLeakyRelu["negative_slope"]).to_double());
}
bool gelu_runs_in_onednn(const RuleCall& call) {
  const TensorMeta& self = call.meta(kGelu["self"]);
  return call.device.is_cpu() && call[kGelu["approximate"]].as_string() == "none" &&
         (self.dtype == DType::F32 || self.dtype == DType::BF16) && is_contiguous(self) && guard_gt(self.numel(), 1);
}
/// Whether oneDNN converts grad_output's dtype `t` to self's dtype. It converts no f64, no wide integers, and no f16 to
/// bf16.
bool onednn_converts(DType t, DType self) {
  if (t == DType::F16) return self != DType::BF16;
  return t == DType::F32 || t == DType::BF16 || t == DType::I8 || t == DType::U8;
}
/// Checks [gelu_backward.C2] and [gelu_backward.C3].
void check_gelu(const RuleCall& call, DType) {
  const std::string_view approximate = call[kGelu["approximate"]].as_string();
  call.require(approximate == "none" || approximate == "tanh", "C2", "approximate must be none or tanh, it is {}",
               approximate);
  if (!gelu_runs_in_onednn(call)) return;
  const TensorMeta &grad = call.meta(kGelu["grad_output"]), &self = call.meta(kGelu["self"]);
  call.require(grad.dim() == self.dim() && check_eq(grad.sizes, self.sizes), "C3",
               "grad_output must have the sizes of self, which is row-major: they are {} and {}", grad, self);
  call.require(onednn_converts(grad.dtype, self.dtype), "C3", "grad_output cannot be {} beside self: self is {}",
               name(grad.dtype), self);
}
void gelu_out_rule(RuleCall& call) {
  derived_out_rule(call);
  if (!gelu_runs_in_onednn(call)) return;
  const TensorMeta &self = call.meta(kGelu["self"]), &out = call.out.outputs[0].meta;
  call.require(onednn_converts(out.dtype, self.dtype), "C3", "grad_input cannot be {} beside self: self is {}",
               name(out.dtype), self);
}
/// Checks [logit_backward.C1].
void check_logit(const RuleCall& call, DType common) {
  if (call.has(kLogit["eps"])) require_loop_number(call, call.real(kLogit["eps"]), common, LoopNumber::Element, "C1");
}
/// Checks [mish_backward.C2].
void check_mish(const RuleCall& call, DType common) {
  const TensorMeta& self = call.meta(kMish["self"]);
  call.require(can_cast(common, self.dtype), "C2",
               "the result has the dtype of self, to which {} is not cast: self is {}", name(common), self);
}

Row elu_row(const KernelCall& call) {
  return call.boolean(kElu["is_result"]) ? Row::elu_backward_result : Row::elu_backward;
}
Row gelu_row(const KernelCall& call) {
  return call[kGelu["approximate"]].as_string() == "tanh" ? Row::gelu_tanh_backward : Row::gelu_erf_backward;
}
Row logit_row(const KernelCall& call) {
  return call.has(kLogit["eps"]) && call.real(kLogit["eps"]) >= 0 ? Row::logit_eps_backward : Row::logit_backward;
}

struct Gradient {
  const Schema& schema;
  Row row;
  const char* parameters;    ///< the sample's arguments after the first, for example `, f32[2,3], 0.5`
  uint8_t saved = 1;         ///< position of the second tensor: the input or the result of the activation
  bool saved_first = false;  ///< whether the tensor at `saved`, and not grad_output, decides the result's strides first
  DTypeSet dtypes = kFloats;
  Row (*row_of)(const KernelCall& call) = nullptr;  ///< null if every call runs `row`
  void (*check)(const RuleCall& call, DType common) = nullptr;
  LoopNumber numbers = LoopNumber::Computed;  ///< the dtype that parameters are converted to
};
constexpr Gradient kGradients[] = {
    {kElu, Row::elu_backward, ", 1.5, 2, 0.5, False, f32[2,3]{1,2}", 5, false, kFloats, elu_row, check_elu},
    {kGelu, Row::gelu_erf_backward, ", f32[2,3]{1,2}", 1, false, kFloats, gelu_row, check_gelu},
    {kHardshrink, Row::hardshrink_backward, ", f32[2,3]{1,2}, 0.5", 1, false, kFloats, nullptr, nullptr,
     LoopNumber::Element},
    {kHardsigmoid, Row::hardsigmoid_backward, ", f32[2,3]{1,2}"},
    {kHardswish, Row::hardswish_backward, ", f32[2,3]{1,2}"},
    {kHardtanh, Row::hardtanh_backward, ", f32[2,3]{1,2}, -1, 1"},
    {kLeakyRelu, Row::leaky_relu_backward, ", f32[2,3]{1,2}, 0.5, False", 1, true, kFloats, nullptr, check_leaky_relu},
    {kLogit, Row::logit_backward, ", f32[2,3]{1,2}, 0.25", 1, false, kFloats, logit_row, check_logit},
    {kMish, Row::mish_backward, ", f32[2,3]{1,2}", 1, false, kFloats, nullptr, check_mish},
    {kSigmoid, Row::sigmoid_backward, ", f32[2,3]{1,2}", 1, false, kFloatsAndComplexes},
    {kSilu, Row::silu_backward, ", f32[2,3]{1,2}", 1, false, kFloatsAndComplexes},
    {kSoftplus, Row::softplus_backward, ", f32[2,3]{1,2}, 2, 1"},
    {kSoftshrink, Row::hardshrink_backward, ", f32[2,3]{1,2}, 0.5", 1, false, kFloats, nullptr, nullptr,
     LoopNumber::Element},
    {kTanh, Row::tanh_backward, ", f32[2,3]{1,2}", 1, false, kFloatsAndComplexes},
    {kThreshold, Row::threshold_backward, ", f32[2,3]{1,2}, 0.5", 1, true, kReals},
};

template <size_t i>
void rule(RuleCall& call) {
  constexpr const Gradient& g = kGradients[i];
  constexpr uint8_t operands[] = {0, g.saved};
  const DType common = pointwise::common_dtype(call.context, call.args, operands);
  constexpr uint8_t layout[] = {g.saved_first ? g.saved : uint8_t(0), g.saved_first ? uint8_t(0) : g.saved};
  const bool of_self = g.check == check_mish;
  pointwise::answer_elementwise(call, layout, of_self ? call.meta(g.saved).dtype : common, common);
  call.require_dtype(common, g.dtypes);
  require_loop_numbers(call, common, g.numbers, "C1");
  if constexpr (g.check != nullptr) g.check(call, common);
}

template <size_t i>
void run(KernelCall& call) {
  constexpr const Gradient& g = kGradients[i];
  constexpr uint8_t operands[] = {0, g.saved};
  pointwise::RowParams params;
  int count = 0;
  for (size_t k = 0; k < call.args.size(); ++k) {
    const bool flag = call.op.schema.arguments[k].type.base == BaseType::Bool;  // row_of reads bool arguments
    if (call.args[k].is_number() && !flag) pointwise::set_param(params, count++, call.args[k].as_scalar());
  }
  pointwise::Row row = g.row;
  if constexpr (g.row_of != nullptr) row = g.row_of(call);
  pointwise::run_row(call, row, operands,
                     g.check == check_mish ? call[g.saved].tensor_impl()->meta.dtype
                                           : pointwise::common_dtype(call.context, call.args, operands),
                     params);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(8) * result.outputs[0].meta.numel(); }

template <size_t i>
void add(Registry& r) {
  constexpr const Gradient& g = kGradients[i];
  OpEntry& op = r.add(g.schema)
                    .tag(Tag::Pointwise)
                    .with_rule(rule<i>)
                    .every_device(run<i>)
                    .dtypes(g.dtypes)
                    .count_flops(flops)
                    .sample(std::string("f32[2,3]") + g.parameters);
  op.devices(std::vector<DeviceRule>(op.schema.arguments.size(), DeviceRule::CpuScalarOk));
  if (g.schema.text() == kMish.text()) return;  // ATen has no grad_input overload of mish_backward
  const bool generated = g.schema.text() == kHardswish.text();
  const WrittenForm form{.cast = WrittenCast::Any, .may_overlap = g.row == Row::threshold_backward};
  r.add_out(op, generated ? "out" : "grad_input", generated ? kGeneratedForm : form,
            {generated ? "out" : "grad_input"});
}

template <size_t... i>
void add_all(Registry& r, std::index_sequence<i...>) {
  (add<i>(r), ...);
}

}  // namespace

void register_ops(Registry& r) {
  add_all(r, std::make_index_sequence<std::size(kGradients)>());
  r.find_mutable("aten.gelu_backward.grad_input")->with_rule(gelu_out_rule);
  const auto refuses = [&](std::string_view name, const char* label, const char* arguments) {
    r.find_mutable(name)->refuses(label, arguments);
  };
  refuses("aten.elu_backward.default", "C2", "f32[2], -1, 1, 1, True, f32[2]");
  refuses("aten.gelu_backward.default", "C2", "f32[2], f32[2], approximate=\"erf\"");
  refuses("aten.gelu_backward.default", "C3", "f32[3], f32[2,3]");
  refuses("aten.mish_backward.default", "C2", "f32[2], i64[2]");
  refuses("aten.leaky_relu_backward.default", "C2", "f32[2], f32[2], -0.5, True");
  refuses("aten.softplus_backward.default", "C1", "f32[2], f32[2], (1+2j), 1");
  refuses("aten.threshold_backward.default", "C1", "u8[2], u8[2], -300");
}

}  // namespace ersatz::op_activation_backward
