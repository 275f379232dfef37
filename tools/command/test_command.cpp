// `ersatz test`: runs the calls of `.calls` files and compares them with the expectations in their lines.
#include <CLI/CLI.hpp>

#include "tools/answer/test_answer.h"
#include "tools/command/command.h"
#include "tools/output/report_output.h"

namespace ersatz::tools {

namespace {

struct TestCommand {
  ReportOptions report;
  TestRequest request;
};

ExitStatus run(const TestCommand& command) {
  require_writable(command.report.output);
  CommandAnswer answer = answer_test(command.request);
  command.report.write(std::move(answer.document));
  return answer.status;
}

constexpr const char* kTestFooter =
    "\n"
    "A line is a call with its expected result or error. # starts a comment.\n\n"
    "  aten.flip(i64[2,3] = 1..6, [1])          -> i64[2,3] = 3 2 1 6 5 4\n"
    "  aten.flip(f32[2,3], [1, -1])             !! flip.C1 runtime\n"
    "  aten.add_.Tensor(f32[2] = 1 2, 1)        -> in0 = 2 3\n"
    "  aten.relu.out(f32[2] = -1 2, out=f32[2]) -> in1 = 0 2\n"
    "  aten.t(f32[2,3])                         -> f32[3,2]{1,3} ~in0\n\n"
    "in0 is the first tensor of the call. ~in0: shares its storage. Arguments without elements are filled with numbers "
    "in [-2, 2], the same in every run; of results without elements only the metadata are compared. 'within 1e-4' at "
    "the end is a tolerance.\n\n"
    "Exit status: 0 every line was compared and agrees, 1 a line differs, has no expected result or was not compared, "
    "2 a file or a line cannot be used, 3 a bug of ersatz.\n\n"
    "Examples:\n"
    "  ersatz test my_op.calls --plugin ./my_ops.so\n"
    "  ersatz test tests/cases --only flip\n"
    "  ersatz test my_op.calls --update\n"
    "  ersatz test cases/ --device fake\n\n"
    "The language: docs/test-files.md";

}  // namespace

Run add_test_command(CLI::App& app) {
  auto options = std::make_shared<TestCommand>();
  TestRequest& request = options->request;
  CLI::App* command = app.add_subcommand("test", "Runs calls that are written as lines with what they return");
  command->add_option("FILE", request.inputs, "Files of lines, and folders whose .calls files are run")->required();
  command->add_option("--plugin", request.plugins, "A shared library with operators of your own (docs/plugins.md)")
      ->allow_extra_args(false);
  command
      ->add_option("--device", request.devices,
                   "How each line is run: cpu (its kernels), fake (metadata and errors), crosscheck (both at once, "
                   "with checks of memory), symbols (with symbols for sizes), cuda (compared with the cpu). May be "
                   "given several times. Default: the first four")
      ->check(CLI::IsMember({"cpu", "fake", "crosscheck", "symbols", "cuda"}))
      ->allow_extra_args(false);
  command->add_option("--only", request.only, "An overload, or an operator with all its overloads")
      ->allow_extra_args(false);
  auto* update = command->add_flag(
      "--update", request.update,
      "Add the result of the call to lines without an expected result. A file is written whole or not at all");
  command
      ->add_flag("--overwrite", request.overwrite,
                 "With --update: also replace expected results that differ from the call's. Both sides of each line "
                 "are listed")
      ->needs(update);
  command->add_option("--records", request.records,
                      "FILE for the lines as recorded calls (docs/call-records.md), with their expected results");
  options->report.add_to(*command);
  command->footer(kTestFooter);
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
