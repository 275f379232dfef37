// `ersatz trace`: traces a program or a library's function and writes the recorded program.
#include "tools/command/trace_command.h"
#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/output/report_output.h"
#include "tools/program/decomposition_file.h"
#include "tools/program/program_input.h"
#include "tools/program/program_output.h"
#include "tools/session/session.h"
#include "tracer/program/dynamic_inputs.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"
#include "tracer/trace/core_decompositions.h"
#include "tracer/trace/function_library.h"
#include "tracer/trace/joint.h"
#include "tracer/trace/retrace.h"

namespace ersatz::tools {

namespace {

/// Traces a function of a library on synthetic inputs.
Program traced_function(const TraceCommand& command, const FunctionList& library, TraceOptions options) {
  const NamedFunction& f = library.find(command.function);
  const std::string& inputs = command.inputs.empty() ? f.inputs : command.inputs;
  options.function = f.name;
  options.allow_non_fake_inputs = true;
  const TimedCall timed("ersatz::trace", "run");
  return trace(f.function, synthetic_arguments(inputs, command.seed), options);
}

/// Traces a program, on the inputs in the files next to it or on synthetic inputs.
Program traced_program(const TraceCommand& command, TraceOptions options, JointFacts& gradients) {
  if (!command.function.empty() || !command.inputs.empty())
    fail_argument("{} is a program: FUNCTION and --inputs are for libraries", command.source);
  ProgramInput input = load_input(command.source, command.seed);
  options.producer = input.program.producer;
  const DynamicInputs dynamic = parse_dynamic_inputs(command.dynamic);
  if (!dynamic.empty()) make_dynamic(input.program, dynamic);
  std::vector<std::string> notes;
  std::optional<InputsOutputs> given;
  if (!input.values.empty()) given = load_values(input, input.values, "inputs", /*named=*/false, notes);
  InputChoice choice;
  choice.given = given ? &*given : nullptr;
  choice.seed = command.seed;
  SymbolValues symbols(input.program);
  if (given) observe_inputs(input.program, *given, symbols);
  const std::vector<Value> inputs = make_inputs(input.program, symbols, choice);
  const TimedCall timed("ersatz::retrace", "run");
  if (!command.joint) return retrace(input.program, inputs, options);
  JointTrace joint(input.program, command.loss);
  Program made = retrace(input.program, inputs, options, &joint);
  gradients = joint.facts();
  return made;
}

ExitStatus list_functions(const TraceCommand& command, const FunctionList& library, std::string_view name) {
  Document text;
  text.data = report_envelope(name, command.source, "", ExitStatus::Clean);
  for (const NamedFunction& f : library.functions()) {
    text.add(fmt::format("{}({})\n", f.name, f.inputs));
    text.data["functions"].push_back({{"name", f.name}, {"inputs", f.inputs}});
  }
  command.report.write(std::move(text));
  return ExitStatus::Clean;
}

}  // namespace

ExitStatus run_trace(const TraceCommand& command, std::string_view name) {
  require_writable(command.report.output);
  if (!command.dynamic.empty() && command.mode != "symbolic")
    fail_argument("--dynamic {}: sizes are symbols with --mode symbolic alone", command.dynamic[0]);
  load_plugins(command.plugins);
  TraceOptions options;
  options.mode = parse_trace_mode(command.mode);
  options.keep_composites = command.whole;
  options.pre_dispatch = command.pre_dispatch;
  std::optional<DecompositionTable> listed;
  if (command.decompositions == "core") {
    options.decompositions = command.functional ? &exported_decompositions() : &core_decompositions();
  } else if (command.decompositions != "none") {
    options.decompositions = &listed.emplace(read_decompositions(command.decompositions));
  }
  std::vector<std::string> copied;  // views that the traced program computes as copies
  options.functional = command.functional;
  options.copied_views = &copied;
  std::map<std::string, int64_t> counters;
  options.counters = &counters;
  std::optional<FunctionList> library;
  if (is_library(command.source)) library = load_functions(command.source);
  if (library && !command.dynamic.empty())
    fail_argument("{} is a library: --dynamic is for programs, --mode symbolic makes symbols of all sizes here",
                  command.source);
  if (library && command.function.empty()) return list_functions(command, *library, name);
  if (library && command.joint)
    fail_argument("--joint: {} is a library; gradients are recorded of programs", command.source);
  if (!command.loss.empty() && !command.joint) fail_argument("--loss: says where gradients begin; give --joint too");
  JointFacts gradients;
  const Program traced =
      library ? traced_function(command, *library, options) : traced_program(command, options, gradients);
  // `--output` names the file for the program, so the report goes to stdout.
  ReportOptions on_stdout = command.report;
  on_stdout.output.clear();
  const bool to_file = !is_stdout(command.report.output);
  const std::string text = to_file ? "" : print_program(traced);
  if (to_file) write_program(command.report.output, traced);
  auto report = report_envelope(name, command.source, "", ExitStatus::Clean);
  report["mode"] = command.mode;
  report["nodes"] = traced.main().nodes.size();
  report["copied_views"] = copied;
  if (command.joint) {
    report["joint"] = {
        {"loss", gradients.loss}, {"gradients", gradients.gradients}, {"without_gradient", gradients.without}};
  }
  report["counters"] = counters;
  if (!to_file) report["text"] = text;
  Document printed;
  printed.add_code(text, Document::Kind::Program);
  for (const std::string& view : copied)
    printed.add(fmt::format("copied: {}, whose strides allow no such view\n", view));
  if (command.joint) {
    printed.add(fmt::format("gradients of {}: {}\n", gradients.loss, gradients.gradients));
    for (const std::string& leaf : gradients.without) printed.add(fmt::format("no gradient reaches {}\n", leaf));
  }
  printed.closing = fmt::format("{}: {} nodes, {} inputs, {} outputs", name, traced.main().nodes.size(),
                                traced.main().inputs.size(), traced.main().outputs.size());
  printed.data = std::move(report);
  on_stdout.write(std::move(printed));
  return ExitStatus::Clean;
}

void add_mode_options(CLI::App& app, TraceCommand& options) {
  app.add_option("--mode", options.mode,
                 "real: kernels run; fake: metadata only; symbolic: sizes are symbols; for a program the sizes that it "
                 "records as symbols and those of --dynamic, for a library's function all sizes but 0 and 1")
      ->check(CLI::IsMember({"real", "fake", "symbolic"}))
      ->capture_default_str();
  app.add_option("--dynamic", options.dynamic,
                 "INPUT:DIM=EXPR[:LO..HI][@HINT|?]: in symbolic mode this size is a symbol too, as in ersatz fake; "
                 "auto: each size of each user input")
      ->allow_extra_args(false);
}

Run add_trace_command(CLI::App& app) {
  auto options = std::make_shared<TraceCommand>();
  CLI::App* command = app.add_subcommand("trace", "Runs a program and records its operator calls as a new program");
  command->add_option("SOURCE", options->source, "A program, or a library with functions; - is stdin")->required();
  command->add_option("FUNCTION", options->function, "Which function of the library; without it they are listed");
  command->add_option("--inputs", options->inputs,
                      "The function's arguments in the text form: f32[4,8], i64[3], 2; tensors have synthetic values");
  add_mode_options(*command, *options);
  command
      ->add_option("--decompositions", options->decompositions,
                   "core: operators outside of core ATen are decomposed into core operators; FILE: only the operators "
                   "that it names are decomposed, one a line")
      ->type_name("core|none|FILE")
      ->capture_default_str();
  command->add_flag("--whole", options->whole, "Composite operators (linear, softmax.int) are recorded as one call");
  command->add_flag("--pre-dispatch", options->pre_dispatch,
                    "Record calls before autocast and with composites whole; calls under autocast or another grad mode "
                    "become nested graphs");
  command->add_flag("--functional", options->functional,
                    "Without writes: writes become new values, and the new values of inputs become outputs");
  command->add_flag("--joint", options->joint,
                    "Record the backward run too: the loss and the gradient of each parameter are outputs");
  command->add_option("--loss", options->loss,
                      "With --joint: the output at which backward begins. Default: the sum of all outputs");
  command->add_option("--seed", options->seed, "The seed of synthetic inputs and weights");
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "The -o file is the traced program: an archive for torch.export.load if its name ends with .pt2, Python if it "
      "ends with .py, else text form (docs/text-form.md). Without -o the program is printed before the report.\n\n"
      "Exit status: 0 traced, 2 the program cannot be used or recorded.\n\n"
      "Examples:\n"
      "  ersatz trace model.pt2\n"
      "  ersatz trace model.pt2 --mode symbolic --dynamic x:0=batch -o symbolic.txt\n"
      "  ersatz trace training.pt2 --decompositions core -o core.txt\n"
      "  ersatz trace ./my_model.so\n"
      "  ersatz trace ./my_model.so step --inputs \"f32[4,8], i64[3]\"");
  return [options] { return run_trace(*options, "trace"); };
}

}  // namespace ersatz::tools
