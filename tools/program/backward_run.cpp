#include "tools/program/backward_run.h"

#include <algorithm>
#include <unordered_set>

#include "fake/observe/memory_meter.h"
#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/loss.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

namespace {

struct LeafOfProgram {
  GradientRow row;
  Tensor tensor;
};

std::vector<LeafOfProgram> rows_of(const Program& program, std::span<const Value> inputs) {
  std::vector<LeafOfProgram> leaves;
  for (const GradientLeaf& l : make_leaves(program, inputs)) {
    LeafOfProgram& leaf = leaves.emplace_back();
    leaf.tensor = l.tensor;
    leaf.row.name = l.name;
    leaf.row.is_parameter = l.is_parameter;
    TensorMeta meta = l.tensor.meta();
    meta.requires_grad = false;
    leaf.row.leaf = to_string(meta);
  }
  return leaves;
}

/// Returns the autograd nodes that `outputs` depend on, each once.
std::vector<GradNode*> graph_behind(std::span<const Tensor> outputs) {
  std::vector<GradNode*> nodes;
  std::unordered_set<GradNode*> seen;
  const auto add = [&](GradNode* n) {
    if (n && seen.insert(n).second) nodes.push_back(n);
  };
  for (const Tensor& t : outputs) add(grad_fn(t));
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const Edge& e : nodes[i]->next) add(e.node());
  }
  return nodes;
}

void count_saved(std::span<GradNode* const> nodes, std::span<const Value> inputs, BackwardSummary& to) {
  std::unordered_set<const Storage*> given, seen;
  for (const Value& v : inputs) {
    if (v.is_tensor()) given.insert(v.tensor_impl()->storage.get());
  }
  for (const GradNode* n : nodes) {
    if (n->accumulates()) continue;
    ++to.nodes;
    n->visit_saved([&](const Tensor& t) {
      ++to.saved_tensors;
      if (!seen.insert(t.storage().get()).second) return;
      const int64_t bytes = t.storage()->nbytes().guard_int();
      to.saved_bytes += bytes;
      if (!given.contains(t.storage().get())) to.saved_beside += bytes;
    });
  }
}

/// Stores for each leaf the names of the nodes that pass a gradient to it.
void name_nodes(std::span<GradNode* const> nodes, std::vector<LeafOfProgram>& leaves) {
  for (const GradNode* n : nodes) {
    for (const Edge& e : n->next) {
      if (!e || !e.node()->accumulates()) continue;
      for (LeafOfProgram& leaf : leaves) {
        if (!leaf_of(*e.node()).is(leaf.tensor)) continue;
        const std::string name(n->node_name());
        std::vector<std::string>& names = leaf.row.nodes;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        leaf.row.source = n->source;
      }
    }
  }
}

/// Returns the gradient of each output's sum: ones, made by expanding one element.
std::vector<Tensor> ones_for(std::span<const Tensor> outputs, const FakeMode& mode) {
  std::vector<Tensor> ones;
  for (const Tensor& t : outputs) {
    TensorMeta one(t.dtype(), t.sizes(), t.device());
    for (SymInt& stride : one.strides) stride = 0;
    ones.push_back(mode.make(one));
  }
  return ones;
}

}  // namespace

BackwardSummary run_backward(const Program& program, const FakeRunOptions& options, const std::string& loss) {
  PrepareOptions prepare;
  prepare.device = options.device;
  PreparedProgram prepared(program, prepare);
  if (!prepared.missing_ops().empty()) {
    fail(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented, "--backward: {} has no rule here",
         prepared.missing_ops().begin()->first);
  }
  const ContextGuard guard([&](RuleContext& c) { c.backend = options.backend; });
  const FollowAutograd followed;
  const EnableGrad recorded;
  FakeOptions how;
  how.static_shapes = true;
  how.fallback = options.fallback;
  how.inferred = options.inferred;
  FakeMode mode(how);
  InputChoice choice;
  choice.device = options.device;
  const SymbolValues symbols(program);
  const std::vector<Value> inputs = make_fake_inputs(program, mode, symbols, choice);
  std::vector<LeafOfProgram> leaves = rows_of(program, inputs);
  const FakeScope scope(mode);
  Interpreter interpreter(prepared);
  interpreter.leave_inputs();  // backward needs inputs that calls have saved
  BackwardSummary summary;
  std::vector<Tensor> of_leaves, arriving;
  for (const LeafOfProgram& leaf : leaves) of_leaves.push_back(leaf.tensor);
  {  // First run: finds the autograd nodes, and the gradients that they pass to leaves.
    const Loss found = loss_of(program, interpreter.run(inputs), loss);
    summary.loss = found.words;
    const std::vector<GradNode*> nodes = graph_behind(found.tensors);
    count_saved(nodes, inputs, summary);
    name_nodes(nodes, leaves);
    BackwardOptions run;
    run.gradients = ones_for(found.tensors, mode);
    run.allow_unused = true;
    arriving = grad(found.tensors, of_leaves, run);
  }
  {  // Second run, as in a training loop: computes `.grad` of the leaves, and memory.
    MemoryMeter meter;
    for (const Value& v : inputs) meter.watch(v);
    const ModeGuard measured(meter);
    const Loss found = loss_of(program, interpreter.run(inputs), loss);
    BackwardOptions run;
    run.gradients = ones_for(found.tensors, mode);
    backward(found.tensors, run);
    summary.peak_bytes = meter.total().peak;
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    GradientRow& row = leaves[i].row;
    if (const Tensor left = grad(leaves[i].tensor)) {
      row.gradient = to_string(left.meta());
      const std::string handed = arriving[i] ? to_string(arriving[i].meta()) : "";
      if (handed != row.gradient) row.arriving = handed;
    }
    summary.rows.push_back(std::move(row));
  }
  return summary;
}

}  // namespace ersatz::tools
