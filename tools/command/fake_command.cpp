// `ersatz fake`: prints the metadata of every result without data.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "runtime/base/error.h"
#include "tools/answer/fake_answer.h"
#include "tools/answer/run_options.h"
#include "tools/command/command.h"
#include "tools/output/report_output.h"
#include "tools/program/program_input.h"
#include "tools/size_coverage/answered_program.h"
#include "tools/size_coverage/cover_smt.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

struct FakeCommand {
  ReportOptions report;
  FakeRequest request;
  std::string fallback = "rule";
  std::string smt, save, graph;
};

ExitStatus run(const FakeCommand& options) {
  FakeRequest request = options.request;
  std::error_code ignored;
  if (options.graph.empty() && std::filesystem::is_directory(request.program, ignored))
    fail_argument("{}: is a folder: --graph LABEL picks a graph, and `ersatz show {}` lists them", request.program,
                  request.program);
  request.program = address_of(request.program, options.graph);
  request.run.fallback = fallback_option(options.fallback);
  if (!request.loss.empty() && !request.backward)
    fail_argument("--loss: says where --backward begins; give --backward too");
  require_writable(options.report.output);
  require_writable(options.smt);
  require_writable(options.save);
  if (!options.smt.empty() && request.fixed) fail_argument("--smt: with --static there are no sizes to judge");
  if (!options.save.empty() && (request.fixed || !request.device.empty()))
    fail_argument("--save: with {} the answers are not those of the program as it is written",
                  request.fixed ? "--static" : "--device");
  for (const auto& [option, file] : {std::pair("--smt", &options.smt), std::pair("--save", &options.save)}) {
    if (file->empty() || (!is_stdout(*file) && *file != options.report.output)) continue;
    fail_argument("{} {}: the report goes there; name another file", option, *file);
  }
  const FakeAnswer answer = answer_fake(request);
  options.report.write(answer.document);
  if (!options.smt.empty()) write_report(to_smt(answer.cover, request.program), options.smt);
  if (!options.save.empty() && !answer.unknown && !answer.stopped) {
    Program answered = load_requested(request);
    record_answers(answered, answer.cover.cases[0]);
    write_report(print_program(answered), options.save);
  }
  if (answer.stopped) throw *answer.stopped;
  return answer.status;
}

}  // namespace

Run add_fake_command(CLI::App& app) {
  auto options = std::make_shared<FakeCommand>();
  FakeRequest& request = options->request;
  CLI::App* command =
      app.add_subcommand("fake", "Metadata of every result without data: shapes, strides, aliases, peak memory, FLOPs");
  command
      ->add_option("PROGRAM", request.program,
                   "A .pt2 archive, its model.json, a program in text form, or a text with printed graphs; - is stdin")
      ->required();
  command->add_option(
      "--graph,--program", options->graph,
      "In a text with several printed graphs, or an archive with several programs: the one with this name");
  command
      ->add_option("--dynamic", request.dynamic,
                   "INPUT:DIM=EXPR[:LO..HI][@HINT|?]: this size is a symbol, and the results are valid for all its "
                   "values: x:0=batch:1..64. May be given several times. auto: each size of each user input")
      ->allow_extra_args(false);
  command
      ->add_option("--cases", request.cases,
                   "The largest number of runs. If a guard excludes declared sizes, the program runs again for these")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--smt", options->smt,
                      "FILE for the report's claims about sizes as SMT-LIB text. z3 FILE prints each claim with the "
                      "answer that confirms it, and the solver's answer");
  command->add_option("--save", options->save,
                      "FILE for the program in text form, with these results as recorded metadata, with the symbols, "
                      "and with the guards, asserts and assumptions of the run at the example sizes");
  command->add_flag("--static", request.fixed, "Replace recorded symbols by their example sizes");
  command->add_option(
      "--device", request.device,
      "The device of the run: cpu, cuda, cuda:N, meta, or a device with metadata only, like xpu. Default: the recorded "
      "one. Needs no GPU. xpu=cpu, xpu=cuda: the rules for tensors on xpu (default cuda). xpu=FILE: their strides come "
      "from calls that were recorded on xpu; xpu:0=FILE also moves the program there");
  command->add_option(
      "--backend", request.backend,
      "The GPU and libraries of --device cuda, like sm_90 or sm_90,cublas=130100,cudnn=91900. Some strides depend on "
      "them (attention's). Default: unknown, and `?` marks these strides and all that follow from them");
  command->add_option("--torch", request.torch, kTorchWords);
  command->add_option("--group", request.groups, kGroupWords)->allow_extra_args(false);
  command
      ->add_option("--fallback", options->fallback,
                   "Operators without a rule: as they declare (rule), their kernels run on zeros unless they declare "
                   "that they must not (zeros), or none of them runs (refuse)")
      ->check(CLI::IsMember({"rule", "zeros", "refuse"}));
  command->add_option("--plugin", request.plugins, "A shared library with operators of your own (docs/plugins.md)");
  command->add_option("--rules", request.rules,
                      "A file of inferred rules, as `validate --infer --rules` writes it: they predict operators "
                      "without a rule, also operators of a recorded run that are not registered");
  command->add_flag("--backward", request.backward,
                    "Print the gradients of parameters and inputs too: metadata, the node that makes each, and whether "
                    "it is copied into the parameter's layout; and the bytes that are saved for backward");
  command->add_option("--loss", request.loss,
                      "With --backward: the output at which backward begins. Default: the sum of all outputs");
  command->add_flag("--keep-going", request.run.keep_going,
                    "Missing and refused calls return the recorded metadata, and are counted; sizes that depend on "
                    "data stay the recorded symbols");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "Each result has one line: name, operator, metadata dtype[sizes]{strides}+offset@device, after ~ the value whose "
      "storage it shares, after # the line of the model. The peak of memory includes parameters and inputs, counts a "
      "storage once, and frees a value after its last use.\n\n"
      "Examples:\n"
      "  ersatz fake model.pt2\n"
      "  ersatz fake model.pt2 --device cuda --json -o shapes.json\n"
      "  ersatz fake model.pt2 --device cuda --backend sm_90,cudnn=91900      strides as on an H100\n"
      "  ersatz fake model.pt2 --keep-going");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
