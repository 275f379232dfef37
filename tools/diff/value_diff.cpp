#include "tools/diff/value_diff.h"

#include <algorithm>
#include <map>

#include "fake/crosscheck/cpu_run.h"
#include "fake/object/checkpoint.h"
#include "fake/observe/timed_run.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/op/map_tensors.h"
#include "tools/diff/program_pairs.h"
#include "tools/diff/value_run.h"
#include "tools/session/session.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {
namespace {

/// Returns a copy of a result's elements in row-major order. A copy is needed because later nodes may write to the
/// result.
Value kept(const Value& v) {
  return map_leaves(v, [](const Value& leaf) {
    return leaf.is_tensor() ? Value(converted(on_host(leaf.tensor()), leaf.tensor().dtype())) : leaf;
  });
}

class ProgramValues {
 public:
  ProgramValues(const ProgramInput& a, const ProgramInput& b, const ValueDiffOptions& options)
      : a_(a), b_(b), options_(options), run_a_(a.program), run_b_(b.program) {}

  ValueDiff run() {
    make_inputs_of_a();
    pair_nodes();
    const std::vector<Value> outputs = run_reference();
    make_inputs_of_b();
    compare_inputs();
    const auto see = [this](NodeId j, std::span<const Value> results) { node(j, results); };
    compare_outputs(outputs, run_b_.run(inputs_b_, options_.seed, see));
    time_runs();
    return std::move(diff_);
  }

 private:
  enum class State : uint8_t { Same, Input, Differs };  // Input: the value is a differing input or a view of one

  static const Graph& graph(const ProgramInput& p) { return p.program.main(); }

  void make_inputs_of_a() {
    const Program& p = a_.program;
    std::optional<InputsOutputs> given;
    if (!a_.values.empty()) given = load_values(a_, a_.values, "inputs", /*named=*/false, diff_.notes);
    SymbolValues symbols(p);
    InputChoice choice;
    choice.given = given ? &*given : nullptr;
    choice.seed = options_.seed;
    if (given) observe_inputs(p, *given, symbols);
    inputs_a_ = make_inputs(p, symbols, choice);
  }

  /// Makes the second program's user inputs from the first program's, in the same order.
  void make_inputs_of_b() {
    const Program& p = b_.program;
    std::vector<Value> values;
    for (size_t i = 0; i < inputs_a_.size(); ++i) {
      if (graph(a_).inputs[i].kind == InputKind::UserInput) values.push_back(inputs_a_[i]);
    }
    InputsOutputs given;
    size_t at = 0;
    for (const GraphInput& in : graph(b_).inputs) {
      if (in.kind != InputKind::UserInput || at >= values.size()) continue;
      const GraphValue& formal = graph(b_).values[in.value];
      Value value = values[at++];
      if (const TensorMeta* meta = p.meta(formal); meta && value.is_tensor() && value.tensor().dtype() != meta->dtype) {
        value = Value(converted(value.tensor(), meta->dtype));
      }
      given.add_input(std::string(p.name(formal.name)), std::move(value));
    }
    SymbolValues symbols(p);
    observe_inputs(p, given, symbols);
    InputChoice choice;
    choice.given = &given;
    choice.seed = options_.seed;
    inputs_b_ = make_inputs(p, symbols, choice);
  }

  void pair_nodes() {
    diff_.nodes_a = std::ssize(graph(a_).nodes);
    diff_.nodes_b = std::ssize(graph(b_).nodes);
    partner_.assign(graph(b_).nodes.size(), kNone);
    values_a_.resize(graph(a_).nodes.size());
    values_f64_.resize(graph(a_).nodes.size());
    paired_.assign(graph(a_).nodes.size(), false);
    for (const AlignedPair& p : node_pairs(a_.program, b_.program)) {
      if (p.a < 0 || p.b < 0) continue;
      partner_[static_cast<size_t>(p.b)] = static_cast<NodeId>(p.a);
      paired_[static_cast<size_t>(p.a)] = true;
    }
  }

  /// Runs the first program. If the options ask for f64 references, runs it again in f64, with the generators in the
  /// same state.
  std::vector<Value> run_reference() {
    const auto keep_in = [this](std::vector<std::vector<Value>>& values) {
      return [this, &values](NodeId i, std::span<const Value> results) {
        if (!paired_[i]) return;
        for (const Value& v : results) values[i].push_back(kept(v));
      };
    };
    Checkpoint before(inputs_a_);
    std::vector<Value> outputs;
    for (const Value& v : run_a_.run(inputs_a_, options_.seed, keep_in(values_a_))) outputs.push_back(kept(v));
    before.restore();
    if (options_.reference_f64) {
      std::string stopped;
      outputs_f64_ = run_a_.run_wide(inputs_a_, options_.seed, keep_in(values_f64_), stopped);
      if (!stopped.empty()) diff_.notes.push_back("no f64 reference from there on: " + stopped);
    }
    return outputs;
  }

  Accuracy compared(const Value& a, const Value& b, const Value& f64) const {
    return same(a, b, options_.accuracy, f64);
  }

  void compare_inputs() {
    const std::vector<std::string> x = input_keys(a_.program), y = input_keys(b_.program);
    for (size_t j = 0; j < y.size(); ++j) {
      const auto at = std::find(x.begin(), x.end(), y[j]);
      if (at == x.end()) continue;
      const auto i = static_cast<size_t>(at - x.begin());
      Accuracy accuracy = compared(inputs_a_[i], inputs_b_[j], {});
      if (accuracy) continue;
      const ValueId id = graph(b_).inputs[j].value;
      states_[id] = State::Input;
      origins_[id] = value_name(b_.program, id);
      diff_.inputs.push_back({value_name(a_.program, graph(a_).inputs[i].value),
                              value_name(b_.program, id),
                              y[j],
                              "",
                              std::move(accuracy.said),
                              {}});
    }
  }

  void node(NodeId j, std::span<const Value> results) {
    const Node& n = graph(b_).nodes[j];
    State reads = State::Same;
    std::vector<std::string> differing;
    for (const ValueId id : argument_values(b_.program, n)) {
      const State s = state(id);
      reads = std::max(reads, s);
      if (s == State::Input && std::find(differing.begin(), differing.end(), origins_[id]) == differing.end()) {
        differing.push_back(origins_[id]);
      }
    }
    const NodeId i = partner_[j];
    std::vector<std::string> said;
    const bool pair = i != kNone && comparable(values_a_[i], results, n, i);
    if (pair) {
      ++diff_.pairs;
      for (size_t k = 0; k < results.size() && said.empty(); ++k) {
        said = compared(values_a_[i][k], results[k], k < values_f64_[i].size() ? values_f64_[i][k] : Value()).said;
      }
      diff_.alike += said.empty();
    }
    // A node without a counterpart cannot be compared. It counts as differing if it reads a value that differs.
    const bool differs = pair ? !said.empty() : reads == State::Differs;
    if (!differs && (pair || reads == State::Same)) return;
    const OpEntry* op = b_.program.op(n).entry;
    if (reads == State::Input && (!pair || (op && op->tags.has(Tag::View)))) return mark(n, State::Input, differing);
    mark(n, State::Differs, {});
    if (!pair) return;
    if (reads == State::Differs) {
      ++diff_.behind;
      return;
    }
    const Node& of_a = graph(a_).nodes[i];
    diff_.begins.push_back({node_label(a_.program, of_a), node_label(b_.program, n), op_name(b_.program, n),
                            std::string(b_.program.name(n.source)), std::move(said), std::move(differing)});
  }

  /// True if the results can be compared. If the nodes have different operators, their results must agree in kind and
  /// size.
  bool comparable(const std::vector<Value>& a, std::span<const Value> b, const Node& n, NodeId i) const {
    if (op_name(a_.program, graph(a_).nodes[i]) == op_name(b_.program, n)) return a.size() == b.size();
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Value& x, const Value& y) {
      return x.is_tensor() && y.is_tensor() ? sym_eq(x.tensor().sizes(), y.tensor().sizes()) : x.kind() == y.kind();
    });
  }

  State state(ValueId id) const {
    const auto at = states_.find(id);
    return at == states_.end() ? State::Same : at->second;
  }

  void mark(const Node& n, State s, const std::vector<std::string>& origins) {
    const auto set = [&](ValueId id) {
      if (id == kNone) return;
      states_[id] = s;
      if (!origins.empty()) origins_[id] = origins[0];
    };
    for (const ValueId id : result_values(b_.program, n)) set(id);
    // An operator that writes an argument makes the argument's value differ too, because later nodes read the value
    // under the argument's old name.
    const OpEntry* op = b_.program.op(n).entry;
    if (s == State::Differs && op && op->schema.is_mutable()) {
      for (const ValueId id : argument_values(b_.program, n)) set(id);
    }
  }

  void compare_outputs(const std::vector<Value>& a, const std::vector<Value>& b) {
    diff_.all_outputs = static_cast<int64_t>(std::max(a.size(), b.size()));
    if (a.size() != b.size()) {
      diff_.outputs.push_back(
          {"", "", "", "", {fmt::format("Length mismatch: {} and {} outputs", a.size(), b.size())}, {}});
      return;
    }
    for (size_t k = 0; k < a.size(); ++k) {
      Accuracy accuracy = compared(a[k], b[k], k < outputs_f64_.size() ? outputs_f64_[k] : Value());
      if (accuracy) continue;
      const auto name = [&](const ProgramInput& p) {
        const Arg& value = graph(p).outputs[k].value;
        return value.kind == Arg::Kind::Value ? value_name(p.program, value.index) : std::to_string(k);
      };
      diff_.outputs.push_back({name(a_), name(b_), "", "", std::move(accuracy.said), {}});
    }
  }

  void time_runs() {
    if (options_.runs <= 0) return;
    const auto seconds = [&](ValueRun& program, const std::vector<Value>& inputs) {
      return timed([&](std::span<const Value> given) { return program.run(given, options_.seed); }, inputs,
                   options_.runs)
          .seconds;
    };
    diff_.seconds_a = seconds(run_a_, inputs_a_);
    diff_.seconds_b = seconds(run_b_, inputs_b_);
  }

  const ProgramInput &a_, &b_;
  const ValueDiffOptions& options_;
  ValueRun run_a_, run_b_;
  std::vector<Value> inputs_a_, inputs_b_, outputs_f64_;
  std::vector<NodeId> partner_;  // for each node of b, the paired node of a; kNone: none
  std::vector<bool> paired_;     // for each node of a: true if it has a paired node
  std::vector<std::vector<Value>> values_a_, values_f64_;
  std::map<ValueId, State> states_;         // states of the values of b
  std::map<ValueId, std::string> origins_;  // for values with State::Input: the name of that input
  ValueDiff diff_;
};

}  // namespace

bool ValueDiff::same() const {
  const bool one_to_one = pairs == nodes_a && pairs == nodes_b;
  return outputs.empty() && (!one_to_one || alike == pairs);
}

ValueDiff diff_values(const ProgramInput& a, const ProgramInput& b, const ValueDiffOptions& options) {
  const TimedCall timed("ersatz::tools::diff_values", "run");
  return ProgramValues(a, b, options).run();
}

}  // namespace ersatz::tools
