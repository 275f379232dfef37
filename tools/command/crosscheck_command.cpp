// `ersatz crosscheck`: runs a program with fake and real tensors, and compares both with each other and with recorded
// results.
#include <CLI/CLI.hpp>

#include "runtime/base/error.h"
#include "tools/answer/crosscheck_answer.h"
#include "tools/answer/run_options.h"
#include "tools/command/command.h"
#include "tools/output/report_output.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {

namespace {

// Headings in `--help`. The options under a heading are refused for other kinds of input.
constexpr const char* kPrograms = "Programs";
constexpr const char* kCalls = "Recorded calls";

struct CrosscheckCommand {
  ReportOptions report;
  CrosscheckRequest request;
  std::string graph;
  bool html = false;  ///< `--html`, the older name of `--format html`
};

ExitStatus run(const CrosscheckCommand& command) {
  require_writable(command.report.output);
  CrosscheckRequest request = command.request;
  if (!request.backward && !(request.gradients.loss.empty() && request.gradients.gradients.empty()))
    fail_argument("--loss and --gradients say what --backward compares; give --backward too");
  request.input = address_of(request.input, command.graph);
  request.whole_text = !command.report.output.empty();
  request.all_repros = command.report.json;
  ReportOptions report = command.report;
  if (command.html) report.format = "html";
  request.page = report.format == "html";
  CommandAnswer answer = answer_crosscheck(std::move(request));
  report.write(std::move(answer.document));
  return answer.status;
}

constexpr const char* kCrosscheckFooter =
    "\n"
    "A result is compared with the first of these that exists: the metadata of a real eager run (facts.json), the "
    "result of a kernel that allocates it itself, the exporter's record.\n"
    "On a GPU, dtype, sizes and values are compared with a run of the call on the cpu too. That needs "
    "libersatz_cuda.so (or the file that ERSATZ_CUDA_MODULE names) and a driver;\n"
    "products need cuBLASLt and convolutions cuDNN 9; both are loaded at first use.\n"
    "A result with none of them is skipped as unwitnessed. Recorded predictions for CUDA are skipped if one side "
    "refuses the call, or if the recorder's own CPU run contradicts them (prediction_contradicted). Each cause is "
    "reported once, with its first finding, the number of findings and their nodes, the later results that inherit the "
    "difference, and the smallest program that shows it again.\n\n"
    "Examples:\n"
    "  ersatz crosscheck model.pt2\n"
    "  ersatz crosscheck model.pt2 --inputs random --seed 3 --json -o report.json\n"
    "  ersatz crosscheck model.pt2 --device cuda --reference f64\n"
    "  ersatz crosscheck model.pt2 --html -o report.html\n"
    "  ersatz crosscheck model.pt2 --plugin libmy_ops.so\n"
    "  ersatz crosscheck exported/ --keep-going\n"
    "  ersatz crosscheck recorded/add.jsonl --only add_.Tensor\n"
    "  ersatz crosscheck recorded/ --device cuda --no-real\n\n"
    "Words of the report: docs/glossary.md";

/// Adds the options for the program, the device and the comparisons to the command.
void add_run_options(CLI::App& command, CrosscheckCommand& options) {
  CrosscheckRequest& request = options.request;
  command
      .add_option("PROGRAM", request.input,
                  "A .pt2 archive, its model.json, a program in text form, a text with printed graphs (a log, a "
                  "script), recorded calls (JSON lines), or a folder of them; - is stdin")
      ->required();
  command.add_option("--device", options.request.run_texts.device,
                     "Where to run: cpu (default), cuda, cuda:1. Each call on a GPU is compared with that call on the "
                     "cpu. cuda with --no-real needs no GPU. xpu=cpu, xpu=cuda: the rules for tensors on xpu (default "
                     "cuda). xpu=FILE: their strides come from calls that were recorded on xpu");
  command.add_option(
      "--backend", options.request.run_texts.backend,
      "With --no-real: the GPU and libraries of --device cuda, like sm_90 or sm_90,cublas=130100,cudnn=91900. Default: "
      "unknown, and strides that depend on them are not compared");
  command.add_option("--torch", options.request.run_texts.torch, kTorchWords);
  command.add_option("--group", request.groups, kGroupWords)->allow_extra_args(false);
  command.add_option("--reference", options.request.run_texts.reference,
                     "f64: on a GPU, values are compared with a run on f64 inputs on the cpu, and the errors of both "
                     "sides are reported");
  command.add_flag("--no-real", request.run.no_real, "Run no kernel: compare the rules with facts and records only");
  command.add_option("--record-layouts", request.layouts,
                     "FILE of layouts that a CUDA library chooses: adds the layouts of this run");
  command.add_option("--seed", request.run.seed, "The seed of synthetic inputs and weights (default 0)");
  command.add_option("--plugin", request.plugins, "A shared library with operators of your own (docs/plugins.md)");
  command.add_flag("--keep-going", request.run.keep_going,
                   "Missing and refused calls return the recorded metadata; their results count as skipped");
  command.add_flag_callback(
      "--no-bytes", [&request] { request.run.bytes = false; },
      "Leave out the checks of memory (filled outputs, guard zones, hashes of inputs): faster");
}

/// Adds the options that decide what counts as a finding.
void add_judging_options(CLI::App& command, CrosscheckRequest& request) {
  command.add_option(
      "--waivers", request.waivers,
      "FILE of known findings: op field until=DATE reason. A row that matches nothing, or has expired, fails the run. "
      "none: also without the known differences from recorded calls that are compiled in");
  command.add_option("--today", request.today, "The day for the dates of waivers, like 2027-01-31. Default: today");
  command.add_option("--repros", request.repros,
                     "Folder for the smallest program of each finding, also as Python for PyTorch. For recorded calls: "
                     "a record and a program of each cause");
}

/// Adds the options on a program's inputs, on data of another run, and on `--sizes`.
void add_program_options(CLI::App& command, CrosscheckCommand& options) {
  CrosscheckRequest& request = options.request;
  command
      .add_option(
          "--graph,--program", options.graph,
          "In a text with several graphs, or an archive with several programs: the one with this name, like 0_0/joint")
      ->group(kPrograms);
  command
      .add_option("--inputs", request.run.inputs,
                  "zeros, ones, random, or a FILE like inputs_outputs.json. Default: inputs_outputs.json in the "
                  "program's folder, else random")
      ->group(kPrograms);
  command
      .add_option("--expect", request.run.expect,
                  "FILE with expected outputs, or none. Default: the file of the inputs")
      ->group(kPrograms);
  command
      .add_option("--facts", request.run.facts,
                  "FILE with metadata of a real eager run, or none. Default: facts.json in the program's folder")
      ->group(kPrograms);
  command
      .add_option("--known-wrong", request.known_wrong,
                  "FILE of the exporter's records that are known to be wrong: op field until=DATE reason")
      ->group(kPrograms);
  command
      .add_flag("--descend", request.run.descend,
                "Check the calls inside of composite nodes too: their writes, unwritten elements and shared storages")
      ->group(kPrograms);
  command
      .add_flag("--backward", request.backward,
                "Run backward too: each of its calls is checked, and each gradient is compared with that of a run "
                "without data, and with the FILE of --gradients")
      ->group(kPrograms);
  command
      .add_option("--loss", request.gradients.loss,
                  "With --backward: the output at which backward begins. Default: the sum of all outputs")
      ->group(kPrograms);
  command
      .add_option("--gradients", request.gradients.gradients,
                  "With --backward: FILE of gradients of a run of PyTorch (docs/gradients.md)")
      ->group(kPrograms);
  command
      .add_option(
          "--sizes", request.sizes,
          "The number of choices of sizes for the program's symbols. At each, the results with symbols are compared "
          "with a fake run on these sizes, and, up to 2e9 FLOPs and 1 GiB, with kernels on synthetic inputs")
      ->check(CLI::Range(1, 100000))
      ->group(kPrograms);
  command
      .add_option("--dynamic", request.dynamic,
                  "With --sizes: sizes that are symbols, like --dynamic of `ersatz fake`: x:0=batch:1..64")
      ->allow_extra_args(false)
      ->needs("--sizes")
      ->group(kPrograms);
}

/// Adds the options that select the recorded calls to replay.
void add_call_options(CLI::App& command, CrosscheckRequest& request) {
  command.add_option("--only", request.calls.only, "An overload, or an operator with all its overloads")->group(kCalls);
  command.add_option("--id", request.calls.ids, "Replay the record of this id, like add/000123")->group(kCalls);
  command.add_option("--limit", request.calls.limit, "Replay only this number of records, the first ones")
      ->check(CLI::NonNegativeNumber)
      ->group(kCalls);
  command.add_option("--jobs", request.calls.jobs, "Threads that replay (default: one a core)")
      ->check(CLI::PositiveNumber)
      ->group(kCalls);
  command.add_flag("--every-finding", request.calls.every_finding, "List each finding, not only the first of a cause")
      ->group(kCalls);
  command
      .add_flag("--symbolic", request.calls.symbolic,
                "Repeat each recorded call that passes with symbols for the sizes of its tensors, with example sizes "
                "and without")
      ->group(kCalls);
  command.add_option("--records-csv", request.records_csv, "FILE for a table: the counts of each overload's records")
      ->group(kCalls);
  command
      .add_option("--symbolic-csv", request.symbolic_csv,
                  "FILE for a table: the results of each overload's records with symbols")
      ->needs("--symbolic")
      ->group(kCalls);
}

}  // namespace

Run add_crosscheck_command(CLI::App& app) {
  auto options = std::make_shared<CrosscheckCommand>();
  CrosscheckRequest& request = options->request;
  CLI::App* command = app.add_subcommand(
      "crosscheck", "Compares each node's prediction with a real run, or with what the file says of it");
  add_run_options(*command, *options);
  add_judging_options(*command, request);
  add_program_options(*command, *options);
  add_call_options(*command, request);
  options->report.add_to(*command);
  command
      ->add_flag("--html", options->html,
                 "Report as one HTML page that needs no network: the graph around each finding, both memory layouts, "
                 "all findings; give -o FILE")
      ->excludes("--json");
  command->footer(kCrosscheckFooter);
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
