// `ersatz diff`: compares two programs or two recorded runs, node by node.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/base/error.h"
#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/command/command.h"
#include "tools/diff/difference.h"
#include "tools/diff/value_diff_report.h"
#include "tools/output/output_budget.h"
#include "tools/output/report_output.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {

namespace {

constexpr const char* kValues = "Values";

struct DiffOptions {
  ReportOptions report;
  std::string a, b;
  std::vector<std::string> plugins;
  bool values = false, any_dtype = false;
  ValueDiffOptions how;
};

constexpr std::string_view kind_name(Difference::Kind k) {
  return k == Difference::Kind::Added ? "added" : k == Difference::Kind::Removed ? "removed" : "changed";
}

/// Adds the lines of a difference, and a row to the JSON key `differences`.
void add_difference(const Difference& d, OutputBudget& budget, Document& to) {
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  std::string head = fmt::format("{}: {} {}", kind_name(d.kind), d.unit, d.name);
  if (!d.other_name.empty()) head += " / " + d.other_name;
  if (!d.op.empty()) head += fmt::format(" ({})", d.op);
  Document out;
  for (const FieldDifference& f : d.fields) {
    fields.push_back({{"field", f.field}, {"of", f.what}, {"a", f.a}, {"b", f.b}});
    const std::string_view of = f.what.empty() ? "" : f.field == "argument" ? " " : " of ";
    const std::string field = fmt::format("{}{}{}", f.field, of, f.what);
    const std::string change = f.a.empty() ? f.b : fmt::format("{} -> {}", f.a, f.b);
    if (&f == d.fields.data()) {
      out.add(fmt::format("{}: {}: {}", head, field, change));
    } else {
      out.add_term(field, change);
    }
  }
  if (d.fields.empty()) out.add(head);
  if (!d.at.empty()) out.add(Document::Kind::Below, "at " + d.at);
  to.add(budget.fit(std::move(out)));
  to.data["differences"].push_back({{"kind", kind_name(d.kind)},
                                    {"unit", d.unit},
                                    {"name", d.name},
                                    {"other_name", d.other_name.empty() ? d.name : d.other_name},
                                    {"op", d.op},
                                    {"at", d.at},
                                    {"fields", std::move(fields)}});
}

Document diff_report(const DiffOptions& options, const DiffSummary& s, nlohmann::ordered_json envelope) {
  OutputBudget budget(!options.report.output.empty());
  Document out;
  out.data = std::move(envelope);
  out.data["other"] = options.b;
  out.data["unit"] = s.unit;
  out.data["counts"] = {s.a, s.b};
  out.data["same"] = s.same;
  out.data["renamed"] = s.renamed;
  out.data["not_compared"] = s.left;
  if (options.values) out.data["begins"] = s.begins;
  out.data["differences"] = nlohmann::ordered_json::array();
  for (const Difference& d : s.differences) add_difference(d, budget, out);
  out.add(budget.rest("difference", ""));
  if (options.values && !s.begins.empty()) out.add(fmt::format("the error begins at call {}\n", s.begins));
  int64_t added = 0, removed = 0, changed = 0;
  for (const Difference& d : s.differences) {
    ++(d.kind == Difference::Kind::Added ? added : d.kind == Difference::Kind::Removed ? removed : changed);
  }
  out.closing = fmt::format("diff: {} and {} {}s, {} alike{}; {} added, {} removed, {} changed{}", s.a, s.b, s.unit,
                            s.same, s.renamed ? fmt::format(" ({} renamed)", s.renamed) : "", added, removed, changed,
                            s.left ? fmt::format(", {} not compared", s.left) : "");
  return out;
}

/// Finds the inputs at `path`, one of the two paths to compare: a file of records, a program, or the graphs of a text
/// or folder. RAISES InvalidArgument if there is none or more than one.
InputFiles one_side(const std::string& path) {
  InputFiles files = inputs_below(path);
  if (!files.pasted && files.programs.size() + files.call_records.size() != 1) {
    fail_argument("{}: {} programs and {} files of recorded calls lie below it: name one file", path,
                  files.programs.size(), files.call_records.size());
  }
  return files;
}

/// Adds the differences between two graphs to `all`. `label`, the name of the pair, is added to each difference.
void add_pair(const std::string& label, DiffSummary pair, DiffSummary& all) {
  all.a += pair.a;
  all.b += pair.b;
  all.same += pair.same;
  all.renamed += pair.renamed;
  all.left += pair.left;
  for (Difference& d : pair.differences) {
    d.name = fmt::format("{}::{}", label, d.name);
    if (!d.other_name.empty()) d.other_name = fmt::format("{}::{}", label, d.other_name);
    all.differences.push_back(std::move(d));
  }
}

/// Compares the printed graphs of two logs, folders or other texts. A graph is compared with the graph that has the
/// same label.
DiffSummary diff_graphs(const DiffOptions& options, const InputFiles& a, const InputFiles& b) {
  DiffSummary all;
  all.unit = "node";
  const auto second = graphs_by_label(options.b, b);
  std::set<std::string> paired;
  const auto alone = [&](Difference::Kind kind, const std::string& label) {
    Difference d;
    d.kind = kind;
    d.unit = "graph";
    d.name = label;
    all.differences.push_back(std::move(d));
  };
  for (const auto& [label, path] : graphs_by_label(options.a, a)) {
    const auto same = [&label = label](const auto& g) { return g.first == label; };
    const auto other = std::find_if(second.begin(), second.end(), same);
    if (other == second.end()) {
      alone(Difference::Kind::Removed, label);
      continue;
    }
    paired.insert(label);
    try {
      add_pair(label, diff_programs(load_input(path, 0).program, load_input(other->second, 0).program), all);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      alone(Difference::Kind::Changed, label);
      all.differences.back().fields.push_back({"not read", "", "", e.message});
    }
  }
  for (const auto& [label, path] : second) {
    if (!paired.contains(label)) alone(Difference::Kind::Added, label);
  }
  return all;
}

/// Runs both programs and compares the results of their nodes.
ExitStatus run_values(const DiffOptions& options, const std::string& first, const std::string& second) {
  const ProgramInput a = load_input(first, options.how.seed);
  const ProgramInput b = load_input(second, options.how.seed);
  const ValueDiff diff = diff_values(a, b, options.how);
  const ExitStatus status = diff.same() ? ExitStatus::Clean : ExitStatus::Findings;
  auto envelope = report_envelope("diff", options.a, "cpu", status);
  envelope["other"] = options.b;
  options.report.write(value_diff_report(diff, !options.report.output.empty(), std::move(envelope)));
  return status;
}

ExitStatus run(DiffOptions& options) {
  require_writable(options.report.output);
  load_plugins(options.plugins);
  const InputFiles a = one_side(options.a), b = one_side(options.b);
  const bool records = !a.call_records.empty();
  if (records != !b.call_records.empty()) {
    fail_argument("{} is a {}, {} a {}: two programs are compared, or two files of recorded calls", options.a,
                  records ? "file of recorded calls" : "program", options.b,
                  records ? "program" : "file of recorded calls");
  }
  options.how.accuracy.exact_dtype = !options.any_dtype;
  const bool sets = !records && (a.programs.size() > 1 || b.programs.size() > 1);
  if (options.values && sets)
    fail_argument("--values runs one graph of each side: name it, as in FILE::LABEL; `ersatz show FILE` lists them");
  if (options.values && !records) return run_values(options, a.programs[0], b.programs[0]);
  const RecordValues values{options.how.accuracy, options.how.reference_f64};
  const DiffSummary s = records ? diff_records(a.call_records[0], b.call_records[0], options.values ? &values : nullptr)
                        : sets
                            ? diff_graphs(options, a, b)
                            : diff_programs(load_input(a.programs[0], 0).program, load_input(b.programs[0], 0).program);
  const ExitStatus status = s.differences.empty() ? ExitStatus::Clean : ExitStatus::Findings;
  options.report.write(diff_report(options, s, report_envelope("diff", options.a, "", status)));
  return status;
}

}  // namespace

Run add_diff_command(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff", "Two programs or two recorded runs, node by node: added, removed, changed, or where values part");
  command
      ->add_option("A", options->a,
                   "A program, a text with printed graphs, a folder of tlparse, or a file of recorded calls "
                   "(docs/call-records.md); - is stdin")
      ->required();
  command->add_option("B", options->b, "The other side, a file of the same kind")->required();
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  const auto with_values = [options](auto) { options->values = true; };
  command
      ->add_flag("--values", options->values,
                 "Run both programs on the same inputs and compare the results of each node, not only the metadata "
                 "written in the programs. For recorded calls: values within a tolerance, instead of each bit")
      ->group(kValues);
  command
      ->add_option("--tol", options->how.accuracy.tol,
                   "The largest difference from the first program's value, absolutely and relatively (default 1e-4)")
      ->check(CLI::NonNegativeNumber)
      ->each(with_values)
      ->group(kValues);
  command
      ->add_flag("--fp64", options->how.reference_f64,
                 "If values are not that close, a run of the first program in f64 decides: the second program's error "
                 "may be about twice the first's")
      ->each(with_values)
      ->group(kValues);
  command
      ->add_flag("--cosine", options->how.accuracy.cosine,
                 "If values are not that close, the angle between them decides: its cosine must be at least 0.99")
      ->each(with_values)
      ->group(kValues);
  command
      ->add_flag("--any-dtype", options->any_dtype,
                 "Another dtype is no difference: values are compared in the dtype of the second program")
      ->each(with_values)
      ->group(kValues);
  command
      ->add_option("--seed", options->how.seed,
                   "The seed of synthetic weights and inputs, and of random numbers (default 0)")
      ->group(kValues);
  command->add_option("--runs", options->how.runs, "Then time this number of runs of each program")
      ->check(CLI::PositiveNumber)
      ->each(with_values)
      ->group(kValues);
  options->report.add_to(*command);
  command->footer(
      "\n"
      "Nodes are paired by their operators, in order. Names are no difference, and two arguments are equal if their "
      "nodes are a pair. The fields of a pair are operator, arguments, recorded dtype, size, stride, offset, device "
      "and sharing; weights are compared by their bytes, recorded calls by arguments, results, writes, errors and "
      "values. Each line has the field, the value of A, and the value of B. Graphs of two logs or folders of tlparse "
      "are paired by their labels.\n\n"
      "With --values both programs run for real on the cpu, the second on the first one's inputs, and the report names "
      "the node where the error begins: the first one whose values differ although its inputs do not. Each output must "
      "be alike, and each node too if both programs have equal numbers of nodes.\n\n"
      "Exit status: 0 alike, 1 differences, 2 one of the two cannot be used.\n\n"
      "Examples:\n"
      "  ersatz diff before.pt2 after.pt2\n"
      "  ersatz diff cpu.jsonl cuda.jsonl --json -o diff.json\n"
      "  ersatz diff model.pt2 model.txt      an archive and its text form are alike\n"
      "  ersatz diff model.pt2 quantized.pt2 --tol 1e-2      at which node do the values part?\n"
      "  ersatz diff a.pt2 b.pt2 --fp64      is b worse than a, or are both as far from f64?\n\n"
      "More: docs/jobs/debug.md");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
