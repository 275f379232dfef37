// `ersatz fake`: metadata of every result, without data.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "fake/mode/fallback_event.h"
#include "tools/cases/answered_program.h"
#include "tools/cases/cover_report.h"
#include "tools/cases/cover_smt.h"
#include "tools/command/command.h"
#include "tools/infer/rule_file.h"
#include "tools/output/report_output.h"
#include "tools/output/short_paths.h"
#include "tools/program/fake_run.h"
#include "tools/program/missing_ops.h"
#include "tools/program/program_input.h"
#include "tools/report/crosscheck_report.h"
#include "tracer/program/dynamic_inputs.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

struct FakeCommandOptions {
  ReportOptions report;
  std::string program;
  std::string device, backend;
  std::string fallback = "rule";
  std::vector<std::string> plugins, rules;
  std::vector<std::string> dynamic;
  std::string smt, save;
  int cases = 8;
  bool keep_going = false, fixed = false;
};

std::string bytes(int64_t n) {
  if (n < 10'000) return fmt::format("{} B", n);
  if (n < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(n) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(n) / 1e6);
}

std::string list(const Counts& counts) {
  std::string out;
  for (const auto& [what, n] : counts) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, n);
  return out.empty() ? "none" : out;
}

std::string text_report(const FakeSummary& s, const std::string& sizes) {
  std::string out;
  size_t name_width = 4, op_width = 2;
  std::vector<std::string> sources;
  for (const FakeRow& r : s.rows) {
    sources.push_back(r.source);
    name_width = std::max(name_width, std::min<size_t>(r.name.size(), 40));
    op_width = std::max(op_width, std::min<size_t>(r.op.size(), 48));
  }
  const ShortPaths short_paths(sources);
  for (const FakeRow& r : s.rows) {
    std::string meta = r.alias.empty() ? r.meta : r.meta + " ~" + r.alias;
    const std::string line = short_paths(r.source);
    out += line.empty() ? fmt::format("{:<{}}  {:<{}}  {}\n", r.name, name_width, r.op, op_width, meta)
                        : fmt::format("{:<{}}  {:<{}}  {:<40}  # {}\n", r.name, name_width, r.op, op_width, meta, line);
  }
  if (!s.fallbacks.empty()) out += fallback_summary(s.fallbacks);
  for (const std::string& line : s.refusals) out += fmt::format("refused: {}\n", line);
  out += fmt::format("answered by: {}\n", list(s.sources));
  const std::string coverage = to_string(s.coverage);
  out += coverage.substr(coverage.find('\n') + 1);  // checks that were not made: its first line counts calls, not nodes
  if (!s.missing.empty()) out += fmt::format("missing operators: {}\n", list(s.missing));
  if (!s.flops_unknown.empty()) out += fmt::format("flops unknown: {}\n", list(s.flops_unknown));
  out += sizes;
  if (!s.peak_expression.empty()) out += fmt::format("peak bytes: {}\n", s.peak_expression);
  if (!s.flops_expression.empty()) out += fmt::format("flops: {}\n", s.flops_expression);
  const std::string nodes =
      s.nodes < s.all_nodes ? fmt::format("stopped after {} of {}", s.nodes, s.all_nodes) : std::to_string(s.nodes);
  out += fmt::format("fake: {} nodes, {} results, peak {}{}, parameters {}, {:.4g} flops{}\n", nodes, s.rows.size(),
                     bytes(s.peak_bytes),
                     s.unsized ? fmt::format(" and what {} results of unknown size take", s.unsized) : "",
                     bytes(s.param_bytes), s.flops,
                     s.flops_unsized ? fmt::format(" and those of {} calls of unknown size", s.flops_unsized) : "");
  return out;
}

std::string missing_report(const FakeSummary& s) {
  std::string out;
  for (const auto& [op, n] : s.missing) out += missing_line(op, fmt::format("{} nodes", n));
  return out + "fake: " + missing_ops_advice(s.missing, s.plugins);
}

void add_to_json(const FakeSummary& s, nlohmann::ordered_json& report) {
  report["nodes"] = s.nodes;
  report["error"] = s.stopped ? nlohmann::ordered_json(s.stopped->message) : nlohmann::ordered_json();
  auto& results = report["results"] = nlohmann::ordered_json::array();
  for (const FakeRow& r : s.rows) {
    results.push_back({{"name", r.name}, {"op", r.op}, {"meta", r.meta}, {"alias", r.alias}, {"source", r.source}});
    if (!r.at_hints.empty()) results.back()["at_hints"] = r.at_hints;
  }
  report["missing"] = s.missing;
  report["plugins"] = s.plugins;
  report["refused"] = s.refused;
  report["peak_bytes"] = s.peak_bytes;
  report["unsized"] = s.unsized;
  report["param_bytes"] = s.param_bytes;
  report["flops"] = s.flops;
  report["flops_unknown"] = s.flops_unknown;
  report["flops_unsized"] = s.flops_unsized;
  if (!s.peak_expression.empty()) report["peak_bytes_expression"] = s.peak_expression;
  if (!s.flops_expression.empty()) report["flops_expression"] = s.flops_expression;
  report["sources"] = s.sources;
  report["coverage"] = coverage_json(s.coverage);
  auto& fallbacks = report["fallbacks"] = nlohmann::ordered_json::array();
  for (const FallbackEvent& e : s.fallbacks) {
    fallbacks.push_back({{"op", e.op},
                         {"reason", e.reason},
                         {"fill", name(e.fill)},
                         {"bytes", e.bytes},
                         {"ns", e.nanoseconds},
                         {"source", e.source},
                         {"numbers", e.numbers},
                         {"on_cpu", e.on_cpu},
                         {"failed", e.failed}});
  }
}

/// The error that ended a run, with what this command has against it.
Error explained(Error e, const FakeCommandOptions& options) {
  if (e.kind == ErrorKind::UnsupportedOperator && options.fallback == "rule") {
    e.message += "; --fallback zeros runs the kernels of such operators on zeros";
  }
  if (e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape) {
    e.message += "; `ersatz propagate` runs the program with real values and goes past this point";
  }
  if (!options.keep_going) e.message += "; --keep-going goes on from recorded metadata";
  return e;
}

ExitStatus run(const FakeCommandOptions& options) {
  require_writable(options.report.output);
  require_writable(options.smt);
  require_writable(options.save);
  if (!options.smt.empty() && options.fixed) fail_argument("--smt: with --static there are no sizes to judge");
  if (!options.save.empty() && (options.fixed || !options.device.empty()))
    fail_argument("--save: with {} the answers are not those of the program as it is written",
                  options.fixed ? "--static" : "--device");
  for (const auto& [option, file] : {std::pair("--smt", &options.smt), std::pair("--save", &options.save)}) {
    if (file->empty() || (!is_stdout(*file) && *file != options.report.output)) continue;
    fail_argument("{} {}: the report goes there; name another file", option, *file);
  }
  load_plugins(options.plugins);
  FakeRunOptions how;
  how.symbolic = !options.fixed;
  how.keep_going = options.keep_going;
  if (!options.rules.empty()) how.inferred = load_inferred_rules(options.rules);  // and the operators that they are for
  const DynamicInputs dynamic = parse_dynamic_inputs(options.dynamic);
  how.fallback = options.fallback == "zeros"    ? FallbackPolicy::Zeros
                 : options.fallback == "refuse" ? FallbackPolicy::Refuse
                                                : FallbackPolicy::Rule;
  if (!options.device.empty()) how.device = device_option(options.device);
  how.backend = backend_option(options.backend, how.device);
  const auto load = [&] { return load_dynamic(options.program, dynamic); };
  const SizeCover cover = cover_sizes(load, how, options.fixed ? 1 : options.cases);
  const FakeSummary& summary = cover.cases[0].summary;
  const bool unknown = !summary.missing.empty() && !options.keep_going;
  ExitStatus status = unknown || summary.stopped                                               ? ExitStatus::Unusable
                      : !dynamic.empty() && !(cover.pinned.empty() && cover.uncovered.empty()) ? ExitStatus::Findings
                                                                                               : ExitStatus::Clean;
  auto report = options.report.envelope("fake", options.program,
                                        options.device.empty() ? "as recorded" : to_string(*how.device), status);
  add_to_json(summary, report);
  if (!options.fixed) add_to_json(cover, report);
  options.report.write(unknown ? missing_report(summary) : text_report(summary, options.fixed ? "" : to_text(cover)),
                       report);
  if (!options.smt.empty()) write_report(to_smt(cover, options.program), options.smt);
  if (!options.save.empty() && !unknown && !summary.stopped) {
    Program answered = load();
    record_answers(answered, cover.cases[0]);
    write_report(print_program(answered), options.save);
  }
  if (summary.stopped) throw explained(*summary.stopped, options);
  return status;
}

}  // namespace

Run add_fake_command(CLI::App& app) {
  auto options = std::make_shared<FakeCommandOptions>();
  CLI::App* command =
      app.add_subcommand("fake", "Metadata of every result without data: shapes, strides, aliases, peak memory, FLOPs");
  command
      ->add_option("PROGRAM", options->program, "A .pt2 archive, its model.json, or a program in text form; - is stdin")
      ->required();
  command
      ->add_option("--dynamic", options->dynamic,
                   "INPUT:DIM=EXPR[:LO..HI][@HINT|?]: this size is a symbol, so that the answers hold for all its "
                   "values: x:0=batch:1..64. Given again for further sizes; auto: each size of each user input")
      ->allow_extra_args(false);
  command
      ->add_option("--cases", options->cases,
                   "At most so many runs: where a guard leaves declared sizes out, the program runs again among those")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--smt", options->smt,
                      "Writes there, as SMT-LIB text, what the report says about sizes: z3 FILE prints each claim with "
                      "the answer that bears it out, and the solver's");
  command->add_option(
      "--save", options->save,
      "Writes there, in text form, the program with these answers as its records, with the symbols, and "
      "with the guards, asserts and assumptions of the run at the example sizes");
  command->add_flag("--static", options->fixed, "Sizes that the program records as symbols are their examples");
  command->add_option("--device", options->device,
                      "Where it would run: cpu, cuda, cuda:N, meta. Default: where it was recorded. Needs no GPU");
  command->add_option(
      "--backend", options->backend,
      "Which GPU and libraries --device cuda means, like sm_90 or sm_90,cublas=130100,cudnn=91900: some strides go by "
      "them (attention's). Default: unknown, and such strides are reported as unknown_layout");
  command
      ->add_option("--fallback", options->fallback,
                   "Operators without a rule: as they declare (rule), their kernels run on zeros unless they declare "
                   "that they must not (zeros), or none of them runs (refuse)")
      ->check(CLI::IsMember({"rule", "zeros", "refuse"}));
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  command->add_option(
      "--rules", options->rules,
      "A file of inferred rules, as `validate --infer --rules` writes it: they answer for operators without a rule, "
      "also for those of a recorded run that nothing registers here");
  command->add_flag("--keep-going", options->keep_going,
                    "Missing and refused calls answer what was recorded, and are counted; sizes that follow from data "
                    "stay the symbols of the record");
  options->report.add_to(*command);
  command->footer(
      "\nOne line a result: name, operator, metadata dtype[sizes]{strides}+offset@device, ~ the value whose storage it "
      "shares, # the line of the\n"
      "model. Peak memory counts views once and frees a value after its last use; parameters and inputs are in it.\n\n"
      "Examples:\n  ersatz fake model.pt2\n  ersatz fake model.pt2 --device cuda --json -o shapes.json\n  ersatz fake "
      "model.pt2 --device cuda --backend sm_90,cudnn=91900      strides as an H100 gives them\n  ersatz fake model.pt2 "
      "--keep-going");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
