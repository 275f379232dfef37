// `ersatz fake` on programs with sizes that depend on data.
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

// The run makes each recorded unbacked symbol at the recorded op, and results with symbols equal the recorded ones.
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

// Makes each assertion true in turn: the run ends normally, or stops with an error that names the missing check.
TEST(DataSizes, WithoutAssertionTheRunNamesTheMissingCheck) {
  if (!fs::is_directory(folder("moe_tiny"))) GTEST_SKIP() << "ERSATZ_DATA names no folder with programs";
  int64_t removed = 0, ended = 0;
  for (const char* name : kPrograms) {
    const std::string file = (folder(name) / "model.json").string();
    const Program whole = load_program(file);
    for (size_t i = 0; i < whole.main().nodes.size(); ++i) {
      if (!is_assertion(whole, whole.main().nodes[i])) continue;
      Program program = load_program(file);
      // The node keeps its message, and its condition becomes true.
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

// The command prints each size with its range, node and line.
/// The conditions on sizes that the run asserts, or the error that stops it.
std::string asserted(const std::string& inputs, const std::string& lines, const std::string& result) {
  const std::string text = "ersatz program 1\n\ngraph(" + inputs + "):\n" + lines + "  return %" + result + "\n";
  const CommandResult r = run_command({"fake", scratch_file("asserted.txt", text), "--json"});
  if (r.status != 0) return r.err;
  const nlohmann::json report = r.json();
  std::string out;
  for (const auto& a : report["asserts"]) out += std::string(a["condition"]) + "; ";
  return out + std::string(report["results"].back()["meta"]);
}

TEST(DataSizes, NumberUsedAsASizeIsAssertedOne) {
  const std::string n = "%n: i64[]", item = "  %k: int = aten.item.default(%n)\n";
  for (const std::string op : {"aten.zeros.default([%k]", "aten.empty.memory_format([%k]"}) {
    EXPECT_EQ(asserted(n, item + "  %a: f32[3] = " + op + ", device=cpu, pin_memory=False)\n", "a"),
              "u0 >= 0; f32[u0]{1}+0@cpu");
  }
  EXPECT_EQ(asserted(n, item + "  %a: i64[3] = aten.arange.default(%k, device=cpu, pin_memory=False)\n", "a"),
            "u0 >= 0; i64[u0]{1}+0@cpu");
  EXPECT_EQ(asserted(n + ", %x: f32[1]", item + "  %a: f32[3] = aten.expand.default(%x, [%k])\n", "a"),
            "u0 >= 0; f32[u0]{0}+0@cpu");
}
TEST(DataSizes, ViewOfADataDependentSizeAssertsDivisibility) {
  EXPECT_EQ(asserted("%x: f32[4,5]",
                     "  %m: bool[4,5] = aten.gt.Scalar(%x, 0)\n"
                     "  %s: f32[8] = aten.masked_select.default(%x, %m)\n"
                     "  %v: f32[4,2] = aten.view.default(%s, [-1, 2])\n",
                     "v"),
            "Mod(u0,2) == 0; f32[(u0//2),2]{2,1}+0@cpu");
}

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
