// `ersatz trace`: a program, or a function of a library, recorded as a program.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/command/command.h"
#include "tools/output/report_output.h"
#include "tools/program/program_input.h"
#include "tools/program/program_output.h"
#include "tools/session/session.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"
#include "tracer/trace/core_decompositions.h"
#include "tracer/trace/retrace.h"

namespace ersatz::tools {

namespace {

struct TraceCommand {
  ReportOptions report;
  std::string source, mode = "fake", decompositions = "none";
  std::vector<std::string> plugins;
  bool whole = false;
  uint64_t seed = 0;
};

ExitStatus run(const TraceCommand& command) {
  require_writable(command.report.output);
  load_plugins(command.plugins);
  ProgramInput input = load_input(command.source, command.seed);
  TraceOptions options;
  options.mode = parse_trace_mode(command.mode);
  options.keep_composites = command.whole;
  options.producer = input.program.producer;
  if (command.decompositions == "core") options.decompositions = &core_decompositions();
  std::vector<std::string> notes;
  std::optional<InputsOutputs> given;
  if (!input.values.empty()) given = load_values(input, input.values, "inputs", /*named=*/false, notes);
  InputChoice choice;
  choice.given = given ? &*given : nullptr;
  choice.seed = command.seed;
  SymbolValues symbols(input.program);
  if (given) observe_inputs(input.program, *given, symbols);
  const std::vector<Value> inputs = make_inputs(input.program, symbols, choice);
  const auto record = [&] {
    const TimedCall timed("ersatz::retrace", "run");
    return retrace(input.program, inputs, options);
  };
  const Program traced = record();
  // The file is the program's; the report goes to stdout.
  ReportOptions on_stdout = command.report;
  on_stdout.output.clear();
  const bool to_file = !is_stdout(command.report.output);
  const std::string text = to_file ? "" : print_program(traced);
  if (to_file) write_program(command.report.output, traced);
  auto report = command.report.envelope("trace", command.source, "", ExitStatus::Clean);
  report["mode"] = command.mode;
  report["nodes"] = traced.main().nodes.size();
  if (!to_file) report["text"] = text;
  std::string printed = text;
  printed += fmt::format("trace: {} nodes, {} inputs, {} outputs\n", traced.main().nodes.size(),
                         traced.main().inputs.size(), traced.main().outputs.size());
  on_stdout.write(printed, report);
  return ExitStatus::Clean;
}

}  // namespace

Run add_trace_command(CLI::App& app) {
  auto options = std::make_shared<TraceCommand>();
  CLI::App* command = app.add_subcommand("trace", "Runs a program under a tracer and keeps the calls as a program");
  command->add_option("SOURCE", options->source, "A program; - is stdin")->required();
  command
      ->add_option("--mode", options->mode,
                   "real: kernels run; fake: metadata only; symbolic: sizes of inputs are symbols")
      ->check(CLI::IsMember({"real", "fake", "symbolic"}))
      ->capture_default_str();
  command
      ->add_option("--decompositions", options->decompositions,
                   "core: what is not core ATen is recorded as the core operators that it is made of")
      ->check(CLI::IsMember({"core", "none"}))
      ->capture_default_str();
  command->add_flag("--whole", options->whole, "Composite operators (linear, softmax.int) are recorded as one call");
  command->add_option("--seed", options->seed, "Of made-up inputs and weights");
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  options->report.add_to(*command);
  command->footer(
      "\nThe file of -o is the traced program: Python where its name ends so, else text form (docs/text-form.md). "
      "Without -o it stands before the report.\n\n"
      "Exit status: 0 traced, 2 the program cannot be used or recorded.\n\nExamples:\n  ersatz trace model.pt2\n  "
      "ersatz trace "
      "model.pt2 --mode symbolic -o symbolic.txt\n  ersatz trace training.pt2 --decompositions core -o core.txt");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
