#include "tracer/run/branch_gradients.h"

#include <algorithm>
#include <set>

#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/view_nodes.h"
#include "runtime/base/context.h"

namespace ersatz {
namespace {

bool is_differentiable(const Value& v) {
  if (!v.is_tensor()) return false;
  const DType t = v.tensor_impl()->meta.dtype;
  return is_float(t) || is_complex(t);
}

/// Passes the gradient of a result on to its first edge, and passes zeros to the other edges.
class BranchNode final : public GradNode {
 public:
  explicit BranchNode(std::string_view name) : name_(name) {}
  std::string_view node_name() const override { return name_; }
  void add_unused(const TensorMeta& operand, const Edge& edge) {
    next.push_back(edge);
    unused_.push_back(operand);
  }
  void apply(std::span<const Tensor> gradients, bool, Gradients& outputs) override {
    outputs.push_back(gradients[0]);
    const GradientOps& ops = gradient_ops();
    for (const TensorMeta& operand : unused_) {
      Tensor zeros;
      if (gradients[0]) {
        zeros = ops.zeros(gradients[0], operand.sizes);
        if (zeros.dtype() != operand.dtype) zeros = ops.cast(zeros, operand.dtype);
      }
      outputs.push_back(std::move(zeros));
    }
  }

 private:
  std::string_view name_;
  std::vector<TensorMeta> unused_;
};

}  // namespace

BranchGradients::BranchGradients(std::string_view node_name, std::span<const Value> operands) : name_(node_name) {
  const RuleContext& context = rule_context();
  if (!context.grad_mode || context.inference_mode || detail::t_autograd_excluded) return;
  for (const Value& v : operands) {
    if (!is_differentiable(v)) continue;
    if (Edge edge = gradient_edge(v.tensor())) operands_.push_back({v.tensor_impl()->meta, std::move(edge)});
  }
  if (!operands_.empty()) start_ = make_ref<BranchNode>(name_)->sequence;
}

/// Returns the operands whose history no gradient from `histories` reaches. It follows the nodes that the nested graph
/// made; where an edge leaves these nodes, it leads into the history of an operand.
std::vector<BranchGradients::Operand> BranchGradients::unused_by(std::span<const Edge> histories) const {
  std::set<std::pair<const GradNode*, uint32_t>> left;
  std::set<const GradNode*> seen;
  std::vector<const GradNode*> open;
  const auto follow = [&](const Edge& e) {
    if (!e) return;
    const bool inside = !e.node()->accumulates() && e.node()->sequence >= start_;
    if (!inside) {
      left.emplace(e.node(), e.input());
    } else if (seen.insert(e.node()).second) {
      open.push_back(e.node());
    }
  };
  for (const Edge& e : histories) follow(e);
  while (!open.empty()) {
    const GradNode* node = open.back();
    open.pop_back();
    for (const Edge& e : node->next) follow(e);
  }
  std::vector<Operand> unused;
  for (const Operand& o : operands_) {
    if (!left.contains({o.edge.node(), o.edge.input()})) unused.push_back(o);
  }
  return unused;
}

void BranchGradients::follow(std::span<const Value> results, std::span<const Value> histories) const {
  if (operands_.empty()) return;
  std::vector<Edge> edges;
  for (const Value& v : histories) edges.push_back(is_differentiable(v) ? gradient_edge(v.tensor()) : Edge());
  const std::vector<Operand> unused = unused_by(edges);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!is_differentiable(results[i])) continue;
    const Tensor result = results[i].tensor();
    Ref<BranchNode> node(new BranchNode(name_));
    const TensorMeta& m = result.meta();
    node->inputs.push_back({m.sizes, m.dtype, m.device});
    node->next.push_back(edges[i]);
    for (const Operand& o : unused) node->add_unused(o.meta, o.edge);
    set_history(result, Edge(node, 0));
  }
}

}  // namespace ersatz
