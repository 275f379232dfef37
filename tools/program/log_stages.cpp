#include "tools/program/log_stages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

/// Returns the text of a node's call without its results and notes: `aten.add.Tensor(%x, 1)`.
std::string call_text(const Program& program, NodeId id) {
  const std::string line = print_node(program, program.main(), id);
  const size_t begin = line.find(" = "), end = line.rfind(") {");
  if (begin == line.npos) return line;
  return line.substr(begin + 3, end == line.npos ? line.npos : end + 1 - begin - 3);
}

nlohmann::ordered_json row_of(const StageChange& c) {
  return {{"name", c.name}, {"op", c.op}, {"from", c.from}, {"before", c.before}, {"in", c.in}, {"after", c.after}};
}

/// True if the operator passes its operands to its nested graphs unchanged. `scan` and `map` pass slices, so the answer
/// for them is false.
bool passes_operands(std::string_view op) {
  for (const std::string_view known : {"cond", "while_loop", "invoke_subgraph", "tag_activation_checkpoint", "wrap",
                                       "wrap_with_set_grad_enabled", "wrap_with_autocast"}) {
    if (op == known || (op.starts_with("higher_order.") && op.substr(13) == known)) return true;
  }
  return false;
}

/// Returns the values among the arguments after the last nested graph. Lists of values are replaced by their items.
std::vector<ValueId> operands_of(const Program& program, const Node& node) {
  const auto args = program.view(node.args);
  size_t first = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == Arg::Kind::Graph) first = i + 1;
  }
  std::vector<ValueId> found;
  const auto walk = [&](auto& self, std::span<const Arg> of) -> void {
    for (const Arg& a : of) {
      if (a.kind == Arg::Kind::Value) found.push_back(a.index);
      if (a.kind == Arg::Kind::List) self(self, program.list(a));
    }
  };
  walk(walk, args.subspan(first));
  return found;
}

constexpr std::string_view kResume = "torch_dynamo_resume_in_";

/// Returns the function in a source line: `forward` for `model.py:17 in forward: ...` and for Dynamo's `... in
/// torch_dynamo_resume_in_forward_at_156: `. `resumes` becomes true for the second form.
std::string function_of(std::string_view source, bool* resumes = nullptr) {
  const size_t in = source.find(" in ");
  if (in == source.npos) return {};
  std::string_view name = source.substr(in + 4);
  name = name.substr(0, name.find(':'));
  if (name.starts_with(kResume)) {
    name.remove_prefix(kResume.size());
    name = name.substr(0, name.rfind("_at_"));
    if (resumes) *resumes = true;
  }
  return std::string(name);
}

/// Returns the variable that Dynamo named a node after: `h` for `h_1`.
std::string_view variable_of(std::string_view name) {
  const size_t last = name.rfind('_');
  if (last == name.npos || last == 0 || last + 1 == name.size()) return name;
  return name.find_first_not_of("0123456789", last + 1) == name.npos ? name.substr(0, last) : name;
}

}  // namespace

LogStages::Recorded LogStages::recorded(const ProgramInput& graph, const GraphValue& value, const std::string& nested) {
  Recorded r;
  const TensorMeta* meta = graph.program.meta(value);
  if (!meta) return r;
  r.text = to_string(*meta);
  if (!meta->is_symbolic()) r.meta = *meta;
  r.graph = nested.empty() ? graph.place->name : nested_name(graph.place->name, nested);
  r.strides = !graph.program.untold.strides;
  return r;
}

void LogStages::compare(const std::string& name, const Recorded& before, const Recorded& now, const std::string& op,
                        int64_t& count, std::vector<StageChange>& found, const char* verb) const {
  if (before.text.empty() || now.text.empty()) return;
  const bool same = before.text == now.text;
  if (!same && !(before.meta && now.meta)) return;  // two expressions that are printed differently may still be equal
  ++count;
  if (same) return;
  MetaFields fields = {MetaField::DType, MetaField::Size, MetaField::Device};
  if (before.strides && now.strides) fields.add(MetaField::Stride);
  if (diff(*before.meta, *now.meta, fields).is_significant())
    found.push_back({name, op, before.text, before.graph, now.text, now.graph, verb});
}

/// Compares the inputs named primals_ and tangents_ with those of earlier graphs. The joint, forward and backward
/// graphs of one compilation get the same tensors as these inputs.
void LogStages::add_given(const ProgramInput& graph) {
  const Program& program = graph.program;
  Results& given = given_[graph.place->compilation];
  for (const GraphInput& in : program.main().inputs) {
    const GraphValue& value = program.main().values[in.value];
    const std::string name(program.name(value.name));
    if (!name.starts_with("primals_") && !name.starts_with("tangents_")) continue;
    if (const auto at = given.find(name); at != given.end()) {
      compare(name, at->second, recorded(graph, value), "", at_seams_, seams_, "takes");
    } else {
      given[name] = recorded(graph, value);
    }
  }
}

void LogStages::add_inputs(const ProgramInput& graph) {
  const Program& program = graph.program;
  const Results& made = returned_[graph.place->compilation];
  for (const GraphInput& in : program.main().inputs) {
    const GraphValue& value = program.main().values[in.value];
    const std::string name(program.name(value.name));
    if (const auto at = made.find(name); at != made.end())
      compare(name, at->second, recorded(graph, value), "", at_seams_, seams_);
  }
}

/// Compares nested graphs with the calls that run them: a nested graph's inputs are the call's operands, and the call
/// returns the nested graph's results.
void LogStages::add_nested(const ProgramInput& graph) {
  const Program& program = graph.program;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& outer = *program.graphs[g];
    const std::string outer_name(g == 0 ? std::string_view() : program.name(outer.name));
    for (const Node& node : outer.nodes) {
      const std::string_view op = program.name(program.op(node).name);
      if (!passes_operands(op)) continue;
      const std::vector<ValueId> operands = operands_of(program, node);
      const std::vector<ValueId> results = result_values(program, node);
      for (const Arg& a : program.view(node.args)) {
        if (a.kind != Arg::Kind::Graph) continue;
        const Graph& nested = *program.graphs[a.index];
        const std::string name(program.name(nested.name));
        for (size_t i = 0; nested.inputs.size() == operands.size() && i < operands.size(); ++i) {
          const GraphValue& taken = nested.values[nested.inputs[i].value];
          compare(std::string(program.name(taken.name)), recorded(graph, outer.values[operands[i]], outer_name),
                  recorded(graph, taken, name), "", at_seams_, seams_, "passes");
        }
        const bool decides = op.ends_with("while_loop") && &a == program.view(node.args).data();
        for (size_t i = 0; !decides && nested.outputs.size() == results.size() && i < results.size(); ++i) {
          const Arg& out = nested.outputs[i].value;
          if (out.kind != Arg::Kind::Value || results[i] == kNone) continue;
          const GraphValue& given = nested.values[out.index];
          compare(std::string(program.name(given.name)), recorded(graph, given, name),
                  recorded(graph, outer.values[results[i]], outer_name), "", at_seams_, seams_);
        }
      }
    }
  }
}

/// Compares the inputs of a piece after a graph break with the results of earlier pieces of the function. These inputs
/// are real tensors. They are named after variables, which an earlier piece has returned.
void LogStages::add_piece(const ProgramInput& graph) {
  const Program& program = graph.program;
  const Graph& main = program.main();
  std::string function;
  bool resumes = false;
  for (const Node& node : main.nodes) {
    const std::string of = function_of(program.name(node.source), &resumes);
    if (!of.empty() && (function.empty() || resumes)) function = of;
    if (resumes) break;
  }
  const std::string& compilation = graph.place->compilation;
  Results& known = variables_[fmt::format("{} {}", compilation.substr(0, compilation.find('/')), function)];
  for (const GraphInput& in : resumes ? main.inputs : std::vector<GraphInput>()) {
    const GraphValue& value = main.values[in.value];
    std::string_view name = program.name(value.name);
    if (name.size() < 4 || !name.starts_with("L_") || !name.ends_with('_')) continue;
    name = name.substr(2, name.size() - 3);
    if (const auto at = known.find(name); at != known.end())
      compare(std::string(name), at->second, recorded(graph, value), "", at_breaks_, breaks_);
  }
  std::map<std::string, int> times;
  for (const GraphOutput& out : main.outputs) {
    if (out.value.kind == Arg::Kind::Value)
      ++times[std::string(variable_of(program.name(main.values[out.value.index].name)))];
  }
  for (const GraphOutput& out : main.outputs) {
    if (out.value.kind != Arg::Kind::Value) continue;
    const GraphValue& value = main.values[out.value.index];
    const std::string name(variable_of(program.name(value.name)));
    if (times[name] == 1) known[name] = recorded(graph, value);
  }
}

void LogStages::add(const ProgramInput& graph) {
  if (!graph.place) return;
  add_nested(graph);
  if (graph.place->compilation.empty()) return;
  if (graph.place->stage == "dynamo") add_piece(graph);
  const Program& program = graph.program;
  const std::string& stage = graph.place->stage;
  const bool generated = stage == "output_code";  // names in generated code are names of buffers
  if (stage == "joint" || stage == "forward" || stage == "backward" || generated) add_given(graph);
  if (generated) return;
  if (stage == "backward") add_inputs(graph);
  if (stage == "forward") {
    for (const GraphOutput& out : program.main().outputs) {
      if (out.value.kind != Arg::Kind::Value) continue;
      const GraphValue& value = program.main().values[out.value.index];
      returned_[graph.place->compilation][std::string(program.name(value.name))] = recorded(graph, value);
    }
  }
  Results& known = stages_[graph.place->compilation];
  for (const GraphValue& value : program.main().values) {
    Recorded now = recorded(graph, value);
    if (value.node == kNone || now.text.empty()) continue;
    now.call = call_text(program, value.node);
    const std::string name(program.name(value.name));
    const std::string op(program.name(program.op(program.main().nodes[value.node]).name));
    const auto at = known.find(name);
    if (at != known.end() && at->second.call == now.call) compare(name, at->second, now, op, compared_, changes_);
    known[name] = std::move(now);
  }
}

Document stages_report(const LogStages& stages) {
  Document out;
  const auto add = [&](const std::string& before, const std::string& after) {
    out.add(before);
    out.add(Document::Kind::Below, after);
  };
  auto seams = nlohmann::ordered_json::array(), breaks = seams, changes = seams;
  for (const StageChange& c : stages.seams()) {
    add(fmt::format("seam: {} {} {} as {}", c.from, c.verb, c.name, c.before),
        fmt::format("{} takes it as {}", c.in, c.after));
    seams.push_back(row_of(c));
  }
  for (const StageChange& c : stages.breaks()) {
    add(fmt::format("pieces: {} predicts {} as {}", c.from, c.name, c.before),
        fmt::format("{} was given {}: code between the two changed it, or the prediction is wrong", c.in, c.after));
    breaks.push_back(row_of(c));
  }
  for (const StageChange& c : stages.changes()) {
    add(fmt::format("stages: {} = {}: {} in {}", c.name, c.op, c.before, c.from),
        fmt::format("{} in {}", c.after, c.in));
    changes.push_back(row_of(c));
  }
  if (stages.compared_at_breaks() > 0) {
    out.add(fmt::format("pieces: {} that an earlier piece of the function returns, {} changed",
                        count_of(stages.compared_at_breaks(), "variable"), stages.breaks().size()));
  }
  if (stages.compared() + stages.compared_at_seams() + stages.compared_at_breaks() > 0) {
    out.add(fmt::format("stages: {} that several graphs of a compilation record, {} changed; seams: {}, {}",
                        count_of(stages.compared(), "result"), stages.changes().size(),
                        count_of(stages.compared_at_seams(), "tensor"),
                        stages.seams().empty() ? "all fit" : fmt::format("{} do not fit", stages.seams().size())));
  }
  out.data["stages"] = {{"compared", stages.compared()}, {"changed", std::move(changes)}};
  out.data["seams"] = {{"compared", stages.compared_at_seams()}, {"differ", std::move(seams)}};
  out.data["pieces"] = {{"compared", stages.compared_at_breaks()}, {"changed", std::move(breaks)}};
  return out;
}

}  // namespace ersatz::tools
