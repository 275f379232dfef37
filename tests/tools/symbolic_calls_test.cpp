// Recorded calls are repeated with symbolic sizes (`crosscheck CALLS --symbolic`).
#include "tools/calls/symbolic_call.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/op/dispatch.h"
#include "tests/tools/command_line.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;

SymbolicAnswer ask(const std::string& line, SymbolKind kind) {
  const CallRecord record = parse_call_record(line, "test:1");
  return ask_with_symbols(*registry().find(record.op), record, kind);
}

constexpr const char* kSum =
    R"({"id":"add/1","op":"aten.add.Tensor","args":[{"t":"f32[2,3]{3,1}+0@cpu","s":0,"n":24},{"t":"f32[3]{1}+0@cpu","s":1,"n":12}],"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":2,"n":24}]})";

TEST(SymbolicCall, KeepsTheSizesThatFollowFromTheInputs) {
  const SymbolicAnswer backed = ask(kSum, SymbolKind::Backed), unbacked = ask(kSum, SymbolKind::Unbacked);
  for (const SymbolicAnswer* a : {&backed, &unbacked}) {
    EXPECT_FALSE(a->finding) << to_string(*a->finding);
    EXPECT_EQ(a->counts.compared, 1);
    EXPECT_EQ(a->counts.symbols, 3);
    EXPECT_EQ(a->counts.sizes, 2);
    EXPECT_EQ(a->counts.kept, 2);
    EXPECT_EQ(a->counts.pinned, 0);
  }
  EXPECT_EQ(backed.counts.guards, 1);     // the guard is s1 == s2
  EXPECT_EQ(unbacked.counts.asserts, 1);  // the assert is u1 == u2
  EXPECT_GT(unbacked.counts.assumptions, 0);
}

TEST(SymbolicCall, FindsAnAnswerThatIsNotTheRecords) {
  std::string wrong = kSum;
  wrong.replace(wrong.rfind("f32[2,3]{3,1}"), 13, "f32[2,3]{1,2}");
  const SymbolicAnswer a = ask(wrong, SymbolKind::Backed);
  ASSERT_TRUE(a.finding);
  EXPECT_EQ(a.finding->field, FindingField::Stride);
  EXPECT_EQ(a.counts.mismatched, 1);
  std::string raises = kSum;
  raises.replace(raises.find("\"out\""), std::string::npos, "\"err\":\"RuntimeError\"}");
  ASSERT_TRUE(ask(raises, SymbolKind::Backed).finding);
  EXPECT_EQ(ask(raises, SymbolKind::Backed).finding->field, FindingField::Error);
}

TEST(SymbolicCall, SizeThatArgumentGivesIsNotLost) {
  const SymbolicAnswer a = ask(
      R"({"id":"new/1","op":"aten.new_zeros.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8},[5]],"out":[{"t":"f32[5]{1}+0@cpu","s":1,"n":20}]})",
      SymbolKind::Backed);
  EXPECT_EQ(a.counts.sizes, 0);
  EXPECT_EQ(a.counts.given, 1);
  const SymbolicAnswer pinned = ask(
      R"({"id":"view/1","op":"aten.unbind.int","args":[{"t":"f32[2,3]{3,1}+0@cpu","s":0,"n":24}],"out":[{"t":"f32[3]{1}+0@cpu","s":0,"n":24},{"t":"f32[3]{1}+3@cpu","s":0,"n":24}]})",
      SymbolKind::Backed);
  EXPECT_FALSE(pinned.finding) << to_string(*pinned.finding);
  EXPECT_EQ(pinned.counts.pinned, 1);
}

TEST(SymbolicCall, WhatNobodyCanDecideIsCounted) {
  const SymbolicAnswer a = ask(
      R"({"id":"split/1","op":"aten.split.Tensor","args":[{"t":"f32[4]{1}+0@cpu","s":0,"n":16},2],"out":[{"t":"f32[2]{1}+0@cpu","s":0,"n":16},{"t":"f32[2]{1}+2@cpu","s":0,"n":16}]})",
      SymbolKind::Unbacked);
  EXPECT_EQ(a.counts.undecided, 1);
  EXPECT_EQ(a.counts.compared, 0);
  EXPECT_FALSE(a.undecided.empty());
}

// Eager refuses the index because of its value. A symbol has no value, so the call is not repeated with symbols.
TEST(SymbolicCalls, RefusalByValuesIsNotAskedWithSymbols) {
  const std::string calls = scratch_file(
      "refused_by_values.jsonl",
      R"({"id":"embedding/1","op":"aten.embedding.default","args":[{"t":"f32[4,2]{2,1}+0@cpu","s":0,"n":32},{"t":"i64[3]{1}+0@cpu","s":1,"n":24,"v":[0,1,9]}],"err":"IndexError"})"
      "\n");
  const CommandResult r = run_command({"crosscheck", calls, "--symbolic", "--json"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["compared"], 1) << r.out;
  EXPECT_EQ(r.json()["symbolic"]["backed"]["calls"], 0) << r.out;
}

/// The sums of a run over recorded calls, which also writes `csv`.
nlohmann::json symbolic_counts(const std::string& folder, const std::string& csv) {
  const CommandResult r =
      run_command({"crosscheck", folder, "--no-real", "--symbolic", "--symbolic-csv", csv, "--json"});
  EXPECT_EQ(r.status, 0) << r.err;
  nlohmann::json counts = r.json()["symbolic"];
  EXPECT_GT(counts["compared"], 0);
  return counts;
}

TEST(SymbolicCalls, EveryRecordedCallIsAnsweredAsEager) {
  const fs::path calls = data_folder() / "conformance" / "aten";
  if (!fs::is_directory(calls)) GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded calls";
  const std::string csv = testing::TempDir() + "/symbolic_calls.csv";
  const nlohmann::json counts = symbolic_counts(calls.string(), csv);
  for (const char* kind : {"backed", "unbacked"}) {
    const nlohmann::json& n = counts[kind];
    EXPECT_GE(n["calls"], 70'000) << kind;
    EXPECT_GE(n["compared"], 85'000) << kind;
    EXPECT_EQ(n["mismatched"], 0) << kind;
    EXPECT_GE(n["kept"].get<double>(), 0.95 * n["sizes"].get<double>()) << kind;
    // Most pinned symbols are sizes that the call repeats as numbers: normalized_shape, embed_dim, a gradient's
    // input_size.
    EXPECT_LE(n["pinned"].get<double>(), 0.045 * n["symbols"].get<double>()) << kind;
  }
  EXPECT_EQ(counts["backed"]["undecided"], 0);
  EXPECT_EQ(counts["backed"]["guarded_out"], 0);
  // scripts/record_tables writes the table with which the counts are compared.
  EXPECT_EQ(read_file(csv), read_file(std::string(ERSATZ_SOURCE_DIR) + "/docs/data/symbolic_calls.csv"));
}

// PyTorch's symbolic fake tensors refuse 403 of these calls because a size depends on data.
TEST(SymbolicCalls, AtMostHalfTheUnbackedCallsAreRefused) {
  const fs::path theirs = data_folder() / "symbols" / "calls" / "unbacked.jsonl";
  if (!fs::exists(theirs)) GTEST_SKIP() << "ERSATZ_DATA names no folder with calls of a symbolic fake mode";
  std::map<std::string, std::set<std::string>> ids;  // ids of calls by operator packet
  std::string line;
  for (std::ifstream in(theirs); std::getline(in, line);) {
    const std::string id = nlohmann::json::parse(line)["id"];
    ids[id.substr(0, id.find('/'))].insert(id);
  }
  const fs::path chosen = fs::path(testing::TempDir()) / "symbolic_calls";
  fs::remove_all(chosen);
  fs::create_directories(chosen);
  for (const auto& [packet, wanted] : ids) {
    std::ofstream out(chosen / (packet + ".jsonl"));
    for (std::ifstream in(data_folder() / "conformance" / "aten" / (packet + ".jsonl")); std::getline(in, line);)
      if (wanted.contains(nlohmann::json::parse(line)["id"])) out << line << '\n';
  }
  const nlohmann::json n = symbolic_counts(chosen.string(), testing::TempDir() + "/symbolic_unbacked.csv")["unbacked"];
  EXPECT_GE(n["calls"], 2'800);
  EXPECT_GE(n["compared"], 2'900);
  EXPECT_EQ(n["mismatched"], 0);
  EXPECT_LE(n["undecided"].get<int64_t>() + n["guarded_out"].get<int64_t>(), 403 / 2);
}

}  // namespace
}  // namespace ersatz::tools
