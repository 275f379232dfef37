// `ersatz validate`: runs operators on generated samples and compares each operator's rule with its kernel.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/op/op_name.h"
#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/command/command.h"
#include "tools/infer/wrong_fakes.h"
#include "tools/output/report_output.h"
#include "tools/program/crosscheck_run.h"
#include "tools/program/program_input.h"
#include "tools/validate/child.h"
#include "tools/validate/proposal.h"
#include "tools/validate/record_validation.h"
#include "tools/validate/validate_run.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace {

struct ValidateCommandOptions {
  ReportOptions report;
  std::vector<std::string> inputs, plugins, layouts, dtypes, fills;
  std::string device = "cpu", shard, torch;
  std::string rules;
  bool all = false;
  ValidateOptions run;
};

void read_shard(const std::string& text, ValidateOptions& run) {
  if (text.empty()) return;
  const std::optional<ShardNumber> shard = parse_shard(text);
  if (!shard) fail_argument("--shard {}: like 1/4, 2/4, 3/4 and 4/4: part i of n, counted from 1", text);
  run.shard = shard->i;
  run.shards = shard->n;
}

DType dtype_option(const std::string& text) {
  std::string known;
  for (int t = 0; t < kDTypeCount; ++t) {
    const std::string_view spelled = name(static_cast<DType>(t));
    if (spelled == text) return static_cast<DType>(t);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", spelled);
  }
  fail_argument("--dtype {}: there are {}", text, known);
}

FillKind fill_option(const std::string& text) {
  std::string known;
  for (FillKind f : kFillKinds) {
    if (name(f) == text) return f;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(f));
  }
  fail_argument("--fill {}: there are {}", text, known);
}

/// Sets the operators or recorded calls that `run` tries. If the command line names no operator, returns the plugins'
/// operators that could not be registered. RAISES InvalidArgument for contradictory options.
std::vector<RefusedOp> choose_ops(const ValidateCommandOptions& options, ValidateOptions& run) {
  std::vector<const OpEntry*>& ops = run.ops;
  std::vector<std::string> of_plugins;
  std::vector<RefusedOp> refused;
  for (const std::string& path : options.plugins) {
    const LoadedPlugin& plugin = load_plugin_aloud(path);
    of_plugins.insert(of_plugins.end(), plugin.ops.begin(), plugin.ops.end());
    if (options.inputs.empty()) refused.insert(refused.end(), plugin.refused.begin(), plugin.refused.end());
  }
  for (const std::string& input : options.inputs) {
    std::error_code ignored;
    if (input == "-" || std::filesystem::exists(input, ignored)) {
      const std::vector<std::string> files = inputs_below(input).call_records;
      for (const std::string& file : files) add_records(file, run.records);
      if (files.empty()) fail_argument("{}: neither an operator nor recorded calls (JSON lines with id and op)", input);
    } else if (ops_meant(input).empty() && (input.find('/') != input.npos || input.find(".json") != input.npos)) {
      fail_argument("{}: no such file, and no operator of that name", input);
    } else {
      for (const OpEntry* op : ops_named(input)) ops.push_back(op);
    }
  }
  if (options.all) {
    ops = registry().all();
  } else if (options.inputs.empty()) {
    for (const std::string& op : of_plugins) ops.push_back(&op_named(op));
  }
  std::sort(ops.begin(), ops.end(), [](const OpEntry* a, const OpEntry* b) { return a->name < b->name; });
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  if (!ops.empty() && !run.records.empty()) fail_argument("validate: operators or recorded calls, not both in one run");
  const bool chosen = run.fuzz > 0 || !options.layouts.empty() || !options.dtypes.empty() || !options.fills.empty();
  if (!run.records.empty() && chosen)
    fail_argument(
        "validate: --fuzz, --layout, --dtype and --fill are for samples: recorded calls are taken as they are");
  if (ops.empty() && run.records.empty()) {
    fail_argument("validate: nothing to try: name operators or a file of recorded calls, or give --plugin or --all");
  }
  return refused;
}

/// Counts wrong fake predictions in the records of registered operators. Records of unregistered operators are left
/// out, because a wrong prediction in them is a finding.
WrongFakes wrong_fakes_of(const std::map<std::string, std::vector<RecordLine>>& records) {
  WrongFakes wrong;
  for (const auto& [op, lines] : records) {
    if (!registry().find(op)) continue;
    for (const RecordLine& line : lines) wrong.add(line.record);
  }
  return wrong;
}

/// RAISES InvalidArgument for `--torch` if no recorded call has a rule here, because only rules depend on the version.
void refuse_idle_torch(const ValidateOptions& run) {
  const bool asked = std::any_of(run.records.begin(), run.records.end(),
                                 [](const auto& of_op) { return op_of_records(of_op.first) != nullptr; });
  if (run.records.empty() || asked) return;
  fail_argument(
      "--torch says whose answers the rules predict, and ersatz has no rule of {}: the recorded calls are compared "
      "with "
      "the predictions of their recorder. Leave it out",
      run.records.size() == 1 ? run.records.begin()->first
                              : fmt::format("{} and the other operators", run.records.begin()->first));
}

std::string input_of(const ValidateCommandOptions& options) {
  std::vector<std::string> parts = options.inputs;
  if (options.all) parts.emplace_back("--all");
  for (const std::string& p : options.plugins) parts.push_back("--plugin " + p);
  return fmt::format("{}", fmt::join(parts, " "));
}

ExitStatus run(ValidateCommandOptions& options) {
  ValidateOptions& run = options.run;
  require_writable(options.report.output);
  require_writable(options.rules);
  run.infer |= !options.rules.empty();
  read_shard(options.shard, run);
  run.unit.device = kernel_device_option(options.device);
  if (run.unit.device.is_meta()) fail_argument("--device meta: no kernel runs there; there are cpu and cuda");
  for (const std::string& l : options.layouts) run.calls.layouts.push_back(layout_named(l));
  for (const std::string& t : options.dtypes) run.calls.dtypes.push_back(dtype_option(t));
  for (const std::string& f : options.fills) run.calls.fills.push_back(fill_option(f));
  if (!run.unit.device.is_cpu()) {
    // The device is tried in a child process: this process forks later, and CUDA does not survive a fork.
    const ChildResult there =
        run_in_child([&](Progress64&) { return require_device(run.unit.device), std::string(); }, 60);
    if (!there.finished) fail_argument("--device {}: {}", options.device, there.how());
    if (run.jobs == 0) run.jobs = 1;
  }
  run.torch = torch_option(options.torch);
  const std::vector<RefusedOp> refused = choose_ops(options, run);
  if (run.torch) refuse_idle_torch(run);
  if (const int threads = thread_count(); threads > 1) {
    fmt::print(stderr,
               "ersatz: a plugin started {} threads while it was loaded: kernels that wait for them hang here\n",
               threads - 1);
  }
  const auto begin = std::chrono::steady_clock::now();
  ValidateReport report = run_validate(run);
  for (const RefusedOp& op : refused) report.ops[op.op].refuse(op.op, op.why);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const ExitStatus status = status_of(report);
  const bool whole = !options.report.output.empty();
  Document text = validate_report(
      report, report_envelope("validate", input_of(options), to_string(run.unit.device), status), whole);
  if (!run.records.empty()) text.add_part(wrong_fakes_report(wrong_fakes_of(run.records), whole));
  const int64_t calls = report.total().samples;
  if (calls > 0)
    text.add(Document::Kind::Below,
             fmt::format("{:.2f} s, {:.1f} us a call", seconds, seconds * 1e6 / static_cast<double>(calls)));
  if (!options.rules.empty()) {
    std::vector<nlohmann::ordered_json> proposals;
    for (const auto& [op, verdict] : report.ops) proposals.push_back(verdict.inferred);
    write_report(rules_of(proposals), options.rules);
  }
  options.report.write(std::move(text));
  return status;
}

constexpr const char* kValidateFooter =
    "\n"
    "Each sample of an op is tried in every layout (as_written, permuted, gapped, offset, expanded, channels_last, "
    "size_zero, size_one), in every dtype that its kernels declare, in mixed dtypes, and with its elements filled with "
    "zeros, ones, random numbers and valid positions (index_safe). The prediction of the rule is compared with the "
    "result of the kernel. Fill patterns and guard zones show elements that the kernel does not write, and bytes that "
    "it writes outside of its results. Each op runs in a process of its own: a crash or a hang is a finding.\n\n"
    "A call ends as one of: agreed; refused (rule and kernel refuse with equal messages); with findings; unchecked. "
    "The reasons for unchecked calls are listed, like unwitnessed: the kernel fills a result that the rule has laid "
    "out, so there is nothing to compare the rule's metadata with.\n\n"
    "Recorded calls of operators that ersatz has are made again. For others (of a torch.library, recorded by "
    "ersatz.torch.record) the recorded prediction of their fake kernel is compared with the recorded result. --infer "
    "proposes a rule for an op without one, as C++ for a plugin and as data for --rules.\n\n"
    "--shard runs one part of a run; `ersatz merge` joins the JSON reports of all parts to the report of one "
    "process.\n\n"
    "Exit status: 0 something was compared and nothing found, 1 findings or nothing compared, 2 the input cannot be "
    "used.\n\n"
    "Examples:\n"
    "  ersatz validate --plugin ./my_ops.so\n"
    "  ersatz validate my::op --plugin ./my_ops.so --layout permuted --dtype f32\n"
    "  ersatz validate add mm\n"
    "  ersatz validate --plugin ./my_ops.so --fuzz 100000 --seed 1\n"
    "  ersatz validate --all --shard 3/16 --json -o part3.json\n"
    "  ersatz merge part*.json\n"
    "  ersatz validate recorded/add.jsonl\n"
    "  ersatz validate run.jsonl --infer --rules rules.json";

/// Accepts a whole number from `least` to `most`, digits only. CLI11 would wrap a negative number and accept an
/// overflow.
CLI::Validator whole_number(uint64_t least, uint64_t most) {
  const auto refuse = [=](const std::string& text) {
    uint64_t n = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
    const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return whole && n >= least && n <= most ? std::string()
                                            : fmt::format("{} is no whole number from {} to {}", text, least, most);
  };
  return CLI::Validator([refuse](std::string& text) { return refuse(text); }, "");
}

CLI::Validator seconds() {
  return CLI::Validator(
      [](std::string& text) {
        double s = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), s);
        const bool number = read.ec == std::errc() && read.ptr == text.data() + text.size();
        return number && s > 0 && s <= 1e6 ? std::string() : fmt::format("{} is no number of seconds above 0", text);
      },
      "");
}

constexpr uint64_t kMostRandomCalls = 10'000'000'000;

}  // namespace

Run add_validate_command(CLI::App& app) {
  auto options = std::make_shared<ValidateCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Tries an op in many layouts, dtypes and values: compares its rule (fake kernel) with its kernel");
  command->add_option("INPUT", options->inputs,
                      "Operators (add, aten.add.Tensor, my::op), or files of recorded calls (JSON lines), or folders "
                      "with them; - is stdin");
  command->add_flag("--all", options->all, "All registered operators");
  command->add_option("--plugin", options->plugins,
                      "A shared library with operators of your own; alone: all of its operators (docs/plugins.md)");
  command->add_option("--layout", options->layouts, "Only these layouts");
  command->add_option("--dtype", options->dtypes, "Only these dtypes, like f32, and no calls with mixed dtypes");
  command->add_option("--fill", options->fills, "Only these fills: zeros, ones, random, index_safe");
  command->add_option("--device", options->device, "Where kernels run: cpu (default), cuda, cuda:1");
  command->add_option("--torch", options->torch, kTorchWords);
  command->add_option("--fuzz", options->run.fuzz, "The number of random calls, which are made in place of the samples")
      ->check(whole_number(1, kMostRandomCalls));
  command->add_option("--seed", options->run.calls.seed, "The seed of elements and of random calls (default 0)")
      ->check(whole_number(0, UINT64_MAX));
  command->add_flag("--infer", options->run.infer,
                    "Propose a rule for each op from the results of its calls, in words and, if possible, as C++");
  command->add_option("--rules", options->rules, "FILE for the proposals of --infer, which ersatz fake --rules takes");
  command->add_option("--shard", options->shard, "i/n: the i-th of n parts, counted from 1");
  command->add_option("--jobs", options->run.jobs, "Processes at a time (default: one a core; on a GPU one)")
      ->check(whole_number(1, 1024));
  command->add_option("--time-limit", options->run.unit.limit_s, "Seconds that one call may take (default 20)")
      ->check(seconds());
  options->report.add_to(*command);
  command->footer(kValidateFooter);
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
