// `ersatz show`: a program as text.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/command/command.h"
#include "tools/output/report_output.h"
#include "tools/program/program_input.h"
#include "tracer/text/python_text.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

struct ShowOptions {
  ReportOptions report;
  std::string program;
  bool inline_values = false, python = false;
};

ExitStatus run(const ShowOptions& options) {
  require_writable(options.report.output);
  ProgramInput input = load_input(options.program, 0);
  TextOptions text;
  text.inline_values = options.inline_values;
  std::string printed = options.python ? print_python(input.program) : print_program(input.program, text);
  auto report = options.report.envelope("show", options.program, "", ExitStatus::Clean);
  report["nodes"] = input.program.main().nodes.size();
  report["text"] = printed;
  options.report.write(printed, report);
  return ExitStatus::Clean;
}

}  // namespace

Run add_show_command(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "The program in ersatz's text form, which every command reads back");
  command
      ->add_option("PROGRAM", options->program, "A .pt2 archive, its model.json, or a program in text form; - is stdin")
      ->required();
  command->add_flag("--inline-values", options->inline_values,
                    "Put the bytes of weights into the text, so that it stands alone");
  command->add_flag("--python", options->python,
                    "Python for PyTorch instead: one function of torch.ops calls, and its inputs");
  options->report.add_to(*command);
  command->footer(
      "\nExamples:\n  ersatz show model.pt2\n  ersatz show model.pt2 -o model.txt && ersatz crosscheck "
      "model.txt\n  ersatz show model.pt2 --python -o model.py && python model.py\n\nGrammar: docs/text-form.md");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
