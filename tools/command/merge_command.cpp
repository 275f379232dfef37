// `ersatz merge`: joins the reports of shards of one run, or of the processes of a live run.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "tools/answer/command_answer.h"
#include "tools/command/command.h"
#include "tools/live/live_report.h"
#include "tools/output/report_output.h"
#include "tools/validate/validate_run.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace {

struct MergeOptions {
  ReportOptions report;
  std::vector<std::string> files;
};

/// True if `text` is the JSON report of a live run (CrosscheckMode of the Python package).
bool is_live(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  const auto says = [&](const char* key, const char* what) {
    const auto at = json.find(key);
    return at != json.end() && *at == what;
  };
  return json.is_object() && says("command", "crosscheck") && says("device", "live");
}

ExitStatus run_ranks(const MergeOptions& options, const std::vector<std::string>& texts) {
  std::vector<LiveReport> reports;
  for (size_t i = 0; i < texts.size(); ++i) reports.push_back(live_report_from_json(texts[i], options.files[i]));
  const LiveReport report = join_ranks(std::move(reports));
  options.report.write(report.document());
  return report.report.clean() ? ExitStatus::Clean : ExitStatus::Findings;
}

ExitStatus run(const MergeOptions& options) {
  require_writable(options.report.output);
  std::vector<std::string> texts;
  for (const std::string& file : options.files) texts.push_back(read_file(file));
  if (is_live(texts[0])) return run_ranks(options, texts);
  std::vector<ValidateReport> shards;
  std::string input, device;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string &text = texts[i], &file = options.files[i];
    shards.push_back(validate_report_from_json(text, file));
    const auto envelope = nlohmann::ordered_json::parse(text);
    input = envelope.value("input", ""), device = envelope.value("device", "");
  }
  const ValidateReport report = join(std::move(shards));
  const ExitStatus status = status_of(report);
  const auto envelope = report_envelope("validate", input, device, status);
  options.report.write(validate_report(report, envelope, !options.report.output.empty()));
  return status;
}

}  // namespace

Run add_merge_command(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = app.add_subcommand(
      "merge", "Join the JSON reports of `ersatz validate --shard i/n`, or of all ranks of a live run");
  command
      ->add_option("REPORT", options->files, "The reports of all n shards, or of all ranks, of one run, in any order")
      ->required();
  options->report.add_to(*command);
  command->footer(
      "\n"
      "The joined report equals the report of one process, byte for byte. Shards of different runs, a shard that is "
      "given twice and a missing shard are refused.\n\n"
      "Each rank of a live run (torchrun) writes a report of its own. The joined report has the ranks of each "
      "finding.\n\n"
      "Exit status: 0 clean, 1 findings or nothing compared, 2 the reports cannot be joined.\n\n"
      "Examples:\n"
      "  ersatz merge part*.json\n"
      "  ersatz merge part1.json part2.json --json -o whole.json\n"
      "  ersatz merge rank0.json rank1.json");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
