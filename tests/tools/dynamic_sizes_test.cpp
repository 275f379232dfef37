// `ersatz fake --dynamic`: the sizes for which the predicted results are valid.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tools/command_line.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {
namespace {

using Words = std::vector<std::string>;

CommandResult fake(const std::string& program, Words more, bool json = true) {
  Words words{"fake", program};
  words.insert(words.end(), more.begin(), more.end());
  if (json) words.emplace_back("--json");
  return run_command(words);
}

std::string meta_of(const nlohmann::json& report, const std::string& name) {
  for (const auto& r : report["results"]) {
    if (r["name"] == name) return r["meta"];
  }
  return "no result " + name;
}

/// A program that adds x and y; the size of y gets a symbol of its own.
std::string sum_of_two() {
  return scratch_file("sum.txt",
                      "ersatz program 1\n\n"
                      "graph(%x: f32[4]{1}+0@cpu, %y: f32[4]{1}+0@cpu):\n"
                      "  %add: f32[4]{1}+0@cpu = aten.add.Tensor(%x, %y)\n"
                      "  return %add\n");
}

TEST(DynamicSizes, DeclaredSizeIsSymbolInEachResult) {
  const CommandResult r = fake(committed_program("mlp"), {"--dynamic", "x:0=batch:1..64"});
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(meta_of(report, "addmm_2"), "f32[batch,8]{8,1}+0@cpu");
  EXPECT_EQ(report["results"].back()["at_hints"], "f32[4,8]{8,1}+0@cpu");
  EXPECT_EQ(report["symbols"], nlohmann::json::parse(R"([{"name":"batch","min":1,"max":64,"example":4}])"));
  EXPECT_EQ(report["guards"].size(), 0U);
  EXPECT_EQ(report["uncovered"].size(), 0U);
}

TEST(DynamicSizes, BytesAndFlopsAreExpressionsAndExampleNumbers) {
  const nlohmann::json report = fake(committed_program("mlp"), {"--dynamic", "x:0=batch"}).json();
  EXPECT_EQ(report["peak_bytes_expression"], "448*batch+7456");
  EXPECT_EQ(report["peak_bytes"], 448 * 4 + 7456);
  EXPECT_EQ(report["flops_expression"], "4320*batch");
  EXPECT_EQ(report["flops"], 4320.0 * 4);
}

TEST(DynamicSizes, PeakIsTheMaxOfPossiblyHighestMoments) {
  const std::string program = scratch_file("peak.txt",
                                           "ersatz program 1\n\n"
                                           "graph(%x: f32[4]{1}+0@cpu, %y: f32[8]{1}+0@cpu):\n"
                                           "  %a: f32[4]{1}+0@cpu = aten.relu.default(%x)\n"
                                           "  %b: f32[8]{1}+0@cpu = aten.relu.default(%y)\n"
                                           "  return %b\n");
  const nlohmann::json report = fake(program, {"--dynamic", "x:0=n", "--dynamic", "y:0=m"}).json();
  EXPECT_EQ(report["peak_bytes_expression"], "Max(4*m+8*n,8*m+4*n)");
}

TEST(DynamicSizes, PinnedDimNamesItsGuardAndOtherClaims) {
  const CommandResult r = fake(committed_program("mlp"), {"--dynamic", "x:1=width:1..64"});
  EXPECT_EQ(r.status, 1);
  const nlohmann::json pinned = r.json()["pinned"];
  ASSERT_EQ(pinned.size(), 1U);
  EXPECT_EQ(pinned[0]["symbol"], "width");
  EXPECT_EQ(pinned[0]["became"], "16");
  EXPECT_EQ(pinned[0]["node"], "addmm");
  EXPECT_NE(std::string(pinned[0]["source"]).find("own_models.py:17"), std::string::npos);
  EXPECT_NE(std::string(pinned[0]["error"]).find("[addmm.C2]"), std::string::npos);
  const CommandResult text = fake(committed_program("mlp"), {"--dynamic", "x:1=width:1..64"}, false);
  EXPECT_NE(text.out.find("width became 16: addmm (aten.addmm.default), own_models.py:17 asks width == 16; elsewhere: "
                          "addmm: columns of mat1 must equal rows of mat2"),
            std::string::npos)
      << text.out;
}

TEST(DynamicSizes, WhatAGuardLeavesOutIsRunToo) {
  const CommandResult r = fake(sum_of_two(), {"--dynamic", "x:0=n:1..9", "--dynamic", "y:0=m:1..9"});
  EXPECT_EQ(r.status, 0) << r.out;
  const nlohmann::json report = r.json();
  ASSERT_EQ(report["uncovered"].size(), 0U) << report["uncovered"];
  EXPECT_EQ(report["pinned"].size(), 0U) << report["pinned"];
  // There are five cases: equal sizes, x expanded, y expanded, both sizes 1, and sizes that do not broadcast.
  int answered = 0, refused = 0;
  for (const auto& c : report["cases"]) (c["error"].is_null() ? answered : refused) += 1;
  EXPECT_GE(answered, 3);
  EXPECT_GE(refused, 1);
  for (const auto& c : report["cases"]) {
    if (c["error"].is_null()) continue;
    EXPECT_NE(std::string(c["error"]).find("[add.C1]"), std::string::npos);
  }
}

TEST(DynamicSizes, TheCasesCoverEachPairOfSizesOnce) {
  const nlohmann::json report = fake(sum_of_two(), {"--dynamic", "x:0=n:1..5", "--dynamic", "y:0=m:1..5"}).json();
  const auto holds = [](const std::string& when, int n, int m) {
    const auto number = [&](const std::string& word) { return word == "n" ? n : word == "m" ? m : std::stoi(word); };
    const size_t a = when.find(' '), b = when.find(' ', a + 1);
    const int x = number(when.substr(0, a)), y = number(when.substr(b + 1));
    const std::string op = when.substr(a + 1, b - a - 1);
    if (op == "=" || op == "==") return x == y;
    if (op == "!=") return x != y;
    if (op == "<") return x < y;
    if (op == "<=") return x <= y;
    if (op == ">") return x > y;
    if (op == ">=") return x >= y;
    ADD_FAILURE() << when;
    return false;
  };
  for (int n = 1; n <= 5; ++n) {
    for (int m = 1; m <= 5; ++m) {
      int cases = 0;
      bool answered = false;
      for (const auto& c : report["cases"]) {
        const Words when = c["when"];
        if (!std::all_of(when.begin(), when.end(), [&](const std::string& w) { return holds(w, n, m); })) continue;
        ++cases;
        answered = c["error"].is_null();
      }
      EXPECT_EQ(cases, 1) << n << ' ' << m;
      EXPECT_EQ(answered, n == m || n == 1 || m == 1) << n << ' ' << m;
    }
  }
}

TEST(DynamicSizes, SizesWithoutRunAreReportedWithStatusOne) {
  const CommandResult r = fake(sum_of_two(), {"--dynamic", "x:0=n:1..9", "--dynamic", "y:0=m:1..9", "--cases", "1"});
  EXPECT_EQ(r.status, 1);
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["cases"].size(), 1U);
  ASSERT_GE(report["uncovered"].size(), 1U);
  EXPECT_NE(std::string(report["uncovered"][0]["why"]).find("--cases"), std::string::npos);
}

/// A program with one symbol, and these lines before its graph.
std::string constrained(const std::string& lines) {
  return scratch_file("constrained.txt", "ersatz program 1\n" + lines +
                                             "\ngraph(%x: f32[s0]{1}+0@cpu):\n"
                                             "  %slice: f32[s0]{1}+0@cpu ~x = aten.slice.Tensor(%x, 0, 0, 512)\n"
                                             "  return %slice\n");
}

TEST(DynamicSizes, AConstraintOfTheProgramNeedsNoGuard) {
  const std::string open = constrained("symbol s0 in [2, inf] hint 32\n");
  EXPECT_EQ(fake(open, {}).json()["guards"].size(), 1U);
  const nlohmann::json report =
      fake(constrained("symbol s0 in [2, inf] hint 32\nconstraint \"2*s0\" in [4, 1024]\n"), {}).json();
  EXPECT_EQ(report["guards"].size(), 0U) << report["guards"];
  EXPECT_EQ(report["results"][0]["meta"], "f32[s0]{1}+0@cpu");
}

TEST(DynamicSizes, ConstraintsThatContradictAreRefusedNamingBoth) {
  const CommandResult r = fake(constrained("symbol s0 in [2, inf]\nconstraint \"2*s0\" in [4, 100]\n"
                                           "constraint \"3*s0\" in [900, 1000]\n"),
                               {}, false);
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_NE(r.err.find("2*s0 <= 100"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("3*s0 >= 900"), std::string::npos) << r.err;
}

TEST(DynamicSizes, AutoMakesEveryUserInputSizeASymbol) {
  const nlohmann::json report = fake(committed_program("resnet_tiny"), {"--dynamic", "auto"}).json();
  EXPECT_EQ(report["symbols"].size(), 4U);
  std::string pinned;
  for (const auto& p : report["pinned"]) pinned += std::string(p["symbol"]) + "=" + std::string(p["became"]) + " ";
  EXPECT_EQ(pinned, "s0=2 s1=3 ");  // a literal batch size in `view`, and a weight's number of channels
}

TEST(DynamicSizes, StaticRunsAtTheExampleSizes) {
  const nlohmann::json at_example = fake(committed_program("scaled_sizes"), {"--static"}).json();
  EXPECT_EQ(meta_of(at_example, "mul_3"), "f32[2,3,10,6]{180,60,6,1}+0@cpu");
  EXPECT_FALSE(at_example.contains("symbols"));
  const nlohmann::json symbolic = fake(committed_program("scaled_sizes"), {}).json();
  EXPECT_EQ(meta_of(symbolic, "mul_3"), "f32[s77,3,s53,s0]{3*s0*s53,s0*s53,s0,1}+0@cpu");
}

TEST(DynamicSizes, ConditionOfProgramIsFactOfItsRun) {
  const std::string symbols = "symbol s0 in [2, inf] hint 32\n";
  const nlohmann::json open = fake(constrained(symbols), {}).json();
  ASSERT_EQ(open["guards"].size(), 1U);
  const std::string guard = open["guards"][0]["condition"];
  const nlohmann::json report = fake(constrained(symbols + "guard \"" + guard + "\" {node=\"f\"}\n"), {}).json();
  EXPECT_EQ(report["guards"].size(), 0U) << report["guards"];
  EXPECT_EQ(report["declared"], nlohmann::json({guard}));
  const CommandResult r = fake(constrained(symbols + "guard \"s0 > 40\" {node=\"f\", at=\"model.py:5\"}\n"), {}, false);
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("the program's guard s0 > 40 of f"), std::string::npos) << r.err;
}

// `--save` writes the program with symbolic records, symbols and conditions.
TEST(DynamicSizes, AnsweredProgramIsWrittenAndAnswersSame) {
  const std::string first = scratch_file("first.ersatz", ""), second = scratch_file("second.ersatz", "");
  const CommandResult r = fake(sum_of_two(), {"--dynamic", "x:0=n:1..64", "--dynamic", "y:0=m:1..64", "--save", first});
  ASSERT_EQ(r.json()["guards"].size(), 2U) << r.out << r.err;
  const std::string text = read_file(first);
  EXPECT_NE(text.find("symbol n in [1, 64] hint 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("guard \"Eq(m,n)\" {op=\"aten.add.Tensor\", node=\"add\""), std::string::npos) << text;
  EXPECT_NE(text.find("%add: f32[n]{1}+0@cpu = aten.add.Tensor(%x, %y)"), std::string::npos) << text;
  const CommandResult again = fake(first, {"--save", second});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["guards"].size(), 0U);
  EXPECT_EQ(again.json()["uncovered"].size(), 0U);
  EXPECT_EQ(meta_of(again.json(), "add"), meta_of(r.json(), "add"));
  EXPECT_EQ(read_file(second), text);
  const CommandResult checked = run_command({"crosscheck", first, "--sizes", "5"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST(DynamicSizes, AnswersOfAnotherDeviceAreNotWritten) {
  const std::string file = scratch_file("none.ersatz", "");
  for (const Words& more : {Words{"--device", "cuda"}, Words{"--static"}}) {
    Words words{"--save", file};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult r = fake(committed_program("mlp"), words, false);
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.err.find("--save: with " + more[0]), std::string::npos) << r.err;
  }
}

TEST(DynamicSizes, TheProgramsOwnRangeStays) {
  const std::string program = constrained("symbol s0 in [2, 64] hint 32\n");
  EXPECT_EQ(fake(program, {"--dynamic", "x:0=s0:4..40"}).json()["symbols"][0]["min"], 4);
  for (const char* wider : {"x:0=s0:1..64", "x:0=s0:2..65", "x:0=s0@1"}) {
    const CommandResult r = fake(program, {"--dynamic", wider}, false);
    EXPECT_EQ(r.status, 2) << wider;
    EXPECT_NE(r.err.find("the program has s0 in 2..64"), std::string::npos) << r.err;
  }
}

class DynamicRefuses : public testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(DynamicRefuses, InOneLineWithStatusTwo) {
  const CommandResult r = fake(committed_program("mlp"), {"--dynamic", GetParam().first}, false);
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_NE(r.err.find(GetParam().second), std::string::npos) << r.err;
}
INSTANTIATE_TEST_SUITE_P(BadInput, DynamicRefuses,
                         testing::Values(std::pair("z:0=n", "takes no input 'z'"), std::pair("x:7=n", "x has 2 dims"),
                                         std::pair("x:0=n:9..1", "is empty"),
                                         std::pair("x:0=n:1..8@9", "outside of the range"),
                                         std::pair("x:0", "there is no '='"), std::pair("x:0=n+", "expected")));

}  // namespace
}  // namespace ersatz::tools
