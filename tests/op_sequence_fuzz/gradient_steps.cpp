#include "tests/op_sequence_fuzz/gradient_steps.h"

#include <numeric>

#include "runtime/autograd/backward.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

std::string autograd_facts(const Tensor& t) {
  std::string text = fmt::format("version {}", t.version());
  try {
    const GradNode* node = grad_fn(t);
    const Tensor gradient = grad(t);
    text += fmt::format(", requires_grad {}, leaf {}, view {}, inference {}, grad_fn {}, grad {}", requires_grad(t),
                        is_leaf(t), is_view(t), t.meta().inference, node ? node->node_name() : "None",
                        gradient ? to_string(gradient.meta()) : "None");
  } catch (const Error& e) {
    text += fmt::format(", refused: {}", e.message);
  }
  return text;
}

Tensor incoming_gradient(const Tensor& output, uint64_t seed) {
  TensorMeta meta(output.dtype(), output.meta().sizes);
  switch (seed >> 2 & 3) {
    case 0:
      return {};
    case 1:
      break;
    case 2:
      std::reverse(meta.sizes.begin(), meta.sizes.end());
      meta.strides = contiguous_strides(meta.sizes);
      std::reverse(meta.sizes.begin(), meta.sizes.end());
      std::reverse(meta.strides.begin(), meta.strides.end());
      break;
    case 3:
      std::fill(meta.strides.begin(), meta.strides.end(), SymInt(0));
      break;
  }
  const Tensor made = make_sample_tensor(std::move(meta));
  fill_random(made, 1, 1, 0);
  return made;
}

namespace {
/// Returns whether a graph holds the node that adds to the leaf's `.grad`.
bool is_in_a_graph(const Tensor& leaf) {
  const AutogradMeta* a = autograd_meta(leaf.impl());
  return a && a->accumulator.lock();
}
}  // namespace

std::vector<Value> ask_autograd(const SequenceCall& call, std::span<const Tensor> tensors, const Tensor& incoming) {
  const bool keep = call.options.seed & 1, create = call.options.seed >> 1 & 1;
  const BackwardOptions options{{incoming}, keep, create, true};
  const std::span<const Tensor> outputs = tensors.first(1);
  switch (call.action) {
    case SequenceAction::Require:
      // A leaf in a graph keeps its requires_grad. Otherwise a tensor that was computed from the leaf could be written
      // to it. The leaf would then own the graph that owns it, as in PyTorch.
      if (keep || !is_in_a_graph(tensors[0])) set_requires_grad(tensors[0], keep);
      break;
    case SequenceAction::Retain:
      retain_grad(tensors[0]);
      break;
    case SequenceAction::Clear:
      set_grad(tensors[0], {});
      break;
    case SequenceAction::Backward:  // a gradient with a graph would own the leaf that owns it: nothing would free them
      backward(outputs, {{incoming}, keep, false, true});
      break;
    case SequenceAction::Grad: {
      std::vector<Value> gradients;
      for (Tensor& t : grad(outputs, tensors.size() > 1 ? tensors.subspan(1) : outputs, options))
        gradients.push_back(t ? Value(std::move(t)) : Value());
      return gradients;
    }
    case SequenceAction::Call:
      break;
  }
  return {};
}

}  // namespace ersatz
