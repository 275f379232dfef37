#include "tools/answer/fake_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fake/mode/fallback_event.h"
#include "kernels/attention/cuda_choice.h"
#include "runtime/base/count_text.h"
#include "tools/answer/run_options.h"
#include "tools/infer/rule_file.h"
#include "tools/output/interrupt.h"
#include "tools/output/open_strides.h"
#include "tools/output/short_paths.h"
#include "tools/program/backward_run.h"
#include "tools/program/fake_run.h"
#include "tools/program/missing_ops.h"
#include "tools/program/program_input.h"
#include "tools/report/backward_report.h"
#include "tools/report/crosscheck_report.h"
#include "tools/size_coverage/cover_report.h"
#include "tracer/program/dynamic_inputs.h"

namespace ersatz::tools {

namespace {

std::string list(const Counts& counts) {
  std::string out;
  for (const auto& [what, n] : counts) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, n);
  return out.empty() ? "none" : out;
}

std::string open_strides_line(const FakeSummary& s) {
  const auto open = std::count_if(s.rows.begin(), s.rows.end(), [](const FakeRow& r) { return r.by_backend; });
  if (open == 0) return "";
  return fmt::format(
      "?: the GPU and its libraries decide the strides of {}; --backend sm_90,cudnn=91900 would say for an H100\n",
      count_of(open, "result"));
}

/// Adds one line, and one row of the JSON key `results`, for each result of the run.
void add_results(const FakeSummary& s, Document& out) {
  nlohmann::ordered_json& results = out.data["results"] = nlohmann::ordered_json::array();
  size_t name_width = 4, op_width = 2;
  std::vector<std::string> sources;
  for (const FakeRow& r : s.rows) {
    sources.push_back(r.source);
    name_width = std::max(name_width, std::min<size_t>(r.name.size(), 40));
    op_width = std::max(op_width, std::min<size_t>(r.op.size(), 48));
  }
  const ShortPaths short_paths(sources);
  for (const FakeRow& r : s.rows) {
    std::string meta = r.by_backend ? with_open_strides(r.meta) : r.meta;
    if (!r.alias.empty()) meta += " ~" + r.alias;
    const std::string line = short_paths(r.source);
    out.add_row(fmt::format("{:<{}}  {:<{}}  {:<{}}", r.name, name_width, r.op, op_width, meta, line.empty() ? 0 : 40),
                line);
    results.push_back({{"name", r.name}, {"op", r.op}, {"meta", r.meta}, {"alias", r.alias}, {"source", r.source}});
    if (!r.at_hints.empty()) results.back()["at_hints"] = r.at_hints;
    if (r.by_backend) results.back()["strides_by_backend"] = true;
  }
}

nlohmann::ordered_json fallback_rows(const std::vector<FallbackEvent>& fallbacks) {
  auto rows = nlohmann::ordered_json::array();
  for (const FallbackEvent& e : fallbacks) {
    rows.push_back({{"op", e.op},
                    {"reason", e.reason},
                    {"fill", name(e.fill)},
                    {"bytes", e.bytes},
                    {"ns", e.nanoseconds},
                    {"source", e.source},
                    {"numbers", e.numbers},
                    {"on_cpu", e.on_cpu},
                    {"failed", e.failed}});
  }
  return rows;
}

/// Adds memory and FLOPs to the JSON and to the closing line of the text.
void add_costs(const FakeSummary& s, Document& out) {
  nlohmann::ordered_json& data = out.data;
  data["peak_bytes"] = s.peak_bytes;
  data["unsized"] = s.unsized;
  data["param_bytes"] = s.param_bytes;
  data["flops"] = s.flops;
  data["flops_unknown"] = s.flops_unknown;
  data["flops_unsized"] = s.flops_unsized;
  if (!s.peak_expression.empty()) {
    data["peak_bytes_expression"] = s.peak_expression;
    out.add(fmt::format("peak bytes: {}\n", s.peak_expression));
  }
  if (!s.flops_expression.empty()) {
    data["flops_expression"] = s.flops_expression;
    out.add(fmt::format("flops: {}\n", s.flops_expression));
  }
  const std::string nodes =
      s.nodes < s.all_nodes ? fmt::format("stopped after {} of {}", s.nodes, s.all_nodes) : std::to_string(s.nodes);
  out.closing = fmt::format(
      "fake: {} nodes, {} results, peak {}{}, parameters {}, {:.4g} flops{}", nodes, s.rows.size(),
      byte_text(s.peak_bytes), s.unsized ? fmt::format(" and what {} results of unknown size take", s.unsized) : "",
      byte_text(s.param_bytes), s.flops,
      s.flops_unsized ? fmt::format(" and those of {} calls of unknown size", s.flops_unsized) : "");
}

/// The report on a run. `sizes` describes the sizes that the run is valid for.
Document fake_report(const FakeSummary& s, Document sizes) {
  Document out, costs;
  nlohmann::ordered_json& data = out.data;
  data["nodes"] = s.nodes;
  data["error"] = s.stopped ? nlohmann::ordered_json(s.stopped->message) : nlohmann::ordered_json();
  add_results(s, out);
  out.add(open_strides_line(s));
  if (!s.fallbacks.empty()) out.add(fallback_summary(s.fallbacks));
  for (const std::string& line : s.refusals) out.add(Mark::Warning, "refused:", line);
  out.add(fmt::format("answered by: {}\n", list(s.sources)));
  const std::string coverage = to_string(s.coverage);
  out.add(
      // The first line of `coverage` is left out, because it counts calls and this report counts nodes.
      coverage.substr(coverage.find('\n') + 1));
  if (!s.missing.empty()) out.add(Mark::Warning, "missing operators:", list(s.missing));
  if (!s.flops_unknown.empty()) out.add(fmt::format("flops unknown: {}\n", list(s.flops_unknown)));
  data["missing"] = s.missing;
  data["plugins"] = s.plugins;
  data["refused"] = s.refused;
  add_costs(s, costs);
  add_keys(data, std::move(costs.data));
  nlohmann::ordered_json& sources = data["sources"] = nlohmann::ordered_json::object();
  for (int i = 0; i < kSourceCount; ++i) {
    const std::string source(name(static_cast<Source>(i)));
    const auto nodes = s.sources.find(source);
    sources[source] = nodes == s.sources.end() ? 0 : nodes->second;
  }
  data["coverage"] = coverage_json(s.coverage);
  data["fallbacks"] = fallback_rows(s.fallbacks);
  out.add_part(std::move(sizes));
  out.add(std::move(costs));
  return out;
}

/// The report if operators are missing, so that the run could not begin.
Document missing_lines(const FakeSummary& s) {
  Document out;
  for (const auto& [op, n] : s.missing)
    out.add(Mark::Warning, "missing:", missing_words(op, fmt::format("{} nodes", n)));
  out.add("fake: " + missing_ops_advice(s.missing, s.plugins));
  return out;
}

/// Repeats the run for each GPU model that `how.backend` may mean. Sets `by_backend` for a result whose metadata differ
/// on another model, or that the run for that model does not reach. Does nothing if no result has `by_backend` yet.
void mark_open_strides(FakeSummary& s, const FakeRequest& request, FakeRunOptions how) {
  if (std::none_of(s.rows.begin(), s.rows.end(), [](const FakeRow& r) { return r.by_backend; })) return;
  const auto numbers = [](const FakeRow& r) { return r.at_hints.empty() ? r.meta : r.at_hints; };
  for (const BackendRecord& backend : backends_like(how.backend)) {
    how.backend = backend;
    const FakeSummary other = run_fake(load_requested(request), how);
    if (interrupted()) return;
    for (size_t i = 0; i < s.rows.size(); ++i)
      s.rows[i].by_backend |= i >= other.rows.size() || numbers(other.rows[i]) != numbers(s.rows[i]);
  }
}

/// Returns the error that ended a run, with a hint that names an option or command that helps.
Error explained(Error e, const FakeRequest& request) {
  if (e.kind == ErrorKind::UnsupportedOperator && request.run.fallback == FallbackPolicy::Rule) {
    e.message += "; --fallback zeros runs the kernels of such operators on zeros";
  }
  if (e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape) {
    e.message += "; `ersatz propagate` runs the program with real values and goes past this point";
  }
  if (!request.run.keep_going) e.message += "; --keep-going goes on from recorded metadata";
  return e;
}

}  // namespace

Program load_requested(const FakeRequest& request) {
  return load_dynamic(request.program, parse_dynamic_inputs(request.dynamic));
}

FakeAnswer answer_fake(const FakeRequest& asked) {
  FakeRequest request = asked;
  const ToldGroups groups(request.groups);
  load_plugins(request.plugins);
  const DeviceOption device(request.device);
  FakeRunOptions& how = request.run;
  how.symbolic = !request.fixed;
  how.torch = torch_option(request.torch);
  how.keep_going |= pasted_text(pasted::graph_address(request.program).file) != nullptr;
  // Loading the rule files also registers their operators.
  if (!request.rules.empty()) how.inferred = load_inferred_rules(request.rules);
  if (device.device()) how.device = device.device();
  how.backend =
      backend_option(request.backend, how.device, !request.backend.empty() && recorded_on_gpu(load_requested(request)));
  std::string of_text;  // lines about the device and versions that a printed text names
  if (const auto text = pasted_text(pasted::graph_address(request.program).file)) {
    PastedRead read;
    if (!text->torch().rows().empty()) read.torch.emplace(text->name(), text->torch());
    of_text = torch_lines(read, how.torch);
    if (request.backend.empty() && (how.device ? how.device->is_cuda() : recorded_on_gpu(load_requested(request)))) {
      read.gpus = text->gpus();
      of_text += gpu_line(read);
      how.backend = backend_option(backend_of_text(read));
    }
  }
  FakeAnswer answer;
  answer.cover = cover_sizes([&] { return load_requested(request); }, how, request.fixed ? 1 : request.cases);
  const SizeCover& cover = answer.cover;
  mark_open_strides(answer.cover.cases[0].summary, request, how);
  const FakeSummary& summary = cover.cases[0].summary;
  answer.unknown = !summary.missing.empty() && !how.keep_going;
  answer.status = answer.unknown || summary.stopped ? ExitStatus::Unusable
                  : !request.dynamic.empty() && !(cover.pinned.empty() && cover.uncovered.empty())
                      ? ExitStatus::Findings
                      : ExitStatus::Clean;
  answer.document = of_text + device.lines();
  nlohmann::ordered_json& data = answer.document.data;
  data = report_envelope("fake", request.program, how.device ? to_string(*how.device) : "as recorded", answer.status);
  device.add_to_json(data);
  Document report = fake_report(summary, request.fixed ? Document() : cover_report(cover));
  if (answer.unknown) {
    Document lines = missing_lines(summary);
    lines.data = std::move(report.data);
    report = std::move(lines);
  }
  answer.document.add_part(std::move(report));
  if (request.backward && !answer.unknown && !summary.stopped) {
    add_gradients(run_backward(load_requested(request), how, request.loss), answer.document);
  }
  if (summary.stopped) answer.stopped = explained(*summary.stopped, request);
  return answer;
}

}  // namespace ersatz::tools
