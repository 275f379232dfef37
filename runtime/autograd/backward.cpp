#include "runtime/autograd/backward.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/base/source_line.h"
#include "runtime/op/rule.h"

namespace ersatz {

namespace {

bool same(std::span<const SymInt> a, std::span<const SymInt> b) {
  if (a.size() != b.size()) return false;
  for (size_t d = 0; d < a.size(); ++d) {
    if (!size_eq(a[d], b[d])) return false;
  }
  return true;
}

/// A gradient made to fit what it is the gradient of.
Tensor fitted(Tensor gradient, const GradientShape& shape, const GradNode& from) {
  const TensorMeta& m = gradient.meta();
  const GradientOps& ops = gradient_ops();
  if (!same(m.sizes, shape.sizes)) {
    const size_t more = m.sizes.size() - shape.sizes.size();
    bool broadcast = m.sizes.size() >= shape.sizes.size();
    for (size_t d = 0; broadcast && d < shape.sizes.size(); ++d) {
      broadcast = size_eq(shape.sizes[d], 1) || size_eq(shape.sizes[d], m.sizes[d + more]);
    }
    if (!broadcast) {
      fail_argument("{} returned an invalid gradient: {} for a tensor of sizes [{}]", from.node_name(), m,
                    std::span<const SymInt>(shape.sizes));
    }
    gradient = ops.sum_to(gradient, shape.sizes);
  }
  if (is_complex(gradient.dtype()) && !is_complex(shape.dtype)) {
    fail_argument("{} returned an invalid gradient: expected real numbers for {}, got {}", from.node_name(),
                  name(shape.dtype), gradient.meta());
  }
  if (gradient.dtype() != shape.dtype) gradient = ops.cast(gradient, shape.dtype);
  return gradient;
}

/// One run. Not shared between threads; the graph may be.
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

  /// Records the gradient that arrives at this place; runs only what leads to one of these.
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
    bool needed = true, seen = false;
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
      order_.push_back(n);
      for (const Edge& e : n->next) {
        if (!e) continue;
        State& s = state(e.node());
        ++s.dependencies;
        if (!std::exchange(s.seen, true)) stack.push_back(e.node());
      }
    }
  }

  /// A node is needed where it, or a node behind it, has a place that is asked for. What comes later in sequence was
  /// made later, so nodes behind are looked at first.
  void mark_needed() {
    std::vector<GradNode*> order = order_;
    std::sort(order.begin(), order.end(), [](GradNode* a, GradNode* b) {
      if (a->accumulates() != b->accumulates()) return a->accumulates();
      return a->sequence < b->sequence;
    });
    for (GradNode* n : order) {
      State& s = state(n);
      s.needed = !s.captures.empty();
      for (const Edge& e : n->next) {
        if (e && states_.at(e.node()).needed) s.needed = true;
      }
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
    if (!create_ && sole && same(first_gradient_strides(sum.meta()), sum.meta().strides) &&
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
    s.gradients.resize(std::max<size_t>(s.gradients.size(), node->inputs.size()));
    for (const Capture& c : s.captures) *c.to = s.gradients[c.input];
    retain(*node, s.gradients);
    Gradients outputs;
    if (s.needed && !(captures_ && node->accumulates())) {
      std::optional<SourceLine> line;
      if (!node->source.empty()) line.emplace(node->source);
      if (create_) {
        node->apply(s.gradients, keep_, outputs);
      } else {
        const ExcludeAutograd excluded;
        node->apply(s.gradients, keep_, outputs);
      }
    }
    s.gradients.clear();
    outputs.resize(node->next.size());
    for (size_t i = 0; i < node->next.size(); ++i) {
      const Edge& e = node->next[i];
      if (!e) continue;
      State& to = state(e.node());
      if (outputs[i] && to.needed) {
        add(to, e.input(), fitted(std::move(outputs[i]), e.node()->inputs[e.input()], *node));
      }
      if (--to.dependencies == 0) make_ready(e.node());
    }
  }

  static void retain(const GradNode& node, const Gradients& gradients) {
    for (const auto& [input, weak] : node.retained) {
      const Ref<TensorImpl> alive = weak.lock();
      if (!alive || !gradients[input]) continue;
      const Tensor t(alive), before = grad(t);
      const GradientOps& ops = gradient_ops();
      set_grad(t, before ? ops.add(before, gradients[input]) : ops.clone(gradients[input], MemoryFormat::Contiguous));
    }
  }

  std::unordered_map<GradNode*, State> states_;
  std::vector<GradNode*> roots_, order_, ready_;
  std::vector<Edge> alive_;  // roots that nothing else may hold: the accumulator of a leaf that is an output
  bool create_, keep_, captures_ = false;
};

/// The gradient that a run starts with at an output.
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
  if (!same(given.meta().sizes, sizes)) {
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
    run.start(edge, first_gradient(outputs[i], options.gradients.empty() ? Tensor() : options.gradients[i]));
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
    if (!found[i] && !options.allow_unused) {
      fail_argument(
          "one of the differentiated tensors appears to not have been used in the graph: {}; allow unused ones if that "
          "is "
          "what you want",
          inputs[i].meta());
    }
  }
  return found;
}

}  // namespace ersatz
