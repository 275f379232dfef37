#include "tracer/trace/joint.h"

#include <algorithm>

#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/history_observer.h"
#include "tracer/trace/tracer.h"

namespace ersatz {

namespace {

/// If autograd saves a tensor for backward, makes the tracer treat it as the argument or result whose memory it has.
class SavedForTracer final : public HistoryObserver {
 public:
  explicit SavedForTracer(Tracer& tracer) : tracer_(tracer) {}
  void made_without_history(const Tensor& made, const Tensor& of) override { tracer_.know_as(made, of); }

 private:
  Tracer& tracer_;
};

void require_no_gradients(const Program& program) {
  for (const GraphOutput& o : program.main().outputs) {
    if (o.kind != OutputKind::GradientToParameter && o.kind != OutputKind::GradientToUserInput) continue;
    fail_argument("the program is joint already: its output {} is the gradient of {}",
                  o.value.kind == Arg::Kind::Value ? program.name(program.main().values[o.value.index].name) : "",
                  program.name(o.target));
  }
}

/// Returns the sum of all elements of all tensors, as a 0-d tensor.
Tensor sum_of(std::span<const Tensor> tensors) {
  Tensor sum;
  for (const Tensor& t : tensors) {
    const Tensor one = gradient_ops().sum_to(t, {});
    sum = sum ? gradient_ops().add(sum, one) : one;
  }
  return sum;
}

}  // namespace

void Tracer::know_as(const Tensor& made, const Tensor& of) {
  const Tensor now = functional_ ? functional_->current(Value(of)).tensor() : of;
  if (find(now.impl()) == kNone && !now.is_fake()) capture(now);
  track_as(made, now);
}

std::vector<Value> JointTrace::run(Interpreter& interpreter, std::span<const Value> inputs) {
  Tracer* const tracer = current_tracer();
  ERSATZ_ASSERT(tracer, "a joint trace runs outside of a trace");
  if (tracer->options().pre_dispatch)
    fail_argument("a program recorded before dispatch has no gradients: calls are recorded below autograd there");
  require_no_gradients(program_);
  const FollowAutograd followed;
  const EnableGrad recorded;
  const SavedForTracer saved(*tracer);
  const std::vector<GradientLeaf> leaves = make_recorded_leaves(program_, inputs);
  if (leaves.empty()) fail_argument("the program has no parameter, and no input that requires a gradient");
  interpreter.leave_inputs();  // the run must not write to its inputs, because backward may need them
  std::vector<Value> outputs = interpreter.run(inputs);
  tracer->stand_for(program_, Node());  // the nodes that follow come from no node of the old program
  const Loss found = loss_of(program_, outputs, wanted_);
  facts_.loss = found.words;
  loss_output_ = found.output;
  Tensor loss = found.tensors[0];
  if (loss_output_ == kNone) {
    loss = sum_of(found.tensors);
    outputs.push_back(Value(loss));
  }
  std::vector<Tensor> of;
  for (const GradientLeaf& leaf : leaves) of.push_back(leaf.tensor);
  BackwardOptions options;
  options.allow_unused = true;
  const std::vector<Tensor> gradients = grad(std::span<const Tensor>(&loss, 1), of, options);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (!gradients[i]) {
      facts_.without.push_back(leaves[i].name);
      continue;
    }
    outputs.push_back(Value(gradients[i]));
    reached_.push_back(leaves[i]);
    reached_.back().tensor = {};
  }
  facts_.gradients = static_cast<int64_t>(reached_.size());
  return outputs;
}

void JointTrace::describe_outputs(Program& made, size_t first) const {
  std::vector<GraphOutput>& outputs = made.main().outputs;
  size_t at = first + program_.main().outputs.size();
  outputs[loss_output_ == kNone ? at++ : first + loss_output_].kind = OutputKind::Loss;
  for (const GradientLeaf& leaf : reached_) {
    outputs[at].kind = leaf.is_parameter ? OutputKind::GradientToParameter : OutputKind::GradientToUserInput;
    outputs[at++].target = made.names.intern(leaf.name);
  }
}

}  // namespace ersatz
