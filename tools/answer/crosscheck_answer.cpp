#include "tools/answer/crosscheck_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "fake/crosscheck/not_clean.h"
#include "runtime/tensor/cuda_module.h"
#include "tools/answer/run_options.h"
#include "tools/calls/known_differences.h"
#include "tools/calls/symbolic_report.h"
#include "tools/output/interrupt.h"
#include "tools/output/report_output.h"
#include "tools/output/repro_folder.h"
#include "tools/program/log_stages.h"
#include "tools/program/missing_ops.h"
#include "tools/program/repro_check.h"
#include "tools/report/backward_report.h"
#include "tools/report/crosscheck_report.h"
#include "tools/report/html_report.h"
#include "tools/report/replay_report.h"
#include "tools/size_coverage/size_witness_report.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace {

Waivers waivers_of(const std::string& path, std::chrono::year_month_day today) {
  return path.empty() || path == "none" ? Waivers() : Waivers::parse(read_file(path), path, today);
}

std::chrono::year_month_day today_of(const std::string& option) {
  if (option.empty()) return clock_date();
  const auto date = parse_date(option);
  if (!date) fail_argument("--today: '{}' is no day; one looks like 2027-01-31", option);
  return *date;
}

/// Returns one line for each row of the `--waivers` file, with its use. Sets `broken` if a row is unused or expired,
/// because that fails the run.
Document waiver_rows(const Waivers& waivers, const std::string& path, bool& broken) {
  Document out;
  for (const Waiver& w : waivers.rows()) {
    if (interrupted() && w.used == 0) continue;  // after Ctrl-C the calls that would have used the row may not have run
    out.add(w.broken() ? Mark::Warning : Mark::None, state(w), fmt::format("row in {}: {}", path, to_string(w)));
    broken |= w.broken();
  }
  return out;
}

/// Returns one line for each known difference (a row compiled into ersatz) that was used, or that should have been used
/// and was not. Sets `broken` if there is one that should have been used.
Document known_rows(const std::vector<Waiver>& known, bool& broken) {
  Document out;
  for (const Waiver& w : known) {
    if (interrupted() && w.used == 0) continue;
    if (w.used > 0 || w.broken())
      out.add(w.broken() ? Mark::Warning : Mark::None, state(w), "known difference: " + to_string(w));
    broken |= w.broken();
  }
  return out;
}

/// Sums over all input files of a crosscheck.
struct Totals {
  explicit Totals(const CrosscheckRequest& request) : budget(request.whole_text) {
    if (!request.repros.empty()) repros.emplace(request.repros);
  }

  Report report;
  std::vector<DownstreamDifference> inherited;
  std::vector<GraphNeighbourhood> neighbourhoods;
  OutputBudget budget;  ///< without a limit if the report goes to a file
  Document document;
  std::optional<ReproFolder> repros;
  std::optional<Report> parts;       ///< comparisons of the operators that composite nodes call
  Counts missing;                    ///< missing operator -> number of nodes and records that need it
  std::vector<std::string> plugins;  ///< plugins that, according to the programs, have the missing operators
  nlohmann::ordered_json programs = nlohmann::ordered_json::array();
  std::optional<CallsSummary> calls;
  nlohmann::ordered_json calls_data;  ///< the key `calls`
  std::optional<PastedRead> read;     ///< counts of the printed graphs that were read or left out
  LogStages stages;                   ///< compiler stages of the printed graphs
  bool backend_of_text = false;       ///< the GPU model was taken from the text of the printed graph
  nlohmann::ordered_json symbolic;    ///< the report of `--sizes`
  std::vector<Waiver> known;          ///< the known differences for recorded calls, which are compiled into ersatz
  /// True if an operator is missing that the input needs. Without --keep-going the status is then `unusable`. A program
  /// and a file of records need all their operators. In a folder of records, missing operators are only counted and
  /// listed.
  bool stopped = false;
  int64_t without_gradients = 0;  ///< programs for which --backward compared no gradient
  int64_t at_sizes = 0;           ///< comparisons with --sizes that agreed; `report` counts all other comparisons

  /// Returns why a run without findings is not clean; empty if it is clean. `broken`: a row of `--waivers` is unused or
  /// expired.
  std::string why_not_clean(bool broken) const {
    std::string why = ersatz::why_not_clean(report.compared + at_sizes, report.own);
    if (why.empty() && without_gradients > 0) why = "no gradient was compared";
    return why.empty() && broken ? std::string(kBrokenWaiver) : why;
  }

  void add_read(const PastedRead& more) {
    if (!read) read.emplace();
    read->add(more);
  }

  /// Lists a graph of a printed text that cannot be parsed, with its error `e`. The other graphs of the text are still
  /// run.
  void leave_out(const std::string& path, const Error& e) {
    PastedRead none;
    if (const auto of = pasted_text(pasted::graph_address(path).file)) {
      none.kind = of->kind();
      none.lines = of->lines();
    }
    none.unread.push_back({pasted::line_named(e.message), e.message});
    add_read(none);
  }

  void write_repros(const Report& of) {
    if (!repros) return;
    for (const Finding& f : of.findings) repros->add(f);
  }

  void add(const CrosscheckSummary& summary) {
    Document report_on = program_report(summary, budget);
    programs.push_back(std::exchange(report_on.data, nullptr));
    document.add(std::move(report_on));
    write_repros(summary.report);
    if (summary.parts) write_repros(*summary.parts);
    for (const auto& [op, n] : summary.missing) missing[op] += n;
    plugins.insert(plugins.end(), summary.plugins.begin(), summary.plugins.end());
    stopped |= !summary.missing.empty();
    const size_t before = report.findings.size();
    for (DownstreamDifference i : summary.inherited) {
      i.from += before;
      if (i.finding >= 0) i.finding += static_cast<int64_t>(before);
      inherited.push_back(std::move(i));
    }
    for (GraphNeighbourhood s : summary.neighbourhoods) {
      s.finding += before;
      neighbourhoods.push_back(std::move(s));
    }
    report.add(summary.report);
    if (summary.parts) {
      if (!parts) parts.emplace();
      parts->add(*summary.parts);
    }
  }
};

/// Predicts the program with symbolic sizes, and compares the prediction with runs at other sizes (`--sizes`).
void add_sizes(const std::string& path, const CrosscheckRequest& request, Totals& totals) {
  const DynamicInputs dynamic = parse_dynamic_inputs(request.dynamic);
  const auto load = [&] { return load_dynamic(path, dynamic); };
  FakeRunOptions how(request.run);
  how.symbolic = true;
  constexpr int kMostCases = 8;
  const SizeCover cover = cover_sizes(load, how, kMostCases);
  if (!cover.cases[0].summary.missing.empty() && !request.run.keep_going) {
    totals.document.add(
        "sizes: none tried, since operators are missing; --keep-going takes what is recorded of them\n");
    return;
  }
  const SizeWitness witness =
      witness_sizes(load, cover, how, request.sizes, request.run.seed, request.run.no_real ? nullptr : &request.run);
  add_witness(witness, cover, path, totals.document, totals.symbolic);
  // Each result that differs at any of the sizes counts as one mismatched result. A finding names one result and field,
  // for all sizes at which they differ.
  totals.report.findings.insert(totals.report.findings.end(), witness.findings.begin(), witness.findings.end());
  const int64_t mismatched = witness.mismatched + witness.kernels.mismatched;
  totals.report.results += mismatched;
  totals.report.compared += mismatched;
  totals.report.mismatched += mismatched;
  totals.at_sizes += std::max<int64_t>(0, witness.compared + witness.kernels.compared - mismatched);
}

/// Replays recorded calls and adds the counts to `totals`. Returns the rows of the waivers with their uses.
std::vector<Waiver> add_calls(const std::vector<std::string>& files, const CrosscheckRequest& request,
                              std::chrono::year_month_day today, Totals& totals) {
  CallsOptions calls = request.calls;
  calls.run = request.run;
  const Device device = calls.run.device_or_cpu();
  const bool on_gpu = device.is_cuda() && !calls.run.no_real;
  if (on_gpu) cuda_functions();  // raises if the CUDA module is missing
  if (device.is_meta()) fail_argument("--device meta: recorded calls have no answer for it; there are cpu and cuda");
  if (on_gpu) calls.run.backend = backend_of(device);
  calls.waivers = waivers_of(request.waivers, today);
  if (request.waivers != "none") {
    calls.waivers.append(known_differences(device, calls.run.no_real, today), true);
  }
  CallsSummary summary = run_calls(files, calls);
  if (request.all_repros || !request.repros.empty()) add_repros(summary, calls);
  if (totals.repros) {
    for (const CallCause& cause : summary.causes) totals.repros->add(cause.finding, cause.record);
  }
  if (!request.records_csv.empty() && !interrupted()) write_report(records_csv(summary), request.records_csv);
  if (!request.symbolic_csv.empty() && !interrupted()) write_report(symbolic_csv(summary), request.symbolic_csv);
  Document report_on = calls_report(summary, totals.budget);
  totals.calls_data = std::exchange(report_on.data, nullptr);
  totals.document.add(std::move(report_on));
  if (calls.symbolic) {
    add_symbolic(summary, totals.document, totals.symbolic);
  }
  for (const auto& [op, counts] : summary.ops) {
    if (counts.missing > 0) totals.missing[op] += counts.missing;
  }
  std::error_code ignored;
  if (!totals.missing.empty() && !std::filesystem::is_directory(request.input, ignored)) {
    totals.stopped = true;
    totals.document.add(fmt::format(
        "`ersatz validate {}` judges calls of operators that ersatz has not: what their recorder predicted against "
        "what "
        "it saw\n",
        request.input));
  }
  for (const CallCause& cause : summary.causes) summary.report.findings.push_back(cause.finding);
  totals.report.add(summary.report);
  std::vector<Waiver> rows = std::move(summary.report.waivers);
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(totals.known), [](const Waiver& w) { return w.known; });
  totals.calls = std::move(summary);
  return rows;
}

/// Returns for each finding how often it occurred. Findings of recorded calls are last in the list, one for each
/// CallCause.
std::vector<int64_t> times_of(const Totals& totals) {
  std::vector<int64_t> times(totals.report.findings.size(), 1);
  const auto& causes = totals.calls->causes;
  std::transform(causes.begin(), causes.end(), times.end() - static_cast<ptrdiff_t>(causes.size()),
                 [](const CallCause& cause) { return cause.count; });
  return times;
}

void crosscheck_input(const ProgramInput& input, CrosscheckRequest& request, Totals& totals) {
  CrosscheckSummary summary = run_crosscheck(input, request.run);
  check_repros(summary.report.findings, request.run, &input.program);
  if (request.page) summary.neighbourhoods = neighbourhoods_of(input.program, summary.report.findings);
  if (summary.parts) check_repros(summary.parts->findings, request.run);
  totals.add(summary);
  if (!request.backward || interrupted() || (!summary.missing.empty() && !request.run.keep_going)) return;
  const BackwardCheck check = check_backward(input, request.run, request.gradients);
  add_gradients(check, totals.document, totals.programs.back()["backward"]);
  totals.write_repros(check.report);
  totals.report.add(check.report);
  totals.without_gradients += check.compared == 0;
}

/// Adds the counts of a printed graph. Returns whether the program has tensors on a GPU.
bool begin_input(const ProgramInput& input, CrosscheckRequest& request, Totals& totals) {
  if (input.pasted) totals.add_read(*input.pasted);
  totals.stages.add(input);
  const bool gpu = recorded_on_gpu(input.program);
  if (input.pasted && request.run_texts.backend.empty() && (request.run.device ? request.run.device->is_cuda() : gpu)) {
    request.run.backend = backend_option(backend_of_text(*input.pasted));
    totals.backend_of_text = true;
  }
  return gpu;
}

/// Checks the nested graphs of a printed graph: it has records for their inputs too.
void crosscheck_nested(ProgramInput& input, CrosscheckRequest& request, Totals& totals) {
  const std::string path = input.path;
  for (uint32_t i = 1; i < input.program.graphs.size() && !interrupted(); ++i) {
    if (under_autocast(input.program, i)) {
      totals.document.add(fmt::format("{}: is in an autocast region, and judged by what it returns\n",
                                      nested_name(path, input.program.name(input.program.graphs[i]->name))));
    } else {
      const NestedInput nested(input, i);
      crosscheck_input(input, request, totals);
    }
  }
}

/// Writes the layouts that the run observed to `path`. If the file exists, its rows and its leading comments are kept.
void write_layouts(const Report& report, const std::string& path) {
  RecordedLayouts rows;
  std::string comments;
  if (std::filesystem::exists(path)) {
    const std::string text = read_file(path);
    rows = RecordedLayouts::parse(text, path);
    for (size_t at = 0; at < text.size() && text[at] == '#';) {  // keep the comments at the start of the file
      const size_t end = std::min(text.find('\n', at), text.size() - 1);
      comments += text.substr(at, end + 1 - at);
      at = end + 1;
    }
  }
  for (const RecordedLayout& row : report.layouts) rows.add(row);
  write_report(comments + rows.text(), path);
}

struct GivenOption {
  const char* name;
  bool given;
};

const char* first_given(std::initializer_list<GivenOption> options) {
  const auto* at = std::find_if(options.begin(), options.end(), [](const GivenOption& o) { return o.given; });
  return at == options.end() ? nullptr : at->name;
}

/// RAISES InvalidArgument if an option is given that only recorded calls use, because the input is a program.
void refuse_call_options(const CrosscheckRequest& r) {
  const char* option = first_given({{"--only", !r.calls.only.empty()},
                                    {"--id", !r.calls.ids.empty()},
                                    {"--limit", r.calls.limit >= 0},
                                    {"--jobs", r.calls.jobs > 0},
                                    {"--every-finding", r.calls.every_finding},
                                    {"--symbolic", r.calls.symbolic},
                                    {"--records-csv", !r.records_csv.empty()},
                                    {"--symbolic-csv", !r.symbolic_csv.empty()}});
  if (!option) return;
  fail_argument(
      "{} is for recorded calls, and {} has none: all nodes of a program are checked. Leave it out, or give a file of "
      "recorded calls (JSON lines, as ersatz.torch.record writes them){}",
      option, r.input, std::string_view(option) == "--symbolic" ? "; --sizes asks a program with symbols" : "");
}

void refuse_program_options(const CrosscheckRequest& r) {
  const char* option = first_given({{"--inputs", !r.run.inputs.empty()},
                                    {"--expect", !r.run.expect.empty()},
                                    {"--facts", !r.run.facts.empty()},
                                    {"--known-wrong", !r.known_wrong.empty()},
                                    {"--descend", r.run.descend},
                                    {"--sizes", r.sizes > 0},
                                    {"--dynamic", !r.dynamic.empty()},
                                    {"--backward", r.backward}});
  if (!option) return;
  fail_argument(
      "{} is for programs, and {} has none: recorded calls come with their arguments and results. Leave it out, or "
      "give "
      "a program{}",
      option, r.input, std::string_view(option) == "--sizes" ? "; --symbolic asks recorded calls with symbols" : "");
}

CrosscheckAnswer finish(const CrosscheckRequest& request, const DeviceOption& on,
                        const std::shared_ptr<Totals>& owned) {
  Totals& totals = *owned;
  bool broken = false;
  Document waivers = waiver_rows(request.run.waivers, request.waivers, broken);
  waivers.add(waiver_rows(request.run.known_wrong, request.known_wrong, broken));
  waivers.add(known_rows(totals.known, broken));
  const bool stopped = totals.stopped && !request.run.keep_going;
  // If nothing could check a call of a custom operator, the report is not clean.
  for (const auto& [op, calls] : totals.missing) {
    if (!is_pytorchs(op))
      totals.report.own.unjudged[op] = {calls, "there is no rule of it here, and no prediction of its own"};
  }
  CrosscheckAnswer answer;
  ExitStatus& status = answer.status;
  const std::string why = totals.why_not_clean(broken);
  status = stopped                                         ? ExitStatus::Unusable
           : totals.report.findings.empty() && why.empty() ? ExitStatus::Clean
                                                           : ExitStatus::Findings;
  if (totals.parts && !totals.parts->findings.empty()) status = std::max(status, ExitStatus::Findings);
  if (!stopped && !totals.stages.seams().empty()) status = std::max(status, ExitStatus::Findings);
  if (totals.calls && totals.calls->bugs > 0) status = ExitStatus::Bug;
  const std::string device = request.run.device ? to_string(*request.run.device) : "cpu";
  // Each part of the report has text lines and JSON keys. The parts are made first, because text and JSON have them in
  // different orders.
  Document read = totals.read ? pasted_report(*totals.read, request.whole_text) : Document();
  Document first = first_divergence(totals.report, totals.inherited);
  Document parts = totals.parts ? parts_report(*totals.parts, totals.budget) : Document();
  Document stages = stages_report(totals.stages);
  Document tally;
  nlohmann::ordered_json& report = tally.data;
  report = report_envelope("crosscheck", request.input, device, status);
  on.add_to_json(report);
  add_keys(report, std::move(first.data));
  add_tally(totals.report, why, tally);
  if (totals.report.compared == 0 && totals.at_sizes > 0)
    tally.closing += fmt::format("; {} compared at other sizes", totals.at_sizes);
  if (totals.parts) report["parts"] = std::move(parts.data);
  report["missing"] = totals.missing;
  if (totals.read) {
    add_keys(report, std::move(read.data));
    add_keys(report, std::move(stages.data));
  }
  if (totals.programs.size() == 1 && totals.programs[0].contains("backward"))
    report["backward"] = totals.programs[0]["backward"];
  report["programs"] = std::move(totals.programs);
  if (totals.calls) {
    report["calls"] = std::move(totals.calls_data);
    report["times"] = answer.times = times_of(totals);
  }
  if (!totals.symbolic.is_null()) report["symbolic"] = std::move(totals.symbolic);

  Document body = std::exchange(totals.document, Document());
  Document& document = totals.document;
  document.add(std::move(read));
  if (totals.read) document.add(torch_lines(*totals.read, request.run.torch));
  if (totals.backend_of_text) document.add(gpu_line(*totals.read));
  document.add(std::move(first));
  document.add(std::move(body));
  if (stopped) document.add(missing_ops_advice(totals.missing, totals.plugins));
  if (!stopped && totals.report.compared + totals.at_sizes == 0)
    document.add(Mark::Warning, "nothing was compared:",
                 "no witness speaks for any result (facts.json, records of an exporter, plugin kernels;\n "
                 " docs/glossary.md says what the words mean)");
  document.add(std::move(parts));
  document.add(std::move(stages));
  document.add(totals.budget.rest() + on.lines() + to_string(totals.report.coverage));
  document.add(std::move(waivers));
  document.closing = std::move(tally.closing);
  answer.report = totals.report;
  answer.document = totals.document;
  answer.document.data = std::move(tally.data);
  if (request.page) {
    answer.document.page = [owned, input = request.input, device, status = std::string(name(status))] {
      const Report& of = owned->report;
      return html_page({input, device, status, of, owned->inherited, owned->neighbourhoods, plain(owned->document),
                        of.findings.empty() ? owned->document.closing : ""});
    };
  }
  return answer;
}

}  // namespace

CrosscheckAnswer answer_crosscheck(CrosscheckRequest request) {
  require_writable(request.layouts);
  const ToldGroups groups(request.groups);
  load_plugins(request.plugins);
  const DeviceOption on(request.run_texts.device);
  const std::chrono::year_month_day today = today_of(request.today);
  request.run.waivers = waivers_of(request.waivers, today);
  request.run.known_wrong = waivers_of(request.known_wrong, today);
  const InputFiles inputs = inputs_below(request.input);
  if (inputs.programs.empty()) refuse_program_options(request);
  if (request.backward && (request.run.no_real || inputs.pasted || !(on.device().value_or(kCPU).is_cpu())))
    fail_argument(
        "--backward: the gradients are those of a run for real on the cpu; `ersatz fake --backward` needs none");
  // A printed graph has recorded metadata but no values, so without given inputs only metadata are compared. Missing
  // operators are listed and the run goes on.
  request.run.no_real |= inputs.pasted && request.run.inputs.empty();
  request.run.keep_going |= inputs.pasted;
  read_run_texts(request.run_texts, on, request.run);
  if (request.run.device && !request.run.no_real) require_device(*request.run.device);

  const auto owned = std::make_shared<Totals>(request);
  Totals& totals = *owned;
  size_t begun = 0;
  bool on_gpu = false;
  std::optional<Error> unreadable;
  for (const std::string& path : inputs.programs) {
    if (interrupted()) break;
    ++begun;
    std::optional<ProgramInput> loaded;
    try {
      loaded = load_input(path, request.run.seed);
    } catch (const Error& e) {
      if (!inputs.pasted || e.kind == ErrorKind::InternalError) throw;
      totals.leave_out(path, e);
      if (!unreadable) unreadable = e;
      continue;
    }
    if (inputs.call_records.empty()) refuse_call_options(request);  // the input is a program
    const ProgramInput& input = *loaded;
    const bool gpu = begin_input(input, request, totals);
    on_gpu |= gpu;
    crosscheck_input(input, request, totals);
    if (input.pasted) crosscheck_nested(*loaded, request, totals);
    if (request.sizes > 0) add_sizes(path, request, totals);
  }
  if (unreadable && totals.programs.empty()) throw *unreadable;
  backend_option(request.run_texts.backend, request.run.device, on_gpu);
  const bool replays = !inputs.call_records.empty() && !interrupted();
  if (const size_t left = inputs.programs.size() - begun + (replays ? 0 : inputs.call_records.size())) {
    totals.document.add(Mark::Warning, "interrupted:", fmt::format("{} files were not begun", left));
  }
  if (replays) {
    request.run.waivers.add_uses(add_calls(inputs.call_records, request, today, totals));
  }
  totals.report.waivers = request.run.waivers.rows();  // the rows count their uses over all files
  std::copy_if(totals.known.begin(), totals.known.end(), std::back_inserter(totals.report.waivers),
               [](const Waiver& w) { return w.used > 0 || w.broken(); });
  if (!request.layouts.empty() && !interrupted()) write_layouts(totals.report, request.layouts);
  return finish(request, on, owned);
}

CrosscheckAnswer answer_crosscheck(CrosscheckRequest request, ProgramInput input) {
  const DeviceOption on(request.run_texts.device);
  request.run.no_real = request.run.keep_going = true;
  const std::optional<TorchVersion> torch = request.run.torch;
  read_run_texts(request.run_texts, on, request.run);
  if (torch) request.run.torch = torch;
  const auto owned = std::make_shared<Totals>(request);
  begin_input(input, request, *owned);
  crosscheck_input(input, request, *owned);
  crosscheck_nested(input, request, *owned);
  return finish(request, on, owned);
}

}  // namespace ersatz::tools
