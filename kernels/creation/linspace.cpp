#include "kernels/creation/linspace.h"

#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_linspace {

void linspace_cpu(KernelCall& call);
void logspace_cpu(KernelCall& call);

namespace {

template <bool log>
inline constexpr size_t kOptions = log ? kLogspace["dtype"] : kLinspace["dtype"];

bool is_complex_end(const RuleCall& call, Position i) {
  return call.is_tensor(i) ? is_complex(call.meta(i).dtype) : call.scalar(i).is_complex();
}

void check_ends(const RuleCall& call, DType dtype) {
  const int64_t steps = call.integer(kEach["steps"]);
  if (steps == 0) return;
  if (steps > 1) call.require_dtype(dtype, kNumbers);  // one number is filled in, bool or not
  for (Position i : {kEach["start"], kEach["end"]}) {
    if (steps == 1 && i == kEach["end"]) continue;
    if (!call.is_tensor(i)) require_fits(call, call.scalar(i), dtype, "C3");
  }
}

void check_arguments(const RuleCall& call) {
  for (Position i : {kEach["start"], kEach["end"]}) {
    if (!call.is_tensor(i)) continue;
    call.require(call.meta(i).dim() == 0, "C4", "expects ends without dims: got {}", call.meta(i));
  }
  call.require(call.integer(kEach["steps"]) >= 0, "C1", "steps must not be negative: got {}",
               call.integer(kEach["steps"]));
}

template <bool log>
void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kLinspace, kLogspace};
  check_arguments(call);
  const DType real = call.context.default_dtype;
  const bool complex_ends = is_complex_end(call, kArgs["start"]) || is_complex_end(call, kArgs["end"]);
  TensorMeta& out =
      start_factory(call, kOptions<log>, complex_ends ? complex_dtype(real) : real, call.context.default_device);
  call.require(is_complex(out.dtype) || !complex_ends, "C2", "complex ends do not fit dtype {}", name(out.dtype));
  check_ends(call, out.dtype);
  const SymInt n[] = {call.integer(kArgs["steps"])};
  set_sizes(call, out, n);
}

template <bool log>
void out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kLinspaceOut, kLogspaceOut};
  check_arguments(call);
  const TensorMeta& out = call.meta(kOptions<log>);
  check_ends(call, out.dtype);
  // A tensor of the right number of elements keeps its shape.
  const SymInt n[] = {call.integer(kArgs["steps"])};
  const DimVec sizes = guard_eq(out.numel(), n[0]) ? out.sizes : DimVec(n);
  resized_out(call, kOptions<log>, sizes,
              call.integer(kArgs["steps"]) > 1 ? SharedElements::Refused : SharedElements::Allowed);
}

template <bool log>
void add(Registry& r) {
  const Schema &schema = log ? kLogspace : kLinspace, &out_schema = log ? kLogspaceOut : kLinspaceOut;
  for (const char* kinds : {"Scalar Scalar", "Tensor Tensor", "Tensor Scalar", "Scalar Tensor"}) {
    const std::string_view start(kinds, 6), end(kinds + 7, 6);
    const bool numbers = start == "Scalar" && end == "Scalar";
    const std::string overload = numbers ? "" : fmt::format(".{}_{}", start, end);
    const std::string arguments =
        fmt::format("{}, {}, 5", start == "Scalar" ? "0.5" : "f32[]", end == "Scalar" ? "2" : "i64[]");
    OpEntry& entry = r.add(schema.with(overload, start, end))
                         .tag(Tag::Factory)
                         .with_rule(rule<log>)
                         .cpu(log ? logspace_cpu : linspace_cpu)
                         .sample(arguments);
    OpEntry& out = r.add(out_schema.with(numbers ? ".out" : overload + "_out", start, end))
                       .with_rule(out_rule<log>)
                       .cpu(log ? logspace_cpu : linspace_cpu)
                       .sample(fmt::format("{}, out=f32[0]", arguments));
    if (numbers) {
      entry.sample("1, 7, 4, dtype=i64")
          .refuses("C1", "0, 1, -1")
          .refuses("C2", "(1+2j), 1, 3, dtype=f32")
          .refuses("C3", "0, 300, 3, dtype=u8");
      continue;
    }
    // Ends may come from anywhere: they are read as numbers.
    for (OpEntry* e : {&entry, &out}) {
      e->tag(Tag::FailsOnValues);
      e->device_rules.assign(e->schema.arguments.size(), DeviceRule::Any);
    }
    out.device_rules.back() = DeviceRule::Same;
    if (start == "Tensor" && end == "Scalar") entry.refuses("C4", "f32[1], 2, 3");
  }
}

}  // namespace

void register_ops(Registry& r) {
  add<false>(r);
  add<true>(r);
}

}  // namespace ersatz::op_linspace

namespace ersatz::ops {

Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, const FactoryOptions& o) {
  return call_op<"aten.linspace.default">(start, end, steps, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, const FactoryOptions& o) {
  return call_op<"aten.logspace.default">(start, end, steps, base, o.dtype, std::nullopt, o.device, std::nullopt);
}

}  // namespace ersatz::ops
