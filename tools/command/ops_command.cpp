// `ersatz ops`: lists the supported operators.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/op/op_name.h"
#include "runtime/tensor/cuda_module.h"
#include "tools/answer/command_answer.h"
#include "tools/command/command.h"
#include "tools/report/support_table.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace {

struct OpsOptions {
  ReportOptions report;
  std::vector<std::string> names;
  std::string records, verified, ptx;
  bool markdown = false;
};

ExitStatus run(const OpsOptions& options) {
  std::vector<const OpEntry*> ops;
  for (const std::string& n : options.names) {
    for (const OpEntry* op : ops_named(n)) ops.push_back(op);
  }
  if (options.names.empty()) ops = registry().all();
  CudaSupport cuda;
  cuda.listed = list_cuda_kernels(cuda.reason);
  if (!options.verified.empty()) cuda.verified = parse_verified_csv(read_file(options.verified), options.verified);
  if (!options.ptx.empty()) cuda.ran_as_ptx = parse_ptx_csv(read_file(options.ptx), options.ptx);
  Document report;
  report.data = report_envelope("ops", "", "", ExitStatus::Clean);
  report.add_part(support_report(ops, cuda, !options.names.empty()));
  if (options.markdown) {
    Document page = support_markdown(
        ops, options.records.empty() ? RecordedOps() : parse_records_csv(read_file(options.records), options.records),
        cuda);
    page.data = std::move(report.data);
    report = std::move(page);
  }
  options.report.write(std::move(report));
  return ExitStatus::Clean;
}

}  // namespace

Run add_ops_command(CLI::App& app) {
  auto options = std::make_shared<OpsOptions>();
  CLI::App* command = app.add_subcommand("ops", "Lists the supported operators, or all that is known about some");
  command->add_option("NAME", options->names,
                      "Operators: add, aten.add.Tensor, aten::add.Tensor, torch.ops.aten.add.Tensor");
  command->add_flag("--markdown", options->markdown, "The table of docs/ops.md");
  command->add_option(
      "--records", options->records,
      "FILE that `crosscheck --records-csv` wrote: adds the number of recorded calls that pass to the table");
  command->add_option(
      "--cuda-verified", options->verified,
      "FILE op,card,driver,date: the overloads whose CUDA kernel has run on a GPU and agreed with the CPU's");
  command->add_option(
      "--cuda-ptx", options->ptx,
      "FILE of overloads, one a row, whose CUDA kernel has run as PTX without a GPU and agreed with the CPU's");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "CUDA kernels are those of the module libersatz_cuda.so, or of the one that ERSATZ_CUDA_MODULE names; that needs "
      "no GPU and no driver. verified: the FILE of --cuda-verified says that a GPU has run the kernel and agreed with "
      "the cpu's; runs as PTX: the FILE of --cuda-ptx says so of the PTX. Dtypes after `cuda:` are those that CUDA "
      "takes, if they differ.\n\n"
      "Examples:\n"
      "  ersatz ops\n"
      "  ersatz ops convolution softmax\n"
      "  ersatz ops --json -o ops.json");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
