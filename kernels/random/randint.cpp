#include "kernels/random/randint.h"

#include "kernels/random/integer_bounds.h"
#include "kernels/shape/copy_layout.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_randint {

void run_high(KernelCall& call);
void run_low(KernelCall& call);
void run_like_high(KernelCall& call);
void run_like_low(KernelCall& call);
void run_like_tensor(KernelCall& call);

namespace {

void require_bounds(const RuleCall& call, SymInt low, SymInt high, DType dtype) {
  call.require(guard_lt(low, high), "C2", "expects low < high: {} and {}", low, high);
  if (low.is_symbolic() || high.is_symbolic()) return;
  call.require(holds_integer(dtype, low.as_int()) && holds_integer(dtype, high.as_int() - 1), "C3",
               "{} to {} must be numbers of dtype {}", low, high - SymInt(1), name(dtype));
}

void rule(RuleCall& call, SymInt low, SymInt high, Position size) {
  TensorMeta& out = start_factory(call, size + 1, DType::I64, call.device);
  set_sizes(call, out, call.ints(size));
  require_bounds(call, low, high, out.dtype);
}
void high_rule(RuleCall& call) { rule(call, 0, call.sym(kRandint["high"]), kRandint["size"]); }
void low_rule(RuleCall& call) {
  rule(call, call.sym(kRandintLow["low"]), call.sym(kRandintLow["high"]), kRandintLow["size"]);
}

void out_rule(RuleCall& call, SymInt low, SymInt high, Position size) {
  require_bounds(call, low, high, resized_out(call, size + 1, call.ints(size), SharedElements::Refused).dtype);
}
void high_out_rule(RuleCall& call) { out_rule(call, 0, call.sym(kRandintOut["high"]), kRandintOut["size"]); }
void low_out_rule(RuleCall& call) {
  out_rule(call, call.sym(kRandintLowOut["low"]), call.sym(kRandintLowOut["high"]), kRandintLowOut["size"]);
}

// (self, [low,] high, options, format) and (self, [low,] high, format, out)
template <bool low>
void like_rule(RuleCall& call) {
  constexpr Schema kArgs = low ? kRandintLikeLowDtype : kRandintLike;
  const TensorMeta& from = call.meta(kArgs["self"]);
  TensorMeta& out = start_factory(call, kArgs["dtype"], from.dtype, from.device);
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call[kArgs["memory_format"]], "C4");
  require_bounds(call, low ? call.sym(kRandintLikeLowDtype["low"]) : SymInt(0), call.sym(kArgs["high"]), out.dtype);
}
template <bool low>
void like_out_rule(RuleCall& call) {
  constexpr Schema kArgs = low ? kRandintLikeLowDtypeOut : kRandintLikeOut;
  const TensorMeta& out = resized_out(call, kArgs["out"], call.meta(kArgs["self"]).sizes, SharedElements::Refused);
  require_bounds(call, low ? call.sym(kRandintLikeLowDtypeOut["low"]) : SymInt(0), call.sym(kArgs["high"]), out.dtype);
}

// A bound that a tensor holds is looked at by the kernel.
void require_scalar_tensor(const RuleCall& call) {
  const TensorMeta& high = call.meta(kLikeTensor["high"]);
  call.require(high.dim() == 0 && high.device.is_cpu(), "C5", "expects a CPU tensor without dims: high is {}", high);
}
void tensor_like_rule(RuleCall& call) {
  const TensorMeta& from = call.meta(kRandintLikeTensor["self"]);
  require_scalar_tensor(call);
  TensorMeta& out = start_factory(call, kRandintLikeTensor["dtype"], from.dtype, from.device);
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call[kRandintLikeTensor["memory_format"]], "C4");
}
void tensor_like_out_rule(RuleCall& call) {
  require_scalar_tensor(call);
  resized_out(call, kRandintLikeTensorOut["out"], call.meta(kRandintLikeTensorOut["self"]).sizes,
              SharedElements::Refused);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kRandint)
      .tag(Tag::Factory | Tag::Random)
      .with_rule(high_rule)
      .every_device(run_high)
      .sample("10, [2, 3]")
      .refuses("C1", "10, [-1]")
      .refuses("C2", "0, [2]")
      .refuses("C3", "300, [2], dtype=u8");
  r.add(kRandintLow)
      .tag(Tag::Factory | Tag::Random)
      .with_rule(low_rule)
      .every_device(run_low)
      .sample("-5, 5, [2, 3]")
      .refuses("C2", "5, 5, [2]");
  r.add(kRandintOut).tag(Tag::Random).with_rule(high_out_rule).every_device(run_high).sample("10, [2, 3], out=f32[0]");
  r.add(kRandintLowOut)
      .tag(Tag::Random)
      .with_rule(low_out_rule)
      .every_device(run_low)
      .sample("-5, 5, [2, 3], out=i64[0]");
  struct Like {
    Schema functional, out;
    Rule rule, out_rule;
    FillKernel kernel;
    const char *sample, *refused;
  };
  for (const Like& l :
       {Like{kRandintLike, kRandintLikeOut, like_rule<false>, like_out_rule<false>, run_like_high, "5", "0"},
        Like{kRandintLikeLowDtype, kRandintLikeLowDtypeOut, like_rule<true>, like_out_rule<true>, run_like_low, "-5, 5",
             "5, 5"},
        Like{kRandintLikeTensor, kRandintLikeTensorOut, tensor_like_rule, tensor_like_out_rule, run_like_tensor,
             "i64[]", nullptr}}) {
    OpEntry& op = r.add(l.functional)
                      .tag(Tag::Random)
                      .with_rule(l.rule)
                      .every_device(l.kernel)
                      .sample(fmt::format("f32[2,3]{{1,2}}, {}", l.sample), 5, 7);
    OpEntry& out = r.add(l.out)
                       .tag(Tag::Random)
                       .with_rule(l.out_rule)
                       .every_device(l.kernel)
                       .sample(fmt::format("f32[2,3], {}, out=i64[0]", l.sample), 5, 7);
    op.refuses("C4", fmt::format("f32[2], {}, memory_format=channels_last", l.sample));
    if (l.refused) {
      op.refuses("C2", fmt::format("f32[2], {}", l.refused));
      continue;
    }
    op.tag(Tag::FailsOnValues).refuses("C5", "f32[2], i64[1]");
    out.tag(Tag::FailsOnValues);
    for (OpEntry* e : {&op, &out}) {
      e->device_rules.assign(e->schema.arguments.size(), DeviceRule::Same);
      e->device_rules[1] = DeviceRule::Any;
    }
  }
}

}  // namespace ersatz::op_randint

namespace ersatz::ops {

Tensor randint(SymInt low, SymInt high, std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.randint.low">(low, high, size, o.dtype.value_or(DType::I64), std::nullopt, o.device,
                                     std::nullopt);
}

}  // namespace ersatz::ops
