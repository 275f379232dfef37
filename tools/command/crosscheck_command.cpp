// `ersatz crosscheck`: the program fake and for real side by side, held against what others recorded.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/tensor/cuda_module.h"
#include "tools/calls/known_differences.h"
#include "tools/calls/symbolic_report.h"
#include "tools/cases/size_witness_report.h"
#include "tools/command/command.h"
#include "tools/output/interrupt.h"
#include "tools/output/report_output.h"
#include "tools/output/repro_folder.h"
#include "tools/program/crosscheck_run.h"
#include "tools/program/missing_ops.h"
#include "tools/program/repro_check.h"
#include "tools/report/crosscheck_report.h"
#include "tools/report/html_report.h"
#include "tools/report/replay_report.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace {

constexpr const char* kCalls = "Recorded calls";

struct CrosscheckCommandOptions {
  ReportOptions report;
  std::string program, device, backend, waivers, known_wrong, today, repros, records_csv, symbolic_csv, reference,
      layouts;
  std::vector<std::string> plugins;
  CrosscheckRunOptions run;
  CallsOptions calls;
  std::vector<std::string> dynamic;
  int sizes = 0;
  bool no_bytes = false, html = false;
};

Waivers waivers_of(const std::string& path, std::chrono::year_month_day today) {
  return path.empty() || path == "none" ? Waivers() : Waivers::parse(read_file(path), path, today);
}

std::chrono::year_month_day today_of(const std::string& option) {
  if (option.empty()) return clock_date();
  const auto date = parse_date(option);
  if (!date) fail_argument("--today: '{}' is no day; one looks like 2027-01-31", option);
  return *date;
}

/// Rows that were applied, for people; rows that were not needed or do not count any more are as wrong as a finding.
std::string waiver_rows(const Waivers& waivers, const std::string& path, bool& broken) {
  std::string out;
  for (const Waiver& w : waivers.rows()) {
    if (interrupted() && w.used == 0) continue;  // nobody knows whether it would have been needed
    out += fmt::format("{} row in {}: {}\n", state(w), path, to_string(w));
    broken |= w.broken();
  }
  return out;
}

/// The same of known differences that are built in: those that were applied, or ought to be and were not.
std::string known_rows(const std::vector<Waiver>& known, bool& broken) {
  std::string out;
  for (const Waiver& w : known) {
    if (interrupted() && w.used == 0) continue;
    if (w.used > 0 || w.broken()) out += fmt::format("{} known difference: {}\n", state(w), to_string(w));
    broken |= w.broken();
  }
  return out;
}

/// The sums over all files.
struct Totals {
  explicit Totals(const CrosscheckCommandOptions& options) : room(!options.report.output.empty()) {
    if (!options.repros.empty()) repros.emplace(options.repros);
  }

  Report report;
  std::vector<Inherited> inherited;
  std::vector<Surrounding> surroundings;
  TextRoom room;  ///< a report that goes to a file is whole
  std::string text;
  std::optional<ReproFolder> repros;
  std::optional<Report> parts;       ///< of composite nodes
  Counts missing;                    ///< operator -> nodes and records
  std::vector<std::string> plugins;  ///< that programs name for them
  nlohmann::ordered_json programs = nlohmann::ordered_json::array();
  std::optional<CallsSummary> calls;
  nlohmann::ordered_json symbolic;  ///< with --sizes
  std::vector<Waiver> known;        ///< differences of recorded calls that come with the program
  /// A program needs what is missing to go on, and who names one file of records wants those. In a folder of records
  /// each call stands for itself: those that are missing are counted and listed.
  bool stopped = false;

  void write_repros(const Report& of) {
    if (!repros) return;
    for (const Finding& f : of.findings) repros->add(f);
  }

  void add(const CrosscheckSummary& summary) {
    text += crosscheck_text(summary, room);
    write_repros(summary.report);
    if (summary.parts) write_repros(*summary.parts);
    for (const auto& [op, n] : summary.missing) missing[op] += n;
    plugins.insert(plugins.end(), summary.plugins.begin(), summary.plugins.end());
    stopped |= !summary.missing.empty();
    programs.push_back({{"program", summary.program},
                        {"notes", summary.notes},
                        {"missing", summary.missing},
                        {"refused", summary.refused},
                        {"compared", summary.report.compared},
                        {"with_fact", summary.with_fact},
                        {"mismatched", summary.report.mismatched}});
    const size_t before = report.findings.size();
    for (Inherited i : summary.inherited) {
      i.from += before;
      if (i.finding >= 0) i.finding += static_cast<int64_t>(before);
      inherited.push_back(std::move(i));
    }
    for (Surrounding s : summary.surroundings) {
      s.finding += before;
      surroundings.push_back(std::move(s));
    }
    report.add(summary.report);
    if (summary.parts) {
      if (!parts) parts.emplace();
      parts->add(*summary.parts);
    }
  }
};

/// The program's answers with symbols, at other sizes.
void add_sizes(const std::string& path, const CrosscheckCommandOptions& options, Totals& totals) {
  const DynamicInputs dynamic = parse_dynamic_inputs(options.dynamic);
  const auto load = [&] { return load_dynamic(path, dynamic); };
  FakeRunOptions how;
  how.device = options.run.device;
  how.backend = options.run.backend;
  how.keep_going = options.run.keep_going;
  how.symbolic = true;
  constexpr int kMostCases = 8;
  const SizeCover cover = cover_sizes(load, how, kMostCases);
  if (!cover.cases[0].summary.missing.empty() && !options.run.keep_going) {
    totals.text += "sizes: none tried, since operators are missing; --keep-going takes what is recorded of them\n";
    return;
  }
  const SizeWitness witness =
      witness_sizes(load, cover, how, options.sizes, options.run.seed, options.run.no_real ? nullptr : &options.run);
  totals.text += to_text(witness, cover);
  add_to_json(witness, path, totals.symbolic);
  // Pairs that differ count as results of the whole that do; a finding stands for all pairs of its result and field.
  totals.report.findings.insert(totals.report.findings.end(), witness.findings.begin(), witness.findings.end());
  const int64_t mismatched = witness.mismatched + witness.kernels.mismatched;
  totals.report.results += mismatched;
  totals.report.compared += mismatched;
  totals.report.mismatched += mismatched;
}

/// Replays the records; returns the waivers' rows with their uses.
std::vector<Waiver> add_calls(const std::vector<std::string>& files, const CrosscheckCommandOptions& options,
                              std::chrono::year_month_day today, Totals& totals) {
  CallsOptions calls = options.calls;
  calls.replay.no_real = options.run.no_real;
  calls.replay.seed = options.run.seed;
  calls.bytes = options.run.bytes;
  calls.reference_f64 = options.run.reference_f64;
  if (options.run.device) calls.replay.device = *options.run.device;
  if (calls.replay.device.is_cuda() && !calls.replay.no_real) cuda_functions();  // says what is missing
  if (calls.replay.device.is_meta()) {
    fail_argument("--device meta: recorded calls have no answer for it; there are cpu and cuda");
  }
  calls.replay.backend =
      calls.replay.device.is_cuda() && !calls.replay.no_real ? backend_of(calls.replay.device) : options.run.backend;
  calls.waivers = waivers_of(options.waivers, today);
  if (options.waivers != "none") {
    calls.waivers.append(known_differences(calls.replay.device, calls.replay.no_real, today), true);
  }
  CallsSummary summary = run_calls(files, calls);
  if (options.report.json || !options.repros.empty()) add_repros(summary, calls);
  if (totals.repros) {
    for (const CallCause& cause : summary.causes) totals.repros->add(cause.finding, cause.record);
  }
  if (!options.records_csv.empty() && !interrupted()) write_report(records_csv(summary), options.records_csv);
  if (!options.symbolic_csv.empty() && !interrupted()) write_report(symbolic_csv(summary), options.symbolic_csv);
  totals.text += calls_text(summary, totals.room);
  if (calls.symbolic) {
    totals.text += symbolic_text(summary);
    add_symbolic_json(summary, totals.symbolic);
  }
  for (const auto& [op, counts] : summary.ops) {
    if (counts.missing > 0) totals.missing[op] += counts.missing;
  }
  std::error_code ignored;
  if (!totals.missing.empty() && !std::filesystem::is_directory(options.program, ignored)) {
    totals.stopped = true;
    totals.text += fmt::format(
        "`ersatz validate {}` judges calls of operators that ersatz has not: what their recorder predicted against "
        "what "
        "it saw\n",
        options.program);
  }
  for (const CallCause& cause : summary.causes) summary.report.findings.push_back(cause.finding);
  totals.report.add(summary.report);
  std::vector<Waiver> rows = std::move(summary.report.waivers);
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(totals.known), [](const Waiver& w) { return w.known; });
  totals.calls = std::move(summary);
  return rows;
}

/// Adds what was learnt to the rows that the file has.
void write_layouts(const Report& report, const std::string& path) {
  RecordedLayouts rows;
  std::string comments;
  if (std::filesystem::exists(path)) {
    const std::string text = read_file(path);
    rows = RecordedLayouts::parse(text, path);
    for (size_t at = 0; at < text.size() && text[at] == '#';) {  // those at its head
      const size_t end = std::min(text.find('\n', at), text.size() - 1);
      comments += text.substr(at, end + 1 - at);
      at = end + 1;
    }
  }
  for (const RecordedLayout& row : report.layouts) rows.add(row);
  write_report(comments + rows.text(), path);
}

ExitStatus finish(const CrosscheckCommandOptions& options, Totals& totals) {
  bool broken = false;
  const std::string waivers = waiver_rows(options.run.waivers, options.waivers, broken) +
                              waiver_rows(options.run.known_wrong, options.known_wrong, broken) +
                              known_rows(totals.known, broken);
  const bool stopped = totals.stopped && !options.run.keep_going;
  ExitStatus status = stopped                            ? ExitStatus::Unusable
                      : totals.report.clean() && !broken ? ExitStatus::Clean
                                                         : ExitStatus::Findings;
  if (totals.parts && !totals.parts->findings.empty()) status = std::max(status, ExitStatus::Findings);
  if (totals.calls && totals.calls->bugs > 0) status = ExitStatus::Bug;
  std::string& text = totals.text;
  if (stopped) {
    text += missing_ops_advice(totals.missing, totals.plugins);
  }
  if (!stopped && totals.report.compared == 0)
    text +=
        "nothing was compared: no witness speaks for any result (facts.json, records of an exporter, plugin kernels;\n "
        " docs/glossary.md "
        "says what the words mean)\n";
  if (totals.parts) text += parts_text(*totals.parts, totals.room);
  text.insert(0, first_line(totals.report, totals.inherited));
  text += totals.room.rest() + to_string(totals.report.coverage) + waivers + closing_line(totals.report) + "\n";

  auto report = options.report.envelope("crosscheck", options.program,
                                        options.device.empty() ? "cpu" : to_string(*options.run.device), status);
  add_groups_json(totals.report, totals.inherited, report);
  add_crosscheck_json(totals.report, report);
  if (totals.parts) add_crosscheck_json(*totals.parts, report["parts"]);
  report["missing"] = totals.missing;
  report["programs"] = std::move(totals.programs);
  if (totals.calls) add_calls_json(*totals.calls, report["calls"]);
  if (!totals.symbolic.is_null()) report["symbolic"] = std::move(totals.symbolic);
  if (options.html) {
    write_report(html_page({options.program, report["device"], std::string(name(status)), totals.report,
                            totals.inherited, totals.surroundings, text}),
                 options.report.output);
    return status;
  }
  options.report.write(text, report);
  return status;
}

ExitStatus run(CrosscheckCommandOptions& options) {
  require_writable(options.report.output);
  require_writable(options.layouts);
  load_plugins(options.plugins);
  options.run.bytes = !options.no_bytes;
  const std::chrono::year_month_day today = today_of(options.today);
  options.run.waivers = waivers_of(options.waivers, today);
  options.run.known_wrong = waivers_of(options.known_wrong, today);
  if (!options.device.empty()) options.run.device = device_option(options.device);

  options.run.backend = backend_option(options.backend, options.run.device);
  if (!options.backend.empty() && !options.run.no_real) {
    fail_argument(
        "--backend is for predictions: give --no-real beside it; a run on a GPU asks the GPU itself what it is");
  }
  if (!options.reference.empty()) {
    if (options.reference != "f64") fail_argument("--reference: '{}' is none; there is f64", options.reference);
    if (!options.run.device || !options.run.device->is_cuda() || options.run.no_real) {
      fail_argument("--reference f64 is for runs on another device: --device cuda");
    }
    options.run.reference_f64 = true;
  }
  if (options.run.device && !options.run.no_real) require_device(*options.run.device);

  const InputFiles inputs = inputs_below(options.program);
  Totals totals(options);
  size_t begun = 0;
  for (const std::string& path : inputs.programs) {
    if (interrupted()) break;
    ++begun;
    const ProgramInput input = load_input(path, options.run.seed);
    CrosscheckSummary summary = run_crosscheck(input, options.run);
    check_repros(summary.report.findings, options.run, &input.program);
    if (options.html) summary.surroundings = surroundings_of(input.program, summary.report.findings);
    if (summary.parts) check_repros(summary.parts->findings, options.run);
    totals.add(summary);
    if (options.sizes > 0) add_sizes(path, options, totals);
  }
  const bool replays = !inputs.call_records.empty() && !interrupted();
  if (const size_t left = inputs.programs.size() - begun + (replays ? 0 : inputs.call_records.size())) {
    totals.text += fmt::format("interrupted: {} files were not begun\n", left);
  }
  if (replays) {
    options.run.waivers.add_uses(add_calls(inputs.call_records, options, today, totals));
  }
  totals.report.waivers = options.run.waivers.rows();  // with the uses of all files
  std::copy_if(totals.known.begin(), totals.known.end(), std::back_inserter(totals.report.waivers),
               [](const Waiver& w) { return w.used > 0 || w.broken(); });
  if (!options.layouts.empty() && !interrupted()) write_layouts(totals.report, options.layouts);
  return finish(options, totals);
}

constexpr const char* kCrosscheckFooter =
    "\nWhat decides is, in this order: a real eager run's metadata (facts.json), a kernel that allocates its own "
    "results, the exporter's record.\n"
    "On a GPU the same call on the cpu judges dtype, sizes and values beside them. It needs libersatz_cuda.so (or "
    "what "
    "ERSATZ_CUDA_MODULE names) and a driver;\nproducts need cuBLASLt, convolutions cuDNN 9, which are looked for "
    "when "
    "first used.\n"
    "A result that none of them speaks for is skipped as unwitnessed; so are recorded predictions for CUDA of calls "
    "that one side\nrefuses, and those that the recorder's own CPU run contradicts (prediction_contradicted). Each "
    "cause is told once: the first finding, how\noften it came and where, what later results inherit from it, and the "
    "smallest program that shows it again.\n\n"
    "Examples:\n  ersatz crosscheck model.pt2\n  ersatz crosscheck model.pt2 --inputs random --seed 3 --json -o "
    "report.json\n"
    "  ersatz crosscheck model.pt2 --device cuda --reference f64\n"
    "  ersatz crosscheck model.pt2 --html -o report.html\n"
    "  ersatz crosscheck model.pt2 --plugin libmy_ops.so\n  ersatz crosscheck exported/ --keep-going\n"
    "  ersatz crosscheck recorded/add.jsonl --only add_.Tensor\n  ersatz crosscheck recorded/ --device cuda "
    "--no-real\n\nWords of the report: docs/glossary.md";

/// What runs, and where.
void add_run_options(CLI::App& command, CrosscheckCommandOptions& options) {
  command
      .add_option("PROGRAM", options.program,
                  "A .pt2 archive, its model.json, a program in text form, recorded calls (JSON lines), or a folder of "
                  "them; - is stdin")
      ->required();
  command.add_option(
      "--device", options.device,
      "Where to run: cpu (default), cuda, cuda:1. Each call on a GPU is held against the same one on the "
      "cpu. cuda with --no-real needs no GPU");
  command.add_option("--backend", options.backend,
                     "With --no-real: which GPU and libraries --device cuda means, like sm_90 or "
                     "sm_90,cublas=130100,cudnn=91900. Default: unknown, and strides that go by them are not judged");
  command.add_option("--reference", options.reference,
                     "f64: on a GPU, values are held against f64 inputs on the cpu, and both errors are told");
  command
      .add_option("--sizes", options.sizes,
                  "So many choices of the program's symbols: at each, its answers with symbols are held against the "
                  "program run fake on numbers, and on made-up inputs by its kernels, up to 2e9 FLOPs and 1 GiB")
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--dynamic", options.dynamic,
                  "With --sizes: sizes that are symbols, as of `ersatz fake`: x:0=batch:1..64")
      ->allow_extra_args(false)
      ->needs("--sizes");
  command
      .add_flag("--symbolic", options.calls.symbolic,
                "Ask each recorded call that passes again with symbols for the sizes of its tensors, with example "
                "sizes and without")
      ->group(kCalls);
  command.add_flag("--no-real", options.run.no_real, "Run no kernel: hold the rules against facts and records only");
  command.add_option("--record-layouts", options.layouts,
                     "FILE of layouts that only a CUDA library can tell: adds what its kernels answered");
}

/// What it runs on, and what was seen of another run.
void add_data_options(CLI::App& command, CrosscheckCommandOptions& options) {
  command.add_option(
      "--inputs", options.run.inputs,
      "zeros, ones, random, or a FILE like inputs_outputs.json. Default: the one beside the program, else random");
  command.add_option("--expect", options.run.expect,
                     "FILE with expected outputs, or none. Default: the one that the inputs are from");
  command.add_option("--facts", options.run.facts,
                     "FILE with metadata of a real eager run, or none. Default: facts.json beside the program");
  command.add_option("--seed", options.run.seed, "Of made-up inputs and weights (default 0)");
}

/// What is a finding, and what is looked at.
void add_judging_options(CLI::App& command, CrosscheckCommandOptions& options) {
  command.add_option("--waivers", options.waivers,
                     "FILE of known findings: op field until=DATE reason. A row that matches nothing, or has expired, "
                     "fails. none: not even those differences from recorded calls that ersatz comes with");
  command.add_option("--known-wrong", options.known_wrong,
                     "FILE of exporter's records that are known to be wrong: op field until=DATE reason");
  command.add_option("--today", options.today, "The day on which waivers have to count, like 2027-01-31. Default: now");
  command.add_option("--plugin", options.plugins, "A shared library with operators of your own (docs/plugins.md)");
  command.add_flag("--descend", options.run.descend,
                   "Check the parts of composite nodes too: what they write, leave unwritten and share");
  command.add_flag("--keep-going", options.run.keep_going,
                   "Missing and refused calls answer what was recorded; they count as skipped");
  command.add_flag("--no-bytes", options.no_bytes, "Leave out poisoned outputs, guard zones and input hashes: faster");
}

/// Which recorded calls are replayed.
void add_call_options(CLI::App& command, CrosscheckCommandOptions& options) {
  command.add_option("--only", options.calls.only, "Of recorded calls: an overload, or an operator with all of them")
      ->group(kCalls);
  command.add_option("--id", options.calls.ids, "Replay the record of this id, like add/000123")->group(kCalls);
  command.add_option("--limit", options.calls.limit, "Replay the first so many records")
      ->check(CLI::NonNegativeNumber)
      ->group(kCalls);
  command.add_option("--jobs", options.calls.jobs, "Threads that replay (default: one a core)")
      ->check(CLI::PositiveNumber)
      ->group(kCalls);
  command.add_flag("--every-finding", options.calls.every_finding, "List each finding, not only the first of a cause")
      ->group(kCalls);
}

}  // namespace

Run add_crosscheck_command(CLI::App& app) {
  auto options = std::make_shared<CrosscheckCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "crosscheck", "Run fake and real side by side; compare with eager facts, records, outputs, buffers");
  add_run_options(*command, *options);
  add_data_options(*command, *options);
  add_judging_options(*command, *options);
  add_call_options(*command, *options);
  command->add_option(
      "--repros", options->repros,
      "Folder for the smallest program of each finding, and the same as Python for PyTorch; of recorded "
      "calls for a record and a program of each cause");
  command->add_option("--records-csv", options->records_csv, "FILE for a table: what became of each overload's records")
      ->group(kCalls);
  command
      ->add_option("--symbolic-csv", options->symbolic_csv,
                   "FILE for a table: what became of each overload's records with symbols")
      ->needs("--symbolic")
      ->group(kCalls);
  options->report.add_to(*command);
  command
      ->add_flag("--html", options->html,
                 "Report as one HTML page that needs no network: the graph around each finding, both memory layouts, "
                 "all findings; give -o FILE")
      ->excludes("--json");
  command->footer(kCrosscheckFooter);
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
