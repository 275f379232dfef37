// `ersatz merge`: the reports of shards joined.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "tools/answer/command_answer.h"
#include "tools/command/command.h"
#include "tools/output/report_output.h"
#include "tools/validate/validate_run.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace {

struct MergeOptions {
  ReportOptions report;
  std::vector<std::string> files;
};

ExitStatus run(const MergeOptions& options) {
  require_writable(options.report.output);
  std::vector<ValidateReport> shards;
  std::string input, device;
  for (const std::string& file : options.files) {
    const std::string text = read_file(file);
    shards.push_back(validate_report_from_json(text, file));
    const auto envelope = nlohmann::ordered_json::parse(text);
    input = envelope.value("input", ""), device = envelope.value("device", "");
  }
  const ValidateReport report = join(std::move(shards));
  const OpVerdict total = report.total();
  const ExitStatus status =
      total.findings > 0 || total.agreed + total.refused == 0 ? ExitStatus::Findings : ExitStatus::Clean;
  auto json = report_envelope("validate", input, device, status);
  add_validate_json(report, json);
  options.report.write(validate_text(report, !options.report.output.empty()), json);
  return status;
}

}  // namespace

Run add_merge_command(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = app.add_subcommand("merge", "Join the JSON reports of `ersatz validate --shard i/n`");
  command->add_option("REPORT", options->files, "The reports of all n shards of one run, in any order")->required();
  options->report.add_to(*command);
  command->footer(
      "\nThe joined report is the one that a run in one piece writes, byte for byte. Shards of different runs, a shard "
      "that is there twice and one that is\nmissing are refused.\n\nExit status: 0 clean, 1 findings or nothing "
      "compared, 2 the reports cannot be joined.\n\nExamples:\n  ersatz merge part*.json\n  ersatz merge part1.json "
      "part2.json --json -o whole.json");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
