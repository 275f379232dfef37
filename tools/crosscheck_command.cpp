// `ersatz crosscheck`: the program fake and for real side by side, held against what others recorded.
#include <fmt/format.h>

#include "tools/command.h"
#include "tools/crosscheck_report.h"
#include "tools/crosscheck_run.h"
#include "tools/report_output.h"
#include "tracer/program_file.h"

namespace ersatz::tools {

namespace {

struct CrosscheckCommandOptions {
  ReportOptions report;
  std::string program, device, waivers, known_wrong, today;
  std::vector<std::string> plugins;
  CrosscheckRunOptions run;
  bool no_bytes = false;
};

Waivers waivers_of(const std::string& path, std::chrono::year_month_day today) {
  return path.empty() ? Waivers() : Waivers::parse(read_file(path), path, today);
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
    out += fmt::format("{} row in {}: {}\n", state(w), path, to_string(w));
    broken |= w.broken();
  }
  return out;
}

ExitStatus run(CrosscheckCommandOptions& options) {
  require_writable(options.report.output);
  load_plugins(options.plugins);
  options.run.bytes = !options.no_bytes;
  const std::chrono::year_month_day today = today_of(options.today);
  options.run.waivers = waivers_of(options.waivers, today);
  options.run.known_wrong = waivers_of(options.known_wrong, today);
  if (!options.device.empty()) options.run.device = device_option(options.device);

  Report total;
  std::string text;
  Counts missing;
  auto programs = nlohmann::ordered_json::array();
  std::vector<std::string> paths = programs_below(options.program);
  for (const std::string& path : paths) {
    CrosscheckSummary summary = run_crosscheck(path, options.run);
    text += crosscheck_text(summary);
    for (const auto& [op, n] : summary.missing) missing[op] += n;
    nlohmann::ordered_json row = {{"program", path},
                                  {"notes", summary.notes},
                                  {"missing", summary.missing},
                                  {"refused", summary.refused},
                                  {"compared", summary.report.compared},
                                  {"mismatched", summary.report.mismatched}};
    programs.push_back(std::move(row));
    total.add(summary.report);
  }
  total.waivers = options.run.waivers.rows();  // with the uses of all programs
  bool broken = false;
  const std::string waivers = waiver_rows(options.run.waivers, options.waivers, broken) +
                              waiver_rows(options.run.known_wrong, options.known_wrong, broken);
  bool stopped = !missing.empty() && !options.run.keep_going;
  ExitStatus status = stopped                    ? ExitStatus::Unusable
                      : total.clean() && !broken ? ExitStatus::Clean
                                                 : ExitStatus::Findings;
  if (stopped) {
    text += fmt::format(
        "{} operators are missing; --keep-going takes their recorded metadata, --plugin loads a library that has "
        "them\n",
        missing.size());
  }
  if (!stopped && total.compared == 0)
    text +=
        "nothing was compared: no witness speaks for any result (facts.json, records of an exporter, plugin kernels)\n";
  text += to_string(total.coverage) + waivers + closing_line(total) + "\n";

  auto report = options.report.envelope("crosscheck", options.program,
                                        options.device.empty() ? "cpu" : to_string(*options.run.device), status);
  add_crosscheck_json(total, report);
  report["missing"] = missing;
  report["programs"] = std::move(programs);
  options.report.write(text, report);
  return status;
}

}  // namespace

Run add_crosscheck_command(CLI::App& app) {
  auto options = std::make_shared<CrosscheckCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "crosscheck", "Run fake and real side by side; compare with eager facts, records, outputs, buffers");
  command
      ->add_option("PROGRAM", options->program,
                   "A .pt2 archive, its model.json, a program in text form, or a folder of them")
      ->required();
  command->add_option("--device", options->device, "Where to run: cpu (default); cuda with --no-real");
  command->add_flag("--no-real", options->run.no_real, "Run no kernel: hold the rules against facts and records only");
  command->add_option(
      "--inputs", options->run.inputs,
      "zeros, ones, random, or a FILE like inputs_outputs.json. Default: the one beside the program, else random");
  command->add_option("--expect", options->run.expect,
                      "FILE with expected outputs, or none. Default: the one beside the program");
  command->add_option("--facts", options->run.facts,
                      "FILE with metadata of a real eager run, or none. Default: facts.json beside the program");
  command->add_option("--seed", options->run.seed, "Of made-up inputs and weights (default 0)");
  command->add_option("--waivers", options->waivers,
                      "FILE of known findings: op field until=DATE reason. A row that matches nothing, or has expired, "
                      "fails");
  command->add_option("--known-wrong", options->known_wrong,
                      "FILE of exporter's records that are known to be wrong: op field until=DATE reason");
  command->add_option("--today", options->today,
                      "The day on which waivers have to count, like 2027-01-31. Default: now");
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  command->add_flag("--keep-going", options->run.keep_going,
                    "Missing and refused calls answer what was recorded; they count as skipped");
  command->add_flag("--no-bytes", options->no_bytes,
                    "Leave out poisoned outputs, guard zones and input hashes: faster");
  options->report.add_to(*command);
  command->footer(
      "\nWhat decides is, in this order: a real eager run's metadata (facts.json), a kernel that allocates its own "
      "results, the exporter's record.\n"
      "A result that none of them speaks for is skipped as unwitnessed. Each finding comes with a one-call program "
      "that shows it again.\n\n"
      "Examples:\n  ersatz crosscheck model.pt2\n  ersatz crosscheck model.pt2 --inputs random --seed 3 --json -o "
      "report.json\n"
      "  ersatz crosscheck model.pt2 --plugin libmy_ops.so\n  ersatz crosscheck exported/ --keep-going");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
