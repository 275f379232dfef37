// `ersatz decompose`: rewrites a program in core ATen operators without writes.
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
  command->add_option("--seed", options->seed, "The seed of made-up inputs and weights");
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  options->report.add_to(*command);
  command->footer(
      "\nThis is trace --decompositions core --functional. Buffers and inputs that the program writes become "
      "outputs "
      "of their new values, writes through views scatter operators. A view that the strides of the new program do not "
      "allow is made of a copy and listed.\n\n"
      "The file of -o is the new program: an archive for torch.export.load where its name ends with .pt2, Python where "
      "it ends with .py, else text form (docs/text-form.md). Without -o it is printed before the report.\n\n"
      "Exit status: 0 decomposed, 2 the program cannot be used or recorded.\n\nExamples:\n"
      "  ersatz decompose training.pt2 -o core.txt\n  ersatz decompose training.pt2 --mode symbolic");
  return [options] { return run_trace(*options, "decompose"); };
}

}  // namespace ersatz::tools
