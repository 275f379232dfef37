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
  command->add_option("--graph,--program", options->graph,
                      "Of a text with several printed graphs, or an archive of several programs: the one of that name");
  command
      ->add_option("--dynamic", request.dynamic,
                   "INPUT:DIM=EXPR[:LO..HI][@HINT|?]: this size is a symbol, so that the answers hold for all its "
                   "values: x:0=batch:1..64. Given again for further sizes; auto: each size of each user input")
      ->allow_extra_args(false);
  command
      ->add_option("--cases", request.cases,
                   "At most so many runs: where a guard leaves declared sizes out, the program runs again among those")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--smt", options->smt,
                      "Writes there, as SMT-LIB text, what the report says about sizes: z3 FILE prints each claim with "
                      "the answer that bears it out, and the solver's");
  command->add_option(
      "--save", options->save,
      "Writes there, in text form, the program with these answers as its records, with the symbols, and "
      "with the guards, asserts and assumptions of the run at the example sizes");
  command->add_flag("--static", request.fixed, "Sizes that the program records as symbols are their examples");
  command->add_option(
      "--device", request.device,
      "Where it would run: cpu, cuda, cuda:N, meta, or a device of metadata like xpu. Default: where it "
      "was recorded. Needs no GPU. xpu=cpu, xpu=cuda: whose rules tensors on xpu go by (default cuda). "
      "xpu=FILE: of calls recorded there, whose strides they have; xpu:0=FILE moves the program there too");
  command->add_option(
      "--backend", request.backend,
      "Which GPU and libraries --device cuda means, like sm_90 or sm_90,cublas=130100,cudnn=91900: some strides go by "
      "them (attention's). Default: unknown, and `?` marks these strides and all that follow from them");
  command->add_option("--torch", request.torch, kTorchWords);
  command->add_option("--group", request.groups, kGroupWords)->allow_extra_args(false);
  command
      ->add_option("--fallback", options->fallback,
                   "Operators without a rule: as they declare (rule), their kernels run on zeros unless they declare "
                   "that they must not (zeros), or none of them runs (refuse)")
      ->check(CLI::IsMember({"rule", "zeros", "refuse"}));
  command->add_option("--plugin", request.plugins, "A shared library with operators of your own (docs/plugins.md)");
  command->add_option(
      "--rules", request.rules,
      "A file of inferred rules, as `validate --infer --rules` writes it: they answer for operators without a rule, "
      "also for those of a recorded run that nothing registers here");
  command->add_flag("--backward", request.backward,
                    "The gradients of parameters and inputs as well: metadata, the node that makes each, and whether "
                    "it is copied into the parameter's layout; the bytes that are saved for backward");
  command->add_option("--loss", request.loss,
                      "With --backward: the output that backward begins at. Default: the sum of all outputs");
  command->add_flag("--keep-going", request.run.keep_going,
                    "Missing and refused calls answer what was recorded, and are counted; sizes that follow from data "
                    "stay the symbols of the record");
  options->report.add_to(*command);
  command->footer(
      "\nOne line a result: name, operator, metadata dtype[sizes]{strides}+offset@device, ~ the value whose storage it "
      "shares, # the line of the\n"
      "model. Peak memory counts views once and frees a value after its last use; parameters and inputs are in it.\n\n"
      "Examples:\n  ersatz fake model.pt2\n  ersatz fake model.pt2 --device cuda --json -o shapes.json\n  ersatz fake "
      "model.pt2 --device cuda --backend sm_90,cudnn=91900      strides as an H100 gives them\n  ersatz fake model.pt2 "
      "--keep-going");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
