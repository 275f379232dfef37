// Infers rules of shipped ops from the results of their calls, and compares them with other calls of these ops.
//
// A fixed seed draws the ops from those with samples and a kernel, independently of the outcome. The inference sees
// only results of calls, and does not use the ops' own rules. Prints a row for each op. The exit status is 1 if a
// proposal with high confidence is wrong for any other call.
#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "runtime/op/registry.h"
#include "tests/infer_accuracy/drawn_ops.h"
#include "tools/infer/infer.h"
#include "tools/infer/probe.h"

using namespace ersatz;
using namespace ersatz::tools;

int main(int argc, char** argv) {
  CLI::App app("infer_ops: proposals of rules for shipped ops, against other calls of them");
  size_t ops = 60;
  int64_t calls = 10000;
  uint64_t seed = 1;
  std::vector<std::string> only;
  std::string records;
  bool list = false, words = false, cpp = false;
  app.add_option("--ops", ops, "How many ops are drawn");
  app.add_option("--calls", calls, "Other calls that each proposal is held against");
  app.add_option("--seed", seed, "Of the draw");
  app.add_option("--only", only, "These ops");
  app.add_option("--records", records,
                 "A folder of recorded calls, NAME.jsonl: each proposal meets those of its op too");
  app.add_flag("--list", list, "Print the names that are drawn, and no more");
  app.add_flag("--words", words, "Print each proposal");
  app.add_flag("--cpp", cpp, "Print each proposal as C++");
  CLI11_PARSE(app, argc, argv);
  std::vector<const OpEntry*> drawn = tests::drawn_ops(ops, seed);
  if (!only.empty()) {
    drawn.clear();
    for (const std::string& name : only) drawn.push_back(&op_named(name));
  }
  int64_t proposed = 0, high = 0, high_wrong = 0, wrong = 0;
  std::cout << "op\tproposal\tconfidence\tprobes\tother calls\tagree\tdiffer\tnot "
               "covered\trecords\tagree\tdiffer\tseconds\twhy\n";
  for (const OpEntry* op : drawn) {
    if (list) {
      std::cout << op->name << "\n";
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    const Inference found = infer(*op);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    tests::OtherCalls other;
    if (found.rule) other = tests::hold_against(*op, *found.rule, calls);
    tests::OtherCalls recorded;
    std::string base(op->base());
    if (base.ends_with('_') && !base.starts_with('_')) base.pop_back();
    for (const std::string& name : {std::string(op->base()), base}) {
      const std::string file = records + "/" + name + ".jsonl";
      if (found.rule && recorded.calls == 0 && !records.empty() && std::filesystem::exists(file))
        recorded = tests::hold_against_records(*op, *found.rule, file);
    }
    const bool sure = found.confidence() >= kHighConfidence;
    proposed += found.rule.has_value();
    high += sure;
    wrong += other.differ + recorded.differ > 0;
    high_wrong += sure && other.differ + recorded.differ > 0;
    std::cout << fmt::format("{}\t{}\t{:.4f}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.2f}\t{}\n", op->name,
                             found.rule             ? "yes"
                             : found.data_dependent ? "data-dependent"
                                                    : "none",
                             found.confidence(), found.probes, other.calls, other.agree, other.differ,
                             other.not_covered, recorded.calls, recorded.agree, recorded.differ, took.count(),
                             found.rule ? other.first + recorded.first : found.declined)
              << std::flush;
    if (words) std::cout << to_string(found) << "\n";
    if (cpp && found.rule) {
      std::string why;
      const std::string text = rule_cpp(*found.rule, op->schema, why);
      std::cout << (text.empty() ? "no C++: " + why + "\n" : text) << "\n";
    }
  }
  if (!list) {
    std::cout << fmt::format("{} ops, {} proposals, {} of high confidence; wrong: {}, of high confidence: {}\n",
                             drawn.size(), proposed, high, wrong, high_wrong);
  }
  return high_wrong > 0;
}
