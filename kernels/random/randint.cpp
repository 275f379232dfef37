#include "kernels/random/randint.h"

#include <cmath>

#include "kernels/indexing/tensor_number.h"
#include "kernels/random/draw.h"
#include "kernels/random/integer_bounds.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_randint {
namespace {

void require_bounds(const RuleCall& call, const Value& low, const Value& high, DType dtype) {
  const bool known = !low.is_symbolic() && !high.is_symbolic();
  call.require(known ? low.as_int64() < high.as_int64() : check_lt(low.as_bound(), high.as_bound()), "C2",
               "expects low < high: {} and {}", to_string(low), to_string(high));
  if (!known) return;
  const int64_t first = low.as_int64(), last = high.as_int64() - 1;
  call.require(holds_integer(dtype, first) && holds_integer(dtype, last), "C3", "{} to {} must be numbers of dtype {}",
               first, last, name(dtype));
}

void rule(RuleCall& call, const Value& low, const Value& high, Position size) {
  const TensorMeta& out =
      answer_sized(call, size + 1, DType::I64, call.device, call.ints(size), SharedElements::Refused);
  require_bounds(call, low, high, out.dtype);
}
void high_rule(RuleCall& call) { rule(call, Value(0), call[kRandint["high"]], kRandint["size"]); }
void low_rule(RuleCall& call) { rule(call, call[kRandintLow["low"]], call[kRandintLow["high"]], kRandintLow["size"]); }

template <bool low>
void like_rule(RuleCall& call) {
  constexpr Schema kArgs = low ? kRandintLikeLowDtype : kRandintLike;
  const TensorMeta& out = answer_factory_like(call, kArgs["dtype"], kArgs["memory_format"], "C4");
  require_bounds(call, low ? call[kRandintLikeLowDtype["low"]].borrowed() : Value(0), call[kArgs["high"]], out.dtype);
}

// A rule does not read the elements of tensors, so the kernel checks a bound that is a tensor.
void tensor_like_rule(RuleCall& call) {
  const TensorMeta& high = call.meta(kRandintLikeTensor["high"]);
  call.require(high.dim() == 0 && high.device.is_cpu(), "C5", "expects a CPU tensor without dims: high is {}", high);
  answer_factory_like(call, kRandintLikeTensor["dtype"], kRandintLikeTensor["memory_format"], "C4");
}

void draw(KernelCall& call, int64_t low, int64_t high) {
  draw_integers(call.outputs[0], default_generator(call.outputs[0].device()), low, high);
}

void run_high(KernelCall& call) { draw(call, 0, call[kRandint["high"]].as_int64()); }
void run_low(KernelCall& call) {
  draw(call, call[kRandintLow["low"]].as_int64(), call[kRandintLow["high"]].as_int64());
}
void run_like_high(KernelCall& call) { draw(call, 0, call[kRandintLike["high"]].as_int64()); }
void run_like_low(KernelCall& call) {
  draw(call, call[kRandintLikeLowDtype["low"]].as_int64(), call[kRandintLikeLowDtype["high"]].as_int64());
}
void run_like_tensor(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Scalar bound = first_number(call.tensor(kRandintLikeTensor["high"]));
  // Is the bound a number that fits into 64 bits? A double represents 2^63 exactly.
  const bool is_integer = bound.is_integral() || (!bound.is_complex() && std::abs(bound.to_double()) < 0x1p63);
  if (!is_integer)
    fail_on_value(call, ErrorFamily::Runtime, "high is no integer of 64 bits: {}", to_string(Value(bound)));
  const int64_t high = bound.to_int();
  if (high <= 0) fail_on_value(call, ErrorFamily::Runtime, "expects 0 < high: got {}", high);
  if (!holds_integer(out.dtype(), high - 1)) {
    fail_on_value(call, ErrorFamily::Runtime, "{} is no number of dtype {}", high - 1, name(out.dtype()));
  }
  draw(call, 0, high);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& below = r.add(kRandint)
                       .tag(Tag::Factory | Tag::Random)
                       .with_rule(high_rule)
                       .every_device(run_high)
                       .sample("10, [2, 3]")
                       .refuses("C1", "10, [-1]")
                       .refuses("C2", "0, [2]")
                       .refuses("C3", "300, [2], dtype=u8");
  r.add_out_alike(below, "out").sample("10, [2, 3], out=f32[0]");
  OpEntry& between = r.add(kRandintLow)
                         .tag(Tag::Factory | Tag::Random)
                         .with_rule(low_rule)
                         .every_device(run_low)
                         .sample("-5, 5, [2, 3]")
                         .refuses("C2", "5, 5, [2]");
  r.add_out_alike(between, "low_out").sample("-5, 5, [2, 3], out=i64[0]");
  struct Like {
    Schema functional;
    Rule rule;
    FillKernel kernel;
    const char *out, *sample, *refused;
  };
  for (const Like& l : {Like{kRandintLike, like_rule<false>, run_like_high, "out", "5", "0"},
                        Like{kRandintLikeLowDtype, like_rule<true>, run_like_low, "low_dtype_out", "-5, 5", "5, 5"},
                        Like{kRandintLikeTensor, tensor_like_rule, run_like_tensor, "Tensor_out", "i64[]", nullptr}}) {
    OpEntry& op = r.add(l.functional)
                      .tag(Tag::Random)
                      .with_rule(l.rule)
                      .every_device(l.kernel)
                      .sample(fmt::format("f32[2,3]{{1,2}}, {}", l.sample), 5, 7);
    op.refuses("C4", fmt::format("f32[2], {}, memory_format=channels_last", l.sample));
    if (l.refused) {
      op.refuses("C2", fmt::format("f32[2], {}", l.refused));
    } else {
      op.tag(Tag::FailsOnValues).refuses("C5", "f32[2], i64[1]");
      op.device_rules.assign(op.schema.arguments.size(), DeviceRule::Same);
      op.device_rules[kRandintLikeTensor["high"]] = DeviceRule::Any;
    }
    r.add_out_alike(op, l.out).sample(fmt::format("f32[2,3], {}, out=i64[0]", l.sample), 5, 7);
  }
}

}  // namespace ersatz::op_randint
