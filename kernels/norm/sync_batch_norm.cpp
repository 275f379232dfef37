#include "kernels/norm/sync_batch_norm.h"

#include "kernels/creation/full.h"
#include "kernels/norm/norm_rule.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/mean.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_sync_batch_norm {
namespace {

using namespace arithmetic;

/// The input of a call and its channels. `wide` is the input in the dtype of its statistics.
class Batch {
 public:
  Batch(const CompositeCall& call, Position input) : call_(call), input_(call.tensor(input)) {
    call.require_dtype(input_.dtype(), kFloats);
    call.require_index(input_.dim() > 1, "C1", "input must have a dim of channels, it is {}", input_.meta());
    for (int64_t d = 0; d < input_.dim(); ++d)
      if (d != 1) shared_.push_back(d);
    wide_ = wide_operand(input_);
  }
  const Tensor& input() const { return input_; }
  const Tensor& wide() const { return wide_; }
  SymInt channels() const { return input_.sizes()[1]; }
  SymInt elements() const { return floor_div(input_.numel(), channels()); }
  void require_elements() const {
    call_.require(check_ne(input_.numel(), 0), "C3", "there must be an element for each channel: input is {}",
                  input_.meta());
  }
  Tensor mean(const Tensor& t) const { return ops::mean(t, shared_); }
  Tensor sum(const Tensor& t) const { return ops::sum(t, shared_); }
  /// Returns the vector at position p, viewed so that it broadcasts against the input. Undefined if the argument is
  /// None.
  Tensor channel(Position p) const { return call_.has(p) ? spread(vector(p)) : Tensor(); }
  Tensor vector(Position p) const {
    const Tensor t = call_.tensor(p);
    call_.require(t.dim() == 1, "C2", "{} must have one dim: it is {}", call_.op.schema.arguments[p].name, t.meta());
    // On the CPU, at::batch_norm_update_stats reads and writes an element for each channel without checking the size.
    const bool open = call_.op.base() == "batch_norm_update_stats";
    call_.require(check_eq(t.sizes()[0], channels()), open ? "C2.or_any" : "C2",
                  "{} must have an element for each channel ({}): it is {}", call_.op.schema.arguments[p].name,
                  channels(), t.meta());
    return wide_operand(t);
  }
  Tensor spread(const Tensor& t) const {
    DimVec sizes(static_cast<size_t>(input_.dim()), SymInt(1));
    sizes[1] = channels();
    return ops::reshape(t, sizes);
  }
  /// Updates the running statistics that are given. The new values `mean` and `var` have the weight `momentum`. `var`
  /// was divided by n - 1.
  void update(Position running_mean, Position running_var, double momentum, const Tensor& mean,
              const Tensor& var) const {
    for (const auto& [p, t] : {std::pair(running_mean, mean), std::pair(running_var, var)}) {
      if (!call_.has(p)) continue;
      const Tensor to = call_.tensor(p), moved = vector(p) * Scalar(1 - momentum) + t * Scalar(momentum);
      // If the channels of the argument share memory, the last channel's value is kept.
      const bool shared = internal_overlap(to.meta()) == Overlap::Yes;
      ops::copy_(shared ? ops::select(to, 0, -1) : to, shared ? ops::select(moved, 0, -1) : moved);
    }
  }

 private:
  const CompositeCall& call_;
  Tensor input_, wide_;
  DimVec shared_;
};

struct Statistics {
  Tensor mean, var;
};
Statistics statistics(const Batch& batch) {
  batch.require_elements();
  const Tensor mean = batch.mean(batch.wide()), above = batch.wide() - batch.spread(mean);
  return {mean, batch.mean(above * above)};
}

void stats(CompositeCall& call) {
  const auto [mean, var] = statistics(Batch(call, kStats["input"]));
  call.returns(mean);
  call.returns(ops::rsqrt(ops::add(var, Scalar(call.real(kStats["eps"])))));
}

void update_stats(CompositeCall& call) {
  const Position running_mean = kUpdateStats["running_mean"], running_var = kUpdateStats["running_var"];
  const auto statistics_dtype = [&] {
    return norm_statistics_dtype(call, call.meta(kUpdateStats["input"]).dtype, {running_mean, running_var}, "C2");
  };
  call.require_dtype(call.meta(kUpdateStats["input"]).dtype, kFloats);
  // If the first running statistic has another dtype than the input, ATen checks both statistics before the input's
  // dims.
  const Position first = call.has(running_mean) ? running_mean : running_var;
  if (call.has(first) && call.meta(first).dtype != call.meta(kUpdateStats["input"]).dtype) statistics_dtype();
  const Batch batch(call, kUpdateStats["input"]);
  const DType dtype = statistics_dtype();
  const auto [mean, var] = statistics(batch);
  const SymInt n = batch.elements();
  const Tensor corrected = var * Scalar(n) / Scalar(n - 1);
  batch.update(running_mean, running_var, call.real(kUpdateStats["momentum"]), mean, corrected);
  call.returns(ops::to(mean, dtype));
  call.returns(ops::to(var, dtype));
}

/// Combines the statistics of all processes. `counts` has a row of element counts for each process, or is one number.
void gather(CompositeCall& call, const Tensor& counts) {
  const Batch batch(call, kGathers["input"]);
  for (Position p : {kGathers["mean"], kGathers["invstd"]}) {
    const TensorMeta& t = call.meta(p);
    call.require(t.dim() == 2 && check_eq(t.sizes[1], batch.channels()), "C2",
                 "{} must have a row of {} for each process: it is {}", call.op.schema.arguments[p].name,
                 batch.channels(), t);
  }
  const double eps = call.real(kGathers["eps"]);
  const Tensor means = wide_operand(call.tensor(kGathers["mean"])),
               scale = wide_operand(call.tensor(kGathers["invstd"]));
  const Tensor weights = counts * ops::ones_like(means);
  const auto total = [](const Tensor& t) { return ops::sum(t, DimVec{SymInt(0)}); };
  const Tensor n = total(weights), mean = total(means * weights) / n, above = means - mean;
  const Tensor vars = ops::sub(ops::reciprocal(scale * scale), Scalar(eps));
  const Tensor squares = total((vars + above * above) * weights);
  batch.update(kGathers["running_mean"], kGathers["running_var"], call.real(kGathers["momentum"]), mean,
               squares / ops::sub(n, Scalar(1)));
  call.returns(mean);
  call.returns(ops::rsqrt(ops::add(squares / n, Scalar(eps))));
}
void gather_one(CompositeCall& call) {
  const Tensor means = call.tensor(kGather["mean"]);
  gather(call, ops::full(DimVec(), Scalar(call.integer(kGather["count"])),
                         {.dtype = wide_operand(means).dtype(), .device = means.device()}));
}
void gather_counts(CompositeCall& call) {
  const Tensor counts = call.tensor(kGatherCounts["counts"]), means = call.tensor(kGatherCounts["mean"]);
  call.require(means.dim() > 0 && check_eq(counts.numel(), means.sizes()[0]), "C2",
               "counts must have an element for each process: it is {}, mean is {}", counts.meta(), means.meta());
  gather(call, ops::reshape(ops::to(counts, wide_operand(means).dtype()), DimVec{-1, 1}));
}

void elements(CompositeCall& call) {
  const Batch batch(call, kElements["input"]);
  const Tensor weight = batch.channel(kElements["weight"]), bias = batch.channel(kElements["bias"]);
  Tensor out = (batch.wide() - batch.channel(kElements["mean"])) * batch.channel(kElements["invstd"]);
  if (weight) out = out * weight;
  if (bias) out = out + bias;
  call.returns(ops::to(out, batch.input().dtype()));
}

void reduce(CompositeCall& call) {
  const Batch batch(call, kReduce["input"]);
  const Tensor grad = wide_operand(call.tensor(kReduce["grad_out"]));
  call.require(grad.dim() == batch.input().dim() && check_eq(grad.sizes(), batch.input().sizes()), "C2",
               "grad_out must have the sizes of input: they are {} and {}", grad.meta(), batch.input().meta());
  const Tensor sum = batch.sum(grad), above = batch.sum(grad * (batch.wide() - batch.channel(kReduce["mean"]))),
               of_weight = above * batch.vector(kReduce["invstd"]);
  const DType parameter = call.has(kReduce["weight"]) ? call.meta(kReduce["weight"]).dtype : sum.dtype();
  const bool input = call.boolean(kReduce["input_g"]);
  call.returns(input ? Value(sum) : Value());
  call.returns(input ? Value(above) : Value());
  call.returns(call.boolean(kReduce["weight_g"]) ? Value(ops::to(of_weight, parameter)) : Value());
  call.returns(call.boolean(kReduce["bias_g"]) ? Value(ops::to(sum, parameter)) : Value());
}

void elements_backward(CompositeCall& call) {
  const Batch batch(call, kElementsBackward["input"]);
  const Tensor grad = wide_operand(call.tensor(kElementsBackward["grad_out"]));
  const Tensor scale = batch.channel(kElementsBackward["invstd"]), weight = batch.channel(kElementsBackward["weight"]);
  const Tensor n = ops::to(ops::sum(call.tensor(kElementsBackward["count"])), batch.wide().dtype());
  const Tensor mean_grad = batch.channel(kElementsBackward["sum_dy"]) / n,
               along = batch.channel(kElementsBackward["sum_dy_xmu"]) / n;
  const Tensor above = batch.wide() - batch.channel(kElementsBackward["mean"]);
  const Tensor out = (grad - mean_grad - above * scale * scale * along) * scale;
  call.returns(ops::to(weight ? out * weight : out, batch.input().dtype()));
}

/// Registers the operator and its `out=` overload.
OpEntry& add(Registry& r, const Schema& schema, CompositeBody body, const std::string& sample, std::string_view outs) {
  OpEntry& op = r.add(schema).with_composite(body).sample(sample, 0.5, 2);
  add_written_apart(r, op, "out").sample(fmt::format("{}, {}", sample, outs), 0.5, 2);
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  constexpr const char* kTwo = "out0=f32[0], out1=f32[0]";
  add(r, kStats, stats, "f32[2,3,4], 1e-05", kTwo).refuses("C1", "f32[3], 1e-05").refuses("C3", "f32[0,3], 1e-05");
  add(r, kUpdateStats, update_stats, "f32[2,3,4], f32[3], f32[3], 0.1", kTwo)
      .sample("f16[2,3], None, None, 0.1")
      .refuses("C2.or_any", "f32[2,3], f32[2], None, 0.1");
  add(r, kGather, gather_one, "f32[2,3,4], f32[2,3], f32[2,3], f32[3], f32[3], 0.1, 1e-05, 8", kTwo)
      .refuses("C2", "f32[2,3,4], f32[3], f32[2,3], None, None, 0.1, 1e-05, 8");
  add(r, kGatherCounts, gather_counts, "f32[2,3,4], f32[2,3], f32[2,3], f32[3], None, 0.1, 1e-05, f32[2]", kTwo)
      .refuses("C2", "f32[2,3,4], f32[2,3], f32[2,3], None, None, 0.1, 1e-05, f32[3]");
  add(r, kElements, elements, "f32[2,3,4], f32[3], f32[3], f32[3], f32[3], 1e-05", "out=f32[0]");
  add(r, kReduce, reduce, "f32[2,3,4], f32[2,3,4]{12,1,3}, f32[3], f32[3], f32[3], True, True, True",
      "out0=f32[0], out1=f32[0], out2=f32[0], out3=f32[0]")
      .refuses("C2", "f32[2,3], f32[2,3,4], f32[3], f32[3], None, True, False, False");
  add(r, kElementsBackward, elements_backward, "f32[2,3,4], f32[2,3,4], f32[3], f32[3], f32[3], f32[3], f32[3], i32[2]",
      "out=f32[0]");
}

}  // namespace ersatz::op_sync_batch_norm
