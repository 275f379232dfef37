// `ersatz propagate`: runs a program with fakes that carry real values.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/command/command.h"
#include "tools/output/interrupt.h"
#include "tools/output/report_output.h"
#include "tools/program/crosscheck_run.h"
#include "tools/program/missing_ops.h"
#include "tools/propagate/propagate_report.h"
#include "tracer/run/prepared.h"

namespace ersatz::tools {

namespace {

struct PropagateCommandOptions {
  ReportOptions report;
  std::string program, device, torch;
  std::vector<std::string> inputs, plugins;
  PropagateOptions run;
};

/// Reports the program's operators that are not registered.
void report_missing(const PropagateCommandOptions& options, const Program& program, const PreparedProgram& prepared) {
  Document text;
  Counts missing;
  for (const auto& [op, nodes] : prepared.missing_ops()) {
    missing[op] = nodes;
    text.add(Mark::Warning, "missing:", missing_words(op, fmt::format("{} nodes", nodes)));
  }
  text.data = report_envelope("propagate", options.program, options.device, ExitStatus::Unusable);
  text.data["missing"] = missing;
  text.data["plugins"] = program.plugins;
  text.add("propagate: " + missing_ops_advice(missing, program.plugins));
  options.report.write(std::move(text));
}

/// True if the run ended because ersatz lacks an operator or a feature, not because of the values.
bool cannot_run(const PropagateRun& run) {
  return run.stopped &&
         (run.stopped->kind == ErrorKind::NotSupported || run.stopped->kind == ErrorKind::UnsupportedOperator);
}

ExitStatus run(const PropagateCommandOptions& options) {
  require_writable(options.report.output);
  load_plugins(options.plugins);
  PropagateOptions how = options.run;
  how.torch = torch_option(options.torch);
  if (!options.device.empty()) {
    how.device = kernel_device_option(options.device);
    if (how.device->is_meta())
      fail_argument("--device meta: nothing there has a value; there are cpu, cuda and cuda:N");
    require_device(*how.device);
  }
  const ProgramInput input = load_input(options.program, how.seed);
  const PreparedProgram prepared(input.program);
  if (!prepared.missing_ops().empty() && !how.keep_going) {
    report_missing(options, input.program, prepared);
    return ExitStatus::Unusable;
  }
  const RecordSymbols symbols(input.program);
  std::vector<std::string> texts = options.inputs;
  if (texts.empty()) texts.emplace_back();
  std::vector<InputSet> sets;  // all sets are read before the first run, so that a bad file is reported at once
  for (const std::string& text : texts) {
    sets.push_back(read_input_set(input, text, how.seed, sets.size()));
    sets.back().choice.device = how.device;
  }
  std::vector<PropagateRun> runs;
  for (const InputSet& set : sets) {
    if (runs.empty() || !interrupted()) runs.push_back(run_propagate(input, symbols, set, how));
  }
  const bool unusable = std::any_of(runs.begin(), runs.end(), cannot_run);
  const PropagateSummary summary = sum_up(input.program, symbols, std::move(runs));
  const ExitStatus status = unusable          ? ExitStatus::Unusable
                            : summary.clean() ? ExitStatus::Clean
                                              : ExitStatus::Findings;
  auto envelope =
      report_envelope("propagate", options.program, how.device ? to_string(*how.device) : "as recorded", status);
  options.report.write(propagate_report(head_of(input), summary, std::move(envelope)));
  return status;
}

}  // namespace

Run add_propagate_command(CLI::App& app) {
  auto options = std::make_shared<PropagateCommandOptions>();
  CLI::App* command =
      app.add_subcommand("propagate", "Runs a program with data: shows where data decides sizes, and where NaN begins");
  command
      ->add_option("PROGRAM", options->program, "A .pt2 archive, its model.json, or a program in text form; - is stdin")
      ->required();
  command
      ->add_option("--inputs", options->inputs,
                   "Values of one run: x=a.npy,y=b.npy (inputs by name; n=3 for a number), an .npz or .safetensors "
                   "with these names, an .npy for the only input, an inputs_outputs.json, or zeros, ones, random. "
                   "Given again: another run. Default: inputs_outputs.json in the program's folder, else random")
      ->allow_extra_args(false);
  command->add_option("--device", options->device,
                      "The device of the run: cpu, cuda, cuda:N. Default: the recorded one");
  command->add_option("--torch", options->torch, kTorchWords);
  command->add_option("--seed", options->run.seed, "The seed of synthetic weights and inputs (default 0)");
  command
      ->add_option("--real-bytes", options->run.real_bytes,
                   "The most bytes that real values may take; values that do not fit are lost, and the report says so")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  command->add_flag("--keep-going", options->run.keep_going,
                    "Missing and refused calls return the recorded metadata without a value, and are findings");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "A point is a node whose sizes or number depend on data: nonzero, item, a boolean index. Each is shown with the "
      "exporter's symbol (u0), its values in the runs, the recorded bounds, and the nodes that depend on it. Findings "
      "are: nan and inf (the node that makes the first one from finite inputs), lost (a result has no value), size "
      "(outside of the recorded bounds), check (an assertion of the program fails), rule (rule and kernel disagree), "
      "stopped. The ranges of these values are no constraints: ersatz.torch.export finds the lines that an export "
      "needs.\n\n"
      "A finding that depends on synthetic values which no option asked for says so, and does not set the status.\n\n"
      "Exit status: 0 no finding, 1 findings, 2 the program or an input cannot be used.\n\n"
      "Examples:\n"
      "  ersatz propagate model.pt2\n"
      "  ersatz propagate model.pt2 --inputs x=a.npy --inputs x=b.npy      two runs, merged into ranges\n"
      "  ersatz propagate model.pt2 --inputs random --inputs random --inputs random\n"
      "  ersatz propagate model.pt2 --json -o points.json\n\n"
      "More: docs/jobs/propagate.md, docs/real-values.md");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
