#include "tracer/run/node_values.h"

#include <algorithm>
#include <exception>
#include <map>
#include <unordered_set>

#include "fake/watch/tensor_copies.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/run/interpreter.h"

namespace ersatz {
namespace {

/// Returns the text that precedes an error: `Failed running call_function aten.mm.default(*(f32[2,3]{3,1}+0@cpu, ...),
/// **{}):`.
std::string run_head(const OpEntry& op, std::span<const Value> args) {
  std::string positional, keywords;
  for (size_t i = 0; i < args.size(); ++i) {
    const Argument& formal = op.schema.arguments[i];
    if (formal.default_value && args[i] == *formal.default_value) continue;
    std::string& list = formal.keyword_only ? keywords : positional;
    list += list.empty() ? "" : ", ";
    if (formal.keyword_only) list += formal.name + ": ";
    list += args[i].is_tensor() ? to_string(args[i].tensor_impl()->meta) : to_string(args[i]);
  }
  return fmt::format("Failed running call_function {}(*({}), **{{{}}}):", op.name, positional, keywords);
}

/// Returns the error with the kind and message that rule N1 (node_values.h) demands.
Error explained(const Error& e, std::string_view op, const std::string& head) {
  Error out = e;
  switch (e.kind) {
    case ErrorKind::DataDependentOutput:
      out.message =
          fmt::format("data dependent operator: {}; to enable, set FakeOptions::propagate_real: {}", op, e.message);
      return out;
    case ErrorKind::DynamicOutputShape:
      out.message = fmt::format("dynamic shape operator: {}; to enable, set FakeOptions::shape_env: {}", op, e.message);
      return out;
    case ErrorKind::UnsupportedOperator:
      out.message = fmt::format("unsupported operator: {}; a rule for it makes it one, or FakeOptions::fallback: {}",
                                op, e.message);
      return out;
    case ErrorKind::GuardOnDataDependent:
      return out;  // the message already names the checks that would decide
    default:
      break;
  }
  out.kind = e.kind == ErrorKind::NotSupported || e.family == ErrorFamily::NotImplemented ? ErrorKind::NotSupported
                                                                                          : ErrorKind::NodeError;
  out.message = head + " " + e.message;
  return out;
}

}  // namespace

struct NodeValues::Impl {
  using Results = std::map<NodeId, std::vector<Value>>;
  class Run;

  Impl(const Program& of, const FakeMode& with) : program(of), mode(with) {}

  const Program& program;
  const FakeMode mode;
  std::vector<Value> fake_inputs, real_inputs;  // the inputs converted to fakes, and copies of the real inputs
  Results fakes, reals;
  std::map<NodeId, std::vector<SymbolBinding>> bindings;
};

namespace {
void check_mode(const FakeMode& mode, bool allow_others, const Tensor& fake) {
  if (mode.owns(fake) || allow_others) return;
  fail_argument("{} is a fake of another mode than that of these values", fake.meta());
}
}  // namespace

/// One run of a node and of the earlier nodes that it needs. The run has its own graph over the program's values. Known
/// values are inputs of this graph.
class NodeValues::Impl::Run final : private NodeHandler {
 public:
  Run(Impl& of, NodeId id, Results& known, const std::vector<Value>& inputs)
      : program_(of.program), of_(of), known_(known) {
    const Graph& whole = program_.main();
    graph_.values = whole.values;
    collect(id);
    std::sort(nodes_.begin(), nodes_.end());
    for (const NodeId n : nodes_) {
      for (const ValueId v : argument_values(program_, whole.nodes[n])) give(v, inputs);
      graph_.nodes.push_back(whole.nodes[n]);
    }
  }

  void run() {
    const PreparedProgram prepared(program_, graph_);
    Interpreter interpreter(prepared, this);
    interpreter_ = &interpreter;
    interpreter.run(inputs_);
  }

 private:
  /// Collects the node and all earlier nodes that it needs and whose values are not known.
  void collect(NodeId id) {
    std::vector<NodeId> open{id};
    std::unordered_set<NodeId> seen;
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      if (known_.contains(n) || !seen.insert(n).second) continue;
      nodes_.push_back(n);
      for (const ValueId v : argument_values(program_, program_.main().nodes[n])) {
        if (const NodeId from = program_.main().values[v].node; from != kNone) open.push_back(from);
      }
    }
  }

  /// Makes a value an input of the run if it is known.
  void give(ValueId id, const std::vector<Value>& inputs) {
    const Graph& whole = program_.main();
    const NodeId from = whole.values[id].node;
    if (from != kNone && !known_.contains(from)) return;
    if (!given_.insert(id).second) return;
    GraphInput in;
    in.value = id;
    graph_.inputs.push_back(in);
    if (from == kNone) {
      const auto is = [id](const GraphInput& g) { return g.value == id; };
      const auto at = std::find_if(whole.inputs.begin(), whole.inputs.end(), is);
      inputs_.push_back(inputs[static_cast<size_t>(at - whole.inputs.begin())]);
    } else {
      const std::vector<ValueId> ids = result_values(program_, whole.nodes[from]);
      inputs_.push_back(known_.at(from)[static_cast<size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin())]);
    }
  }

  void call(const NodeCall& call, std::span<Values> results) override {
    try {
      NodeHandler::call(call, results);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      std::throw_with_nested(explained(e, call.op_name(), run_head(*call.step.entry, call.lanes[0])));
    }
  }

  void done(const NodeCall& call) override {
    std::vector<Value>& results = known_[nodes_[call.id]];
    for (const ValueId id : result_values(program_, call.node())) {
      results.push_back(id == kNone ? Value() : interpreter_->value(id));
    }
    const std::span<const SymbolBinding> made = interpreter_->symbol_bindings(call.id);
    if (!made.empty()) of_.bindings[nodes_[call.id]] = {made.begin(), made.end()};
  }

  const Program& program_;
  Impl& of_;
  Results& known_;
  std::vector<NodeId> nodes_;  // node ids in the program, in order
  Graph graph_;
  std::unordered_set<ValueId> given_;
  std::vector<Value> inputs_;
  Interpreter* interpreter_ = nullptr;
};

NodeValues::NodeValues(const Program& program, std::span<const Value> inputs, const FakeMode& mode)
    : impl_(std::make_unique<Impl>(program, mode)) {
  const size_t n = program.main().inputs.size();
  if (inputs.size() != n) fail_argument("the graph has {} inputs, {} given", n, inputs.size());
  TensorCopies copies;
  const auto is_fake = [](const Value& v) { return v.is_tensor() && v.tensor().is_fake(); };
  for (const Value& v : inputs) {
    if (is_fake(v)) check_mode(mode, allow_other_modes, v.tensor());
    impl_->fake_inputs.push_back(v.is_tensor() && !is_fake(v) ? Value(mode.from_tensor(v.tensor())) : v);
    impl_->real_inputs.push_back(v.is_tensor() && !is_fake(v) ? Value(copies.of(v.tensor())) : v);
  }
}

NodeValues::~NodeValues() = default;

const std::vector<Value>& NodeValues::fake(NodeId id) {
  if (!impl_->fakes.contains(id)) Impl::Run(*impl_, id, impl_->fakes, impl_->fake_inputs).run();
  return impl_->fakes.at(id);
}

const std::vector<Value>& NodeValues::real(NodeId id) {
  if (!impl_->reals.contains(id)) Impl::Run(*impl_, id, impl_->reals, impl_->real_inputs).run();
  return impl_->reals.at(id);
}

void NodeValues::set_example(NodeId id, std::vector<Value> results) {
  std::vector<SymInt> made;
  for_each_tensor(results, [&](const TensorImpl* t) {
    if (t->fake_mode) check_mode(impl_->mode, allow_other_modes, Tensor(Ref<TensorImpl>(const_cast<TensorImpl*>(t))));
    for (const SymInt size : t->meta.sizes) {
      if (is_bare_symbol(size) && !value_at_hints(size)) made.push_back(size);
    }
  });
  for (const Value& v : results) {
    if (v.is_symbolic_int() && is_bare_symbol(v.as_int()) && !value_at_hints(v.as_int())) made.push_back(v.as_int());
  }
  impl_->bindings[id] = bind_symbols(made, results);
  impl_->fakes[id] = std::move(results);
}

const std::vector<Value>* NodeValues::example(NodeId id) const {
  const auto at = impl_->fakes.find(id);
  return at == impl_->fakes.end() ? nullptr : &at->second;
}

const std::vector<Value>& NodeValues::required_example(NodeId id) const {
  if (const std::vector<Value>* found = example(id)) return *found;
  const Node& n = impl_->program.main().nodes[id];
  fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "node {}: example value was required but not available",
       impl_->program.name(n.name ? n.name : impl_->program.op(n).name));
}

std::span<const SymbolBinding> NodeValues::bindings(NodeId id) const {
  const auto at = impl_->bindings.find(id);
  return at == impl_->bindings.end() ? std::span<const SymbolBinding>() : at->second;
}

}  // namespace ersatz
