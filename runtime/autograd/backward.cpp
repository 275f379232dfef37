#include "runtime/autograd/backward.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/node_hooks.h"
#include "runtime/base/source_line.h"
#include "runtime/op/rule.h"

namespace ersatz {

thread_local constinit bool DetectAnomaly::t_on = false;

namespace {

/// Returns `gradient` converted to the sizes, dtype and device of `shape`. Raises a Runtime error if that is
/// impossible; the error names `from`, the node that returned the gradient, and its position `index`.
Tensor fitted(Tensor gradient, const GradientShape& shape, std::string_view from, size_t index) {
  const TensorMeta& m = gradient.meta();
  const GradientOps& ops = gradient_ops();
  if (!same_sizes(m.sizes, shape.sizes)) {
    const size_t more = m.sizes.size() - shape.sizes.size();
    bool broadcast = m.sizes.size() >= shape.sizes.size();
    for (size_t d = 0; broadcast && d < shape.sizes.size(); ++d) {
      broadcast = size_eq(shape.sizes[d], 1) || size_eq(shape.sizes[d], m.sizes[d + more]);
    }
    if (!broadcast) {
      fail_argument("{} returned an invalid gradient at index {}: got {}, expected a shape compatible with [{}]", from,
                    index, m, std::span<const SymInt>(shape.sizes));
    }
    gradient = ops.sum_to(gradient, shape.sizes);
  }
  if (is_complex(gradient.dtype()) && !is_complex(shape.dtype)) {
    fail_argument("{} returned an invalid gradient at index {}: expected real numbers for {}, got {}", from, index,
                  name(shape.dtype), gradient.meta());
  }
  if (gradient.dtype() != shape.dtype) gradient = ops.cast(gradient, shape.dtype);
  if (gradient.device() == shape.device) return gradient;
  if (gradient.dim() > 0) {
    fail_argument("{} returned an invalid gradient at index {}: expected device {} but got {}", from, index,
                  to_string(shape.device), gradient.meta());
  }
  return ops.to_device(gradient, shape.device);  // for gradients of 0 dims: PyTorch allows a CPU scalar among CUDA
                                                 // tensors
}

/// Raises a Runtime error if a gradient that the node returned contains NaN.
void require_no_nan(const GradNode& node, const Gradients& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& t = outputs[i];
    if (!t || t.is_fake() || t.device().type == DeviceType::Meta || !gradient_ops().has_nan(t)) continue;
    const std::string of = node.op_name().empty() ? "" : fmt::format(", of {}", node.op_name());
    const std::string line = node.source.empty() ? "is not known: no SourceLine was set" : "was " + node.source;
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
            fmt::format("Function '{}'{} returned nan values in its {}th output; the line of its forward call {}",
                        node.node_name(), of, i, line));
    e.source = node.source;
    throw e;
  }
}

/// One backward run. Each Run belongs to one thread; several threads may run the same graph.
class Run {
 public:
  Run(const BackwardOptions& options)
      : create_(options.create_graph), keep_(options.retain_graph.value_or(options.create_graph)) {}

  void start(const Edge& edge, Tensor gradient) {
    State& s = state(edge.node());
    add(s, edge.input(), std::move(gradient));
    if (std::find(roots_.begin(), roots_.end(), edge.node()) == roots_.end()) roots_.push_back(edge.node());
    alive_.push_back(edge);
  }

  /// Makes the run store the gradient that arrives at `edge` in `*to`. If there are captures, only nodes that lead to a
  /// captured edge run.
  void capture(const Edge& edge, Tensor* to) {
    state(edge.node()).captures.push_back({edge.input(), to});
    captures_ = true;
  }

  void go() {
    count_dependencies();
    if (captures_) mark_needed();
    for (GradNode* n : roots_) {
      if (states_.at(n).dependencies == 0) make_ready(n);
    }
    const ContextGuard recording([&](RuleContext& c) { c.grad_mode = create_; });
    while (!ready_.empty()) {
      std::pop_heap(ready_.begin(), ready_.end(), runs_later);
      GradNode* node = ready_.back();
      ready_.pop_back();
      run(node);
    }
  }

 private:
  struct Capture {
    uint32_t input;
    Tensor* to;
  };
  struct State {
    Gradients gradients;
    uint32_t dependencies = 0;
    bool runs = true;    // with captures: whether the node's edges lead to a capture
    bool wanted = true;  // with captures: `runs`, or the node itself has a capture
    bool seen = false;
    InlineVec<Capture, 1> captures;
  };

  static bool runs_later(const GradNode* a, const GradNode* b) { return a->sequence < b->sequence; }

  State& state(GradNode* n) { return states_[n]; }

  void count_dependencies() {
    std::vector<GradNode*> stack(roots_.begin(), roots_.end());
    for (GradNode* n : stack) state(n).seen = true;
    while (!stack.empty()) {
      GradNode* n = stack.back();
      stack.pop_back();
      for (const Edge& e : n->next) {
        if (!e) continue;
        State& s = state(e.node());
        ++s.dependencies;
        if (!std::exchange(s.seen, true)) stack.push_back(e.node());
      }
    }
  }

  /// Sets `runs` and `wanted` of each node. They depend on the nodes that the node's edges lead to, so those nodes are
  /// visited first.
  void mark_needed() {
    std::vector<GradNode*> order;
    std::unordered_map<GradNode*, uint32_t> met;
    for (GradNode* n : roots_) {
      if (states_.at(n).dependencies == 0) order.push_back(n);
    }
    for (size_t i = 0; i < order.size(); ++i) {
      for (const Edge& e : order[i]->next) {
        if (e && ++met[e.node()] == states_.at(e.node()).dependencies) order.push_back(e.node());
      }
    }
    for (auto n = order.rbegin(); n != order.rend(); ++n) {
      State& s = state(*n);
      s.runs = false;
      for (const Edge& e : (*n)->next) {
        if (e && states_.at(e.node()).wanted) s.runs = true;
      }
      s.wanted = s.runs || !s.captures.empty();
    }
  }

  void add(State& s, uint32_t input, Tensor gradient) {
    if (s.gradients.size() <= input) s.gradients.resize(input + 1);
    Tensor& sum = s.gradients[input];
    if (!sum) {
      sum = std::move(gradient);
      return;
    }
    const GradientOps& ops = gradient_ops();
    const bool sole = sum.impl()->use_count() == 1 && sum.storage()->use_count() == 1;
    if (!create_ && sole && same_sizes(first_gradient_strides(sum.meta()), sum.meta().strides) &&
        sum.dtype() == gradient.dtype()) {
      ops.add_into(sum, gradient);
    } else {
      sum = ops.add(sum, gradient);
    }
  }

  void make_ready(GradNode* n) {
    ready_.push_back(n);
    std::push_heap(ready_.begin(), ready_.end(), runs_later);
  }

  void run(GradNode* node) {
    State& s = state(node);
    Gradients outputs;
    if (s.wanted) {
      std::optional<SourceLine> line;
      if (!node->source.empty()) line.emplace(node->source);
      s.gradients.resize(std::max<size_t>(s.gradients.size(), node->inputs.size()));
      if (node->hooks) [[unlikely]] {
        run_with_hooks(*node, s, outputs);
      } else {
        hand_to_captures(s);
        if (s.runs) apply(*node, s.gradients, outputs);
      }
    }
    s.gradients.clear();
    outputs.resize(node->next.size());
    for (size_t i = 0; i < node->next.size(); ++i) {
      const Edge& e = node->next[i];
      if (!e) continue;
      State& to = state(e.node());
      if (outputs[i] && to.wanted) {
        add(to, e.input(), fitted(std::move(outputs[i]), e.node()->inputs[e.input()], node->node_name(), i));
      }
      if (--to.dependencies == 0) make_ready(e.node());
    }
  }

  /// Runs a node that has hooks. If only captures need the node, they get the gradient that the tensor's hooks return.
  /// If the node itself runs, the captures get the gradient before the hooks. Source: observed in PyTorch 2.15.
  void run_with_hooks(GradNode& node, State& s, Gradients& outputs) {
    const Ref<RefCounted> alive = node.hooks;
    const NodeHooks& hooks = *hooks_of(node);
    if (s.runs) hand_to_captures(s);
    hooks.run_tensor_hooks(node, s.gradients);
    hooks.leave_retained(s.gradients);
    if (!s.runs) return hand_to_captures(s);
    hooks.run_prehooks(node, s.gradients);
    apply(node, s.gradients, outputs);
    if (node.accumulates() && s.gradients[0] && leaf_of(node).meta().requires_grad) hooks.run_leaf_hooks(leaf_of(node));
    outputs.resize(node.next.size());
    hooks.run_hooks(node, outputs, s.gradients);
  }

  static void hand_to_captures(const State& s) {
    for (const Capture& c : s.captures) *c.to = s.gradients[c.input];
  }

  void apply(GradNode& node, std::span<const Tensor> gradients, Gradients& outputs) const {
    if (create_) {
      node.apply(gradients, keep_, outputs);
      if (anomaly_) require_no_nan(node, outputs);
      return;
    }
    const ExcludeAutograd excluded;
    node.apply(gradients, keep_, outputs);
    if (anomaly_) [[unlikely]]
      require_no_nan(node, outputs);
  }

  std::unordered_map<GradNode*, State> states_;
  std::vector<GradNode*> roots_, ready_;
  std::vector<Edge> alive_;  // keeps roots alive: an output that is a leaf has an accumulator that nothing else owns
  bool create_, keep_, captures_ = false;
  const bool anomaly_ = DetectAnomaly::is_on();
};

/// Returns the gradient that a run starts with at `output`: `given`, or 1 if `given` is undefined. Raises a Runtime
/// error if the sizes of `given` do not match the output's, or if only one of the two is complex.
Tensor first_gradient(const Tensor& output, const Tensor& given) {
  if (!given) {
    if (!guard_eq(output.numel(), 1))
      fail_argument("grad can be implicitly created only for scalar outputs, not for {}", output.meta());
    if (is_complex(output.dtype())) {
      fail_argument("grad can be implicitly created only for real scalar outputs but got {}", output.meta());
    }
    const ExcludeAutograd excluded;
    return gradient_ops().ones_like(without_history(output));
  }
  const auto& sizes = output.meta().sizes;
  if (!same_sizes(given.meta().sizes, sizes)) {
    fail_argument("Mismatch in shape: a gradient of {} was given for an output of {}", given.meta(), output.meta());
  }
  if (is_complex(given.dtype()) != is_complex(output.dtype())) {
    fail_argument("a gradient of {} was given for an output of {}: both must be complex or neither", given.meta(),
                  output.meta());
  }
  return given;
}

void start(Run& run, std::span<const Tensor> outputs, const BackwardOptions& options) {
  if (!options.gradients.empty() && options.gradients.size() != outputs.size()) {
    fail_argument("got {} outputs and {} gradients", outputs.size(), options.gradients.size());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Edge edge = gradient_edge(outputs[i]);
    if (!edge) {
      fail_argument("element {} of tensors does not require grad and does not have a grad_fn: {}", i,
                    outputs[i].meta());
    }
    Tensor first = first_gradient(outputs[i], options.gradients.empty() ? Tensor() : options.gradients[i]);
    run.start(edge, fitted(std::move(first), edge.node()->inputs[edge.input()], "the caller", i));
  }
}

}  // namespace

void backward(std::span<const Tensor> outputs, const BackwardOptions& options) {
  Run run(options);
  start(run, outputs, options);
  run.go();
}

std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         const BackwardOptions& options) {
  if (inputs.empty()) fail_argument("`inputs` argument to `grad()` cannot be empty");
  Run run(options);
  std::vector<Tensor> found(inputs.size());
  start(run, outputs, options);
  std::vector<Edge> edges;
  for (size_t i = 0; i < inputs.size(); ++i) {
    edges.push_back(gradient_edge(inputs[i]));
    if (!edges.back()) fail_argument("one of the differentiated tensors does not require grad: {}", inputs[i].meta());
    run.capture(edges.back(), &found[i]);
  }
  run.go();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (found[i] || options.allow_unused) continue;
    fail_argument(
        "the differentiated tensor at index {} appears to not have been used in the graph: {}; set allow_unused if "
        "this is the desired behavior",
        i, inputs[i].meta());
  }
  return found;
}

}  // namespace ersatz
