#include "kernels/random/randint.h"

#include "kernels/shape/scalar_fit.h"
#include "runtime/dispatch.h"
#include "runtime/meta_text.h"

namespace ersatz::op_randint {

void high_cpu(KernelCall& call);
void low_cpu(KernelCall& call);

namespace {

bool holds(DType dtype, int64_t v) {
  if (dtype == DType::Bool) return v == 0 || v == 1;
  if (dtype == DType::U8) return v >= 0 && v <= 255;
  return !is_complex(dtype) && scalar_fits(v, dtype);
}

void require_bounds(const RuleCall& call, SymInt low, SymInt high, DType dtype) {
  call.require(guard_lt(low, high), "C2", "expects low < high: {} and {}", low, high);
  if (low.is_symbolic() || high.is_symbolic()) return;
  call.require(holds(dtype, low.as_int()) && holds(dtype, high.as_int() - 1), "C3",
               "{} to {} must be numbers of dtype {}", low, high - SymInt(1), name(dtype));
}

void rule(RuleCall& call, SymInt low, SymInt high, size_t size) {
  TensorMeta& out = start_factory(call, size + 1, DType::I64, call.device);
  set_sizes(call, out, call.ints(size));
  require_bounds(call, low, high, out.dtype);
}
void high_rule(RuleCall& call) { rule(call, 0, call.sym(0), 1); }
void low_rule(RuleCall& call) { rule(call, call.sym(0), call.sym(1), 2); }

void out_rule(RuleCall& call, SymInt low, SymInt high, size_t size) {
  require_bounds(call, low, high, resized_out(call, size + 1, call.ints(size), SharedElements::Refused).dtype);
}
void high_out_rule(RuleCall& call) { out_rule(call, 0, call.sym(0), 1); }
void low_out_rule(RuleCall& call) { out_rule(call, call.sym(0), call.sym(1), 2); }

#define OPTIONS "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None"

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::randint(SymInt high, SymInt[] size, *, " OPTIONS ") -> Tensor", __FILE__)
      .tag(Tag::Factory | Tag::Random)
      .with_rule(high_rule)
      .cpu(high_cpu)
      .sample("10, [2, 3]")
      .refuses("C1", "10, [-1]")
      .refuses("C2", "0, [2]")
      .refuses("C3", "300, [2], dtype=u8");
  r.add("aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, " OPTIONS ") -> Tensor", __FILE__)
      .tag(Tag::Factory | Tag::Random)
      .with_rule(low_rule)
      .cpu(low_cpu)
      .sample("-5, 5, [2, 3]")
      .refuses("C2", "5, 5, [2]");
  r.add("aten::randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .tag(Tag::Random)
      .with_rule(high_out_rule)
      .cpu(high_cpu)
      .sample("10, [2, 3], out=f32[0]");
  r.add("aten::randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .tag(Tag::Random)
      .with_rule(low_out_rule)
      .cpu(low_cpu)
      .sample("-5, 5, [2, 3], out=i64[0]");
}
#undef OPTIONS

}  // namespace ersatz::op_randint

namespace ersatz::ops {

Tensor randint(SymInt low, SymInt high, std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.randint.low">(low, high, size, o.dtype.value_or(DType::I64), std::nullopt, o.device,
                                     std::nullopt);
}

}  // namespace ersatz::ops
