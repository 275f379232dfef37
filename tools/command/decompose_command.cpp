// `ersatz decompose`: rewrites a program with core ATen operators that write to no argument.
#include <CLI/CLI.hpp>

#include "tools/command/trace_command.h"

namespace ersatz::tools {

Run add_decompose_command(CLI::App& app) {
  auto options = std::make_shared<TraceCommand>();
  options->decompositions = "core";
  options->functional = true;
  CLI::App* command =
      app.add_subcommand("decompose", "Rewrites a program with ATen's core operators and without in-place writes");
  command->add_option("SOURCE", options->source, "A program; - is stdin")->required();
  add_mode_options(*command, *options);
  command->add_option("--seed", options->seed, "The seed of synthetic inputs and weights");
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "This is trace --decompositions core --functional. The new values of buffers and inputs that the program writes "
      "become outputs, and writes through views become scatter operators. If the strides of the new program do not "
      "allow a view, it views a copy, and the report lists it.\n\n"
      "The -o file is the new program: an archive for torch.export.load if its name ends with .pt2, Python if it ends "
      "with .py, else text form (docs/text-form.md). Without -o the program is printed before the report.\n\n"
      "Exit status: 0 decomposed, 2 the program cannot be used or recorded.\n\n"
      "Examples:\n"
      "  ersatz decompose training.pt2 -o core.txt\n"
      "  ersatz decompose training.pt2 --mode symbolic");
  return [options] { return run_trace(*options, "decompose"); };
}

}  // namespace ersatz::tools
