#include "tools/program/backward_run.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

namespace {

struct LeafOfProgram {
  GradientRow row;
  Tensor tensor;
};

/// Parameters, and inputs that can have gradients: these require them from now on.
std::vector<LeafOfProgram> make_leaves(const Program& program, std::span<const Value> inputs) {
  std::vector<LeafOfProgram> leaves;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const GraphInput& in = program.main().inputs[i];
    const bool parameter = in.kind == InputKind::Parameter;
    if (!inputs[i].is_tensor() || (!parameter && in.kind != InputKind::UserInput)) continue;
    const Tensor t = inputs[i].tensor();
    if (!is_float(t.dtype()) && !is_complex(t.dtype())) continue;
    LeafOfProgram& leaf = leaves.emplace_back();
    leaf.tensor = t;
    leaf.row.name = program.name(parameter ? in.target : program.main().values[in.value].name);
    leaf.row.is_parameter = parameter;
    t.impl()->meta.requires_grad = false;
    leaf.row.leaf = to_string(t.meta());
    set_requires_grad(t);
  }
  return leaves;
}

/// The outputs that backward begins at.
std::vector<Tensor> outputs_of(const Program& program, std::span<const Value> results, const std::string& wanted,
                               std::string& words) {
  std::vector<Tensor> outputs;
  std::string names;
  for (size_t i = 0; i < results.size(); ++i) {
    const GraphOutput& out = program.main().outputs[i];
    if (out.kind != OutputKind::UserOutput && out.kind != OutputKind::Loss) continue;
    InlineVec<Value, 3> flat;
    flatten(results.subspan(i, 1), flat);
    const std::string name(out.value.kind == Arg::Kind::Value
                               ? program.name(program.main().values[out.value.index].name)
                               : std::string_view());
    names += (names.empty() ? "" : ", ") + name;
    if (!wanted.empty() && name != wanted) continue;
    for (const Value& v : flat) {
      if (v.is_tensor() && is_float(v.tensor_impl()->meta.dtype) && requires_grad(v.tensor()))
        outputs.push_back(v.tensor());
    }
    if (!wanted.empty() && outputs.empty()) {
      fail_argument("--loss {}: the output is no tensor of floating point dtype that requires a gradient", wanted);
    }
  }
  if (!wanted.empty() && outputs.empty())
    fail_argument("--loss {}: the program has no output of that name; it has {}", wanted, names);
  if (outputs.empty())
    fail_argument("--backward: no output of the program requires a gradient; its outputs are {}", names);
  words = !wanted.empty()       ? wanted
          : outputs.size() == 1 ? "the sum of the output"
                                : fmt::format("the sum of {} outputs", outputs.size());
  return outputs;
}

/// The nodes behind these outputs, each once.
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

/// Which nodes hand a gradient to each leaf.
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
  std::vector<LeafOfProgram> leaves = make_leaves(program, inputs);
  const FakeScope scope(mode);
  Interpreter interpreter(prepared);
  const std::vector<Value> results = interpreter.run(inputs);

  BackwardSummary summary;
  const std::vector<Tensor> outputs = outputs_of(program, results, loss, summary.loss);
  const std::vector<GradNode*> nodes = graph_behind(outputs);
  count_saved(nodes, inputs, summary);
  name_nodes(nodes, leaves);
  BackwardOptions run;
  for (const Tensor& t : outputs) {  // of a sum, the gradient of each element is 1: a number, expanded
    TensorMeta one(t.dtype(), t.sizes(), t.device());
    for (SymInt& stride : one.strides) stride = 0;
    run.gradients.push_back(mode.make(one));
  }
  run.retain_graph = true;
  run.allow_unused = true;
  std::vector<Tensor> of_leaves;
  for (const LeafOfProgram& leaf : leaves) of_leaves.push_back(leaf.tensor);
  const std::vector<Tensor> arriving = grad(outputs, of_leaves, run);
  run.retain_graph = false;
  backward(outputs, run);
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
