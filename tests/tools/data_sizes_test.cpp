// Programs whose sizes depend on data, run without data (`ersatz fake`).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/tensor/meta_text.h"
#include "tests/tools/command_line.h"
#include "tests/tracer/program_paths.h"
#include "tools/program/fake_run.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kPrograms[] = {"detection_head", "detection_head_dynamic", "detection_head_training", "moe_tiny",
                                     "moe_tiny_training"};

fs::path folder(const std::string& name) { return data_folder() / "programs" / "own" / name; }

FakeSummary run_symbolic(const Program& program) {
  FakeRunOptions how;
  how.symbolic = true;
  return run_fake(program, how);
}

bool is_assertion(const Program& p, const Node& n) { return p.name(p.op(n).name) == "aten._assert_scalar.default"; }

// Every unbacked symbol of the record is made by the op that made it there, and the results are the recorded ones where
// they have symbols.
TEST(DataSizes, EveryRecordedSymbolIsMadeAgain) {
  if (!fs::is_directory(folder("moe_tiny"))) GTEST_SKIP() << "ERSATZ_DATA names no folder with programs";
  int64_t made = 0, symbolic = 0;
  for (const char* name : kPrograms) {
    const Program program = load_program((folder(name) / "model.json").string());
    std::vector<std::string> recorded;
    for (const SymbolInfo& s : program.env->symbols())
      if (!s.hint) recorded.push_back(s.name);
    const FakeSummary summary = run_symbolic(program);
    ASSERT_FALSE(summary.stopped) << name << ": " << summary.stopped->message;
    EXPECT_EQ(summary.nodes, static_cast<int64_t>(program.main().nodes.size())) << name;
    EXPECT_GT(recorded.size(), 0U) << name;
    for (const std::string& symbol : recorded) {
      const std::optional<SymProvenance> from = program.env->provenance(symbol);
      ASSERT_TRUE(from) << name << ": " << symbol;
      EXPECT_FALSE(from->site.node.empty()) << name << ": " << symbol;
      ++made;
    }
    for (const GraphValue& v : program.main().values) {
      const TensorMeta* meta = v.node == kNone ? nullptr : program.meta(v);
      if (!meta || !meta->is_symbolic()) continue;
      const auto row = std::find_if(summary.rows.begin(), summary.rows.end(),
                                    [&](const FakeRow& r) { return r.name == program.name(v.name); });
      ASSERT_NE(row, summary.rows.end());
      ++symbolic;
      const TensorMeta ours = parse_meta(row->meta, program.env.get());
      EXPECT_TRUE(sym_eq(ours.sizes, meta->sizes))
          << name << ": " << row->name << ": " << row->meta << " vs " << to_string(*meta);
    }
  }
  EXPECT_GE(made, 20);
  EXPECT_GE(symbolic, 150);
}

// Each assertion taken out in turn: the run ends, or stops with a check that would let it go on.
TEST(DataSizes, WithoutAnAssertionTheRunEndsOrSaysWhichCheckIsMissing) {
  if (!fs::is_directory(folder("moe_tiny"))) GTEST_SKIP() << "ERSATZ_DATA names no folder with programs";
  int64_t removed = 0, ended = 0;
  for (const char* name : kPrograms) {
    const std::string file = (folder(name) / "model.json").string();
    const Program whole = load_program(file);
    for (size_t i = 0; i < whole.main().nodes.size(); ++i) {
      if (!is_assertion(whole, whole.main().nodes[i])) continue;
      Program program = load_program(file);
      // Its message stands in its place, on a condition that always holds.
      Node& node = program.main().nodes[i];
      ASSERT_EQ(node.args.count, 2U);
      program.args[node.args.first] = program.add_literal(true);
      ++removed;
      const FakeSummary summary = run_symbolic(program);
      if (!summary.stopped) {
        ++ended;
        continue;
      }
      EXPECT_EQ(summary.stopped->kind, ErrorKind::GuardOnDataDependent) << name << ": " << summary.stopped->message;
      EXPECT_THAT(summary.stopped->suggestion, HasSubstr("check ")) << name;
    }
  }
  EXPECT_EQ(removed, 49);
  EXPECT_EQ(ended, removed);
}

// The command tells each size with its range, node and line.
TEST(DataSizes, TheReportTellsWhereASizeComesFrom) {
  if (!fs::is_directory(folder("moe_tiny"))) GTEST_SKIP() << "ERSATZ_DATA names no folder with programs";
  const CommandResult r = run_command({"fake", (folder("moe_tiny") / "model.json").string()});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("data decide u0 in 0..20: nonzero (aten.nonzero.default), own_models.py:238\n"));
  EXPECT_THAT(r.out, HasSubstr("assumed "));
  const CommandResult json = run_command({"fake", (folder("moe_tiny") / "model.json").string(), "--json"});
  const nlohmann::json symbol = nlohmann::json::parse(json.out)["symbols"][0];
  EXPECT_EQ(symbol["name"], "u0");
  EXPECT_EQ(symbol["node"], "nonzero");
  EXPECT_TRUE(symbol["example"].is_null());
}

}  // namespace
}  // namespace ersatz::tools
