#include "kernels/creation/arange.h"

#include <cmath>

#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_arange {

// In these kernels' calls, start is argument 0 and step is argument 2, if the overload has them.
Kernel end_cpu, start_cpu, step_cpu;

namespace {

bool is_float_number(const Scalar& s) { return !s.is_integral(); }

double real_number(const RuleCall& call, const Scalar& s) {
  require_fits(call, s, DType::F64, "C4");
  return s.to_double();
}

constexpr char kStepIsZero[] = "step must not be 0",
               kLeadsAway[] = "step must lead from start to end: start {}, end {}, step {}";

/// Returns the number of elements, computed modulo 2^64 as in PyTorch. For a range longer than 2^63, the number is
/// therefore wrong, or the call is refused.
int64_t count(const RuleCall& call, int64_t from, int64_t to, int64_t by) {
  call.require(by != 0, "C1", kStepIsZero);
  call.require(by > 0 ? from <= to : from >= to, "C3", kLeadsAway, from, to, by);
  const int64_t sign = by > 0 ? 1 : -1;
  const auto span = static_cast<int64_t>(static_cast<uint64_t>(to) - static_cast<uint64_t>(from) +
                                         static_cast<uint64_t>(by) - static_cast<uint64_t>(sign));
  const int64_t n = by == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(span)) : span / by;
  call.require(n >= 0, "C3", "too many elements: start {}, end {}, step {}", from, to, by);
  return n;
}

/// From this version on, PyTorch computes the number of elements in double even for dtype i64, if an argument is a
/// float.
constexpr TorchVersion kCountsFloats{2, 14};

// Returns the number of elements. It is computed in integers for i64, and in double for other dtypes; the two differ if
// double cannot represent the numbers. If a number is symbolic, the number of elements is computed in integers.
SymInt count(const RuleCall& call, const Scalar& start, const Scalar& end, const Scalar& step, DType dtype) {
  const bool integers = start.is_integral() && end.is_integral() && step.is_integral();
  if (integers && (start.is_symbolic() || end.is_symbolic() || step.is_symbolic())) {
    const SymInt from = start.to_sym_int(), to = end.to_sym_int(), by = step.to_sym_int();
    call.require(check_ne(by, 0), "C1", kStepIsZero);
    const bool up = size_gt(by, 0);
    call.require(up ? check_le(from, to) : check_ge(from, to), "C3", kLeadsAway, from, to, by);
    return up ? floor_div(to - from + by - SymInt(1), by) : floor_div(from - to - by - SymInt(1), SymInt(0) - by);
  }
  if (integers && dtype == DType::I64) return count(call, start.to_int(), end.to_int(), step.to_int());
  const bool truncates = dtype == DType::I64 && call.context.torch < kCountsFloats;
  const double from = real_number(call, start), to = real_number(call, end), by = real_number(call, step);
  call.require(by != 0, "C1", kStepIsZero);
  call.require(std::isfinite(from) && std::isfinite(to) && std::isfinite(by), "C2",
               "start, end and step must be finite: {}, {} and {}", from, to, by);
  call.require(by > 0 ? to >= from : to <= from, "C3", kLeadsAway, from, to, by);
  if (truncates) {
    for (const Scalar* s : {&start, &end, &step}) require_fits(call, *s, DType::I64, "C4");
    return count(call, static_cast<int64_t>(from), static_cast<int64_t>(to), static_cast<int64_t>(by));
  }
  const double n = std::ceil((to - from) / by);
  call.require(n >= 0 && n < 9.2e18, "C3", "too many elements: start {}, end {}, step {}", from, to, by);
  return static_cast<int64_t>(n);
}

DType dtype_for(const RuleCall& call, const Scalar& start, const Scalar& end, const Scalar& step) {
  const bool floats = is_float_number(start) || is_float_number(end) || is_float_number(step);
  return floats ? call.context.default_dtype : DType::I64;
}

void rule(RuleCall& call, const Scalar& start, const Scalar& end, const Scalar& step, Position options) {
  const DType dtype = dtype_of_factory(call, options, dtype_for(call, start, end, step));
  call.require_dtype(dtype, kReals);
  const SymInt n = count(call, start, end, step, dtype);
  if (is_integer(dtype)) {
    for (const Scalar* s : {&start, &end, &step}) require_fits(call, *s, DType::I64, "C4");
  } else if (is_reduced_float(dtype)) {
    for (const Scalar* s : {&start, &step}) require_loop_number(call, *s, dtype, LoopNumber::Computed, "C4");
  }
  answer_vector(call, options, dtype, call.device, n);
}
void end_rule(RuleCall& call) { rule(call, 0, call.scalar(kArange["end"]), 1, kArange["dtype"]); }
void start_rule(RuleCall& call) {
  rule(call, call.scalar(kArangeStart["start"]), call.scalar(kArangeStart["end"]), 1, kArangeStart["dtype"]);
}
void step_rule(RuleCall& call) {
  rule(call, call.scalar(kArangeStartStep["start"]), call.scalar(kArangeStartStep["end"]),
       call.scalar(kArangeStartStep["step"]), kArangeStartStep["dtype"]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& to_end = r.add(kArange)
                        .tag(Tag::Factory)
                        .with_rule(end_rule)
                        .cpu(end_cpu)
                        .sample("5")
                        .sample("2.5, dtype=f64")
                        .refuses("C3", "-5");
  r.add_out_alike(to_end, "out").sample("5, out=f32[0]");
  r.add(kArangeStart).tag(Tag::Factory).with_rule(start_rule).cpu(start_cpu).sample("1, 5").refuses("C2", "0.0, inf");
  OpEntry& stepped = r.add(kArangeStartStep)
                         .tag(Tag::Factory | Tag::Core)
                         .with_rule(step_rule)
                         .cpu(step_cpu)
                         .sample("0, 1, 0.25")
                         .sample("5, 0, -2")
                         .refuses("C1", "0, 5, 0")
                         .refuses("C4", "0, (1+2j)");
  r.add_out_alike(stepped, "start_out").sample("0, 5, 2, out=f32[0]");
}

}  // namespace ersatz::op_arange
