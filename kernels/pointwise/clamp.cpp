#include "kernels/pointwise/clamp.h"

#include <algorithm>
#include <cmath>

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/integer_limits.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_clamp {
namespace {

/// Returns the positions of self and of the limits that are not None.
InlineVec<uint8_t, 3> given(const RuleCall& call) {
  InlineVec<uint8_t, 3> operands;
  for (uint8_t i = 0; i < call.args.size(); ++i) {
    if (call.has(i)) operands.push_back(i);
  }
  return operands;
}

/// Checks [clamp.C3] [clamp_min.C3] [clamp_max.C3] for limits that are numbers. Refuses a min above the range of an
/// integer dtype, and a max below it, because no number of the dtype satisfies these limits.
void require_representable(const RuleCall& call, std::span<const uint8_t> operands, DType common) {
  for (uint8_t i : operands) {
    if (i == 0 || !call.args[i].is_number()) continue;
    const Scalar limit = call.scalar(i);
    const std::string& which = call.op.schema.arguments[i].name;
    if (call.op.base() == "clamp") {
      call.require(!limit.is_complex() || !is_float(call.meta(kClamp["self"]).dtype), "C3", "{} must be a real number",
                   which);
    }
    if (!is_integral(common) || common == DType::Bool || item_size(common) == 8 || limit.kind() != Scalar::Kind::Int)
      continue;
    const auto [low, high] = integer_limits(common);
    const SymInt value = limit.to_comparable();
    const bool fits = which == "min" ? size_le(value, high) : size_ge(value, low);
    call.require(fits, "C3", "no {} is {} {}", name(common), which == "min" ? "at least" : "at most",
                 to_string(Value(limit)));
  }
}

/// Refuses complex dtypes, like PyTorch, before the dtype of `out` is checked. clamp refuses a complex self; clamp_min
/// and clamp_max refuse a complex self if their limit is a number. All three ops refuse a complex limit here, with one
/// exception: for clamp of a float self, C3 refuses it later.
void refuse_complex(const RuleCall& call, std::span<const uint8_t> operands) {
  const DType self = call.meta(kClamp["self"]).dtype;
  const bool of_both = call.op.base() == "clamp";
  if (of_both && is_complex(self)) call.require_dtype_first(self, kReals);
  for (const uint8_t i : operands) {
    if (i == 0 || !call.args[i].is_number()) continue;
    if (is_complex(self)) call.require_dtype_first(self, kReals);
    if (call.scalar(i).is_complex() && !(of_both && is_float(self))) call.require_dtype_first(DType::C64, kReals);
  }
}

void rule(RuleCall& call) {
  const InlineVec<uint8_t, 3> operands = given(call);
  call.require(operands.size() > 1, "C2", "at least one of min and max must be given");
  refuse_complex(call, operands);
  const DType common = pointwise::common_dtype(call.context, call.args, operands);
  require_representable(call, operands, common);
  // If the only limit is a tensor, PyTorch computes maximum or minimum, which accept bool.
  const bool of_tensors = call.is_tensor(operands[1]) && operands.size() == 2;
  pointwise::answer_elementwise(call, operands, common, common);
  // If a limit is the number NaN, all elements become NaN, and the other limit is ignored.
  const bool nan = std::ranges::any_of(
      operands, [&](uint8_t i) { return i > 0 && call.args[i].is_number() && is_nan(call.scalar(i)); });
  call.require_dtype(common, of_tensors ? kReals | kBool : nan ? kReals | kFloat8s : kReals);
  if (is_float(common) && !nan) require_loop_numbers(call, common, LoopNumber::Element, "C3");
}

/// The rule of `clamp_` and of its kin. `at::clamp_` checks that the result can be cast to an integer self before it
/// refuses complex dtypes.
void inplace_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kClamp["self"]);
  for (size_t i = 1; i < call.args.size() && call.op.base() == "clamp_"; ++i) {
    call.require(!is_integral(self.dtype) || !call.args[i].is_number() || !call.scalar(i).is_complex(), "result_type",
                 "a complex result cannot be written to {}", self);
  }
  derived_inplace_rule(call);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(2) * result.outputs[0].meta.numel(); }

void run(KernelCall& call) {
  using pointwise::Row;
  // Argument positions of the lower and of the upper limit. 0: the op does not have this limit.
  const std::string_view base = call.op.base();
  const int low = base == "clamp_max" ? 0 : 1, high = base == "clamp" ? 2 : base == "clamp_max" ? 1 : 0;
  const bool has_low = low && call.has(low), has_high = high && call.has(high);

  InlineVec<uint8_t, 3> operands;
  operands.push_back(0);
  if (has_low) operands.push_back(static_cast<uint8_t>(low));
  if (has_high) operands.push_back(static_cast<uint8_t>(high));
  const DType common = pointwise::common_dtype(call.context, call.args, operands);
  if (call.args[operands[1]].is_tensor()) {
    Row row = has_low && has_high ? Row::clamp_tensors : has_low ? Row::maximum : Row::minimum;
    return pointwise::run_row(call, row, operands, common);
  }
  pointwise::RowParams params;
  bool nan = false;
  int count = 0;
  for (int i : {has_low ? low : 0, has_high ? high : 0}) {
    if (i == 0) continue;
    Scalar limit = call.scalar(i);
    if (is_integral(common)) {  // a limit outside the dtype's range excludes no number
      const auto [least, most] = integer_limits(common);
      limit = Scalar(std::clamp(limit.to_int(), least, most));
    }
    pointwise::set_param(params, count, limit);
    nan |= std::isnan(params.re[count]);
    if (nan) params.re[0] = std::nan("");
    ++count;
  }
  constexpr uint8_t input[] = {0};
  const Row row = nan ? Row::constant : count == 2 ? Row::clamp : has_low ? Row::clamp_min : Row::clamp_max;
  pointwise::run_row(call, row, input, common, params);
}

OpEntry& add(Registry& r, Tags tags, std::string_view overload, std::string_view out_overload, std::string_view limits,
             Rule rule, std::string_view base) {
  OpEntry& op = r.add(kClamp.with(base, overload, limits))
                    .tag(tags | Tag::Pointwise)
                    .with_rule(rule)
                    .every_device(run)
                    .dtypes(kReals)
                    .count_flops(flops);
  op.devices(std::vector<DeviceRule>(op.schema.arguments.size(), DeviceRule::CpuScalarOk));
  r.add_inplace(op).with_rule(inplace_rule);
  r.add_out(op, out_overload, WrittenForm{.cast = overload.empty() ? WrittenCast::Own : WrittenCast::Any});
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  add(r, Tag::Core, "", "out", "Scalar? min=None, Scalar? max=None", rule, "clamp")
      .sample("f32[2,3]{1,2}, -1, 1")
      .sample("f32[2,3], 0")
      .sample("u8[2,3], -1, 300", 0, 255)
      .refuses("C2", "f32[2]")
      .refuses("C3", "u8[2], None, -1")
      .refuses("C3", "f16[2], 0, 70000")
      .refuses("C3", "f32[2], (1+2j)");
  add(r, Tag::Core, ".Tensor", "Tensor_out", "Tensor? min=None, Tensor? max=None", rule, "clamp")
      .sample("f32[2,3]{1,2}, f32[3], f32[2,1]")
      .refuses("C1", "f32[2,3], f32[4]")
      .refuses("C2", "f32[2]");
  for (const char* base : {"clamp_min", "clamp_max"}) {
    const std::string limit = base + 6;
    add(r, Tags(), "", "out", "Scalar " + limit, rule, base).sample("f32[2,3]{1,2}, 0").refuses("", "c64[2], 0");
    add(r, Tags(), ".Tensor", "Tensor_out", "Tensor " + limit, rule, base)
        .sample("f32[2,3]{1,2}, f32[3]")
        .refuses("C1", "f32[2,3], f32[4]");
  }
}

}  // namespace ersatz::op_clamp

namespace ersatz::ops {

Tensor clamp(const Tensor& self, std::optional<Scalar> min, std::optional<Scalar> max) {
  return call_op<"aten.clamp.default">(self, min, max);
}
Tensor clamp(const Tensor& self, const Tensor& min, const Tensor& max) {
  return call_op<"aten.clamp.Tensor">(self, min, max);
}
Tensor clamp_min(const Tensor& self, const Scalar& min) { return call_op<"aten.clamp_min.default">(self, min); }
Tensor clamp_max(const Tensor& self, const Scalar& max) { return call_op<"aten.clamp_max.default">(self, max); }

}  // namespace ersatz::ops
