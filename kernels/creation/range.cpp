#include "kernels/creation/range.h"

#include <cmath>

#include "kernels/creation/arange.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_range {
namespace {

using namespace arithmetic;

double real_number(const RuleCall& call, const Scalar& s) {
  require_fits(call, s, DType::F64, "C4");
  return s.to_double();
}

/// Returns the number that `range` computes with: truncated for an integer dtype, rounded to float for f16 and bf16.
double counted(const RuleCall& call, const Scalar& s, DType dtype) {
  const double v = real_number(call, s);
  if (!is_integer(dtype)) return is_reduced_float(dtype) ? static_cast<float>(v) : v;
  require_fits(call, s, DType::I64, "C4");
  return static_cast<double>(s.to_int());
}

void rule(RuleCall& call, const Scalar& step, Position options) {
  const DType dtype = dtype_of_factory(call, options, call.context.default_dtype);
  call.require_dtype(dtype, kReals);
  const double from = counted(call, call.scalar(kEach["start"]), dtype),
               to = counted(call, call.scalar(kEach["end"]), dtype), by = counted(call, step, dtype);
  call.require(by != 0, "C1", "step must not be 0");
  call.require(std::isfinite(from) && std::isfinite(to) && std::isfinite(by), "C2",
               "start, end and step must be finite: {}, {} and {}", from, to, by);
  const double start = real_number(call, call.scalar(kEach["start"])),
               end = real_number(call, call.scalar(kEach["end"]));
  call.require(by > 0 ? end >= start : end <= start, "C3",
               "step must lead from start to end: start {}, end {}, step {}", start, end, by);
  const double n = std::floor((to - from) / by + 1);
  call.require(n >= 0 && n < 9.2e18, "C3", "too many elements: start {}, end {}, step {}", from, to, by);
  answer_vector(call, options, dtype, call.device, static_cast<int64_t>(n));
}
void unit_rule(RuleCall& call) { rule(call, 1, kRange["dtype"]); }
void stepped_rule(RuleCall& call) { rule(call, call.scalar(kStepped["step"]), kStepped["dtype"]); }

void run(KernelCall& call, const Scalar& step) {
  const Tensor& out = call.outputs[0];
  const Scalar start = call.scalar(kEach["start"]);
  const bool whole = is_integral(out.dtype());
  const Tensor k = ops::arange(Scalar(out.numel()), {.dtype = whole ? DType::I64 : DType::F64, .device = out.device()});
  const Tensor values = whole ? ops::add(k * Scalar(step.to_int()), Scalar(start.to_int()))
                              : ops::add(k * Scalar(step.to_double()), Scalar(start.to_double()));
  ops::copy_(out, call_op<"aten.view.default">(values, out.sizes()));
}
void run_unit(KernelCall& call) { run(call, 1); }
void run_stepped(KernelCall& call) { run(call, call.scalar(kStepped["step"])); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& unit = r.add(kRange)
                      .tag(Tag::Factory)
                      .with_rule(unit_rule)
                      .every_device(run_unit)
                      .sample("1, 5")
                      .sample("0, 2.5, dtype=f64")
                      .refuses("C2", "0.0, inf");
  r.add_out_alike(unit, "out_").sample("1, 5, out=f32[0]");
  OpEntry& stepped = r.add(kStepped)
                         .tag(Tag::Factory)
                         .with_rule(stepped_rule)
                         .every_device(run_stepped)
                         .sample("0, 1, 0.25")
                         .sample("5, 0, -2, dtype=i64")
                         .refuses("C1", "0, 5, 0")
                         .refuses("C3", "0, 5, -1")
                         .refuses("C4", "0, (1+2j)");
  r.add_out_alike(stepped, "out").sample("0, 5, 2, out=f32[0]");
}

}  // namespace ersatz::op_range
