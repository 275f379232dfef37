#include "tools/program/log_stages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

/// `aten.add.Tensor(%x, 1)`: the call of a node without its results and notes.
std::string call_text(const Program& program, NodeId id) {
  const std::string line = print_node(program, program.main(), id);
  const size_t begin = line.find(" = "), end = line.rfind(") {");
  if (begin == line.npos) return line;
  return line.substr(begin + 3, end == line.npos ? line.npos : end + 1 - begin - 3);
}

nlohmann::ordered_json to_json(const std::vector<StageChange>& changes) {
  auto rows = nlohmann::ordered_json::array();
  for (const StageChange& c : changes) {
    rows.push_back(
        {{"name", c.name}, {"op", c.op}, {"from", c.from}, {"before", c.before}, {"in", c.in}, {"after", c.after}});
  }
  return rows;
}

}  // namespace

LogStages::Recorded LogStages::recorded(const ProgramInput& graph, const GraphValue& value) {
  Recorded r;
  const TensorMeta* meta = graph.program.meta(value);
  if (!meta) return r;
  r.text = to_string(*meta);
  if (!meta->is_symbolic()) r.meta = *meta;
  r.graph = graph.place->name;
  r.strides = !graph.program.untold.strides;
  return r;
}

void LogStages::compare(const std::string& name, const Recorded& before, const Recorded& now, const std::string& op,
                        int64_t& count, std::vector<StageChange>& found) const {
  if (before.text.empty() || now.text.empty()) return;
  const bool same = before.text == now.text;
  if (!same && !(before.meta && now.meta)) return;  // expressions that are spelled differently may be equal
  ++count;
  if (same) return;
  MetaFields fields = {MetaField::DType, MetaField::Size, MetaField::Device};
  if (before.strides && now.strides) fields.add(MetaField::Stride);
  if (diff(*before.meta, *now.meta, fields).is_significant())
    found.push_back({name, op, before.text, before.graph, now.text, now.graph});
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

void LogStages::add(const ProgramInput& graph) {
  if (!graph.place || graph.place->compilation.empty()) return;
  const Program& program = graph.program;
  const std::string& stage = graph.place->stage;
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

std::string to_text(const LogStages& stages) {
  if (stages.compared() + stages.compared_at_seams() == 0) return {};
  std::string out;
  for (const StageChange& c : stages.seams())
    out += fmt::format("seam: {} returns {} as {}\n  {} takes it as {}\n", c.from, c.name, c.before, c.in, c.after);
  for (const StageChange& c : stages.changes())
    out += fmt::format("stages: {} = {}: {} in {}\n  {} in {}\n", c.name, c.op, c.before, c.from, c.after, c.in);
  return out + fmt::format("stages: {} that several graphs of a compilation record, {} changed; seams: {}, {}\n",
                           count_of(stages.compared(), "result"), stages.changes().size(),
                           count_of(stages.compared_at_seams(), "tensor"),
                           stages.seams().empty() ? "all fit" : fmt::format("{} do not fit", stages.seams().size()));
}

void add_to_json(const LogStages& stages, nlohmann::ordered_json& report) {
  report["stages"] = {{"compared", stages.compared()}, {"changed", to_json(stages.changes())}};
  report["seams"] = {{"compared", stages.compared_at_seams()}, {"differ", to_json(stages.seams())}};
}

}  // namespace ersatz::tools
