// `ersatz diff`: each kind of difference of programs and recorded calls, non-differences, and bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"
#include "tools/diff/alignment.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kBase =
    "graph(%x: f32[2,3], %w: f32[2] = parameter \"w\" $0):\n"
    "  %a: f32[2,3] = aten.relu.default(%x) {at=\"m.py:1: a\"}\n"
    "  %b: f32[3,2]{1,3} ~%a = aten.t.default(%a)\n"
    "  %c: f32[3,2] = aten.add.Tensor(%b, %w)\n"
    "  return %c\n";
const std::string kStorage = "storage $0 8B f32 [1, 2]\n";

const std::string kCall =
    R"({"id":"one","op":"aten.relu.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8,"v":[1,2]}],"kwargs":{},)"
    R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[1,2]}]})";

struct Case {
  std::string name, from, to;  // a piece of the program and its replacement
  std::string first;           // the first line of the report
};

class DiffOfPrograms : public testing::TestWithParam<Case> {};

TEST_P(DiffOfPrograms, NamesNodeAndField) {
  const Case& c = GetParam();
  std::string other = kStorage + kBase;
  const size_t at = other.find(c.from);
  ASSERT_NE(at, other.npos);
  other.replace(at, c.from.size(), c.to);
  const CommandResult r = run_command({"diff", scratch_file("a.txt", kStorage + kBase), scratch_file("b.txt", other)});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_THAT(r.out, StartsWith(c.first));
  EXPECT_THAT(r.out, HasSubstr("diff: 3 and "));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, DiffOfPrograms,
    testing::Values(
        Case{"Op", "aten.relu.default", "aten.neg.default",
             "changed: node a (aten.relu.default): op: aten.relu.default -> aten.neg.default\n  at m.py:1: a\n"},
        Case{"Stride", "f32[3,2] = aten.add", "f32[3,2]{1,3} = aten.add",
             "changed: node c (aten.add.Tensor): stride: {2,1} -> {1,3}\n"},
        Case{"DType", "f32[3,2] = aten.add", "f64[3,2] = aten.add",
             "changed: node c (aten.add.Tensor): dtype: f32 -> f64\n"},
        Case{"Alias", " ~%a", "", "changed: node b (aten.t.default): alias: %a -> its own\n"},
        Case{"Argument", "(%b, %w)", "(%b, %w, alpha=2)",
             "changed: node c (aten.add.Tensor): argument 2: absent -> alpha=2\n"},
        Case{"Operand", "(%b, %w)", "(%b, %b)", "changed: node c (aten.add.Tensor): argument 1: %w -> %b\n"},
        Case{"Added", "  return", "  %d: f32[3,2] = aten.exp.default(%c)\n  return",
             "added: node d (aten.exp.default)\n"},
        Case{"Weight", "[1, 2]", "[1, 3]",
             "changed: input %w (parameter w): value: 2 elements -> 1 of them others, the first of these number 1\n"},
        Case{"Input", "%x: f32[2,3]", "%x: f32[2,3]{1,2}", "changed: input %x (input 0): stride: {3,1} -> {1,2}\n"},
        Case{"Output", "return %c", "return %b", "changed: output 0: value: %c -> %b\n"}),
    [](const auto& test) { return test.param.name; });

TEST(Diff, NamesAreNoDifference) {
  std::string renamed = kStorage + kBase;
  for (size_t at = 0; (at = renamed.find("%a", at)) != renamed.npos; at += 5) renamed.replace(at, 2, "%other");
  const CommandResult r =
      run_command({"diff", scratch_file("a.txt", kStorage + kBase), scratch_file("b.txt", renamed)});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.out, "diff: 3 and 3 nodes, 3 alike (1 renamed); 0 added, 0 removed, 0 changed\n");
}

TEST(Diff, HowAnArgumentIsGivenIsNoDifference) {
  const std::string head = "graph(%x: f32[2,3], %w: f32[3]):\n", tail = "  return %a, %b\n";
  const std::string
      a = "  %a: f32[2,3] = aten.add.Tensor(%x, %w)\n  %b: i64[2] = aten.sum.dim_IntList(%x, [1], False, dtype=i64)\n",
      b = "  %a: f32[2,3] = aten.add.Tensor(%x, other=%w, alpha=1)\n"
          "  %b: i64[2] = aten.sum.dim_IntList(%x, dim=1, dtype=i64)\n";
  const CommandResult r =
      run_command({"diff", scratch_file("a.txt", head + a + tail), scratch_file("b.txt", head + b + tail)});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST(Diff, NodesOfOneOriginPairWhateverTheirRecords) {
  const std::string head = "graph(%x: f32[2,3], %y: f32[2,3]):\n", tail = "  return %a, %b\n";
  const std::string wide = ": f32[2,3] = aten.neg.default(", tall = ": f32[2,3]{1,2} = aten.neg.default(";
  const CommandResult r =
      run_command({"diff", scratch_file("a.txt", head + "  %a" + wide + "%x)\n  %b" + tall + "%y)\n" + tail),
                   scratch_file("b.txt", head + "  %a" + tall + "%x)\n  %b" + tall + "%y)\n" + tail)});
  EXPECT_EQ(r.out,
            "changed: node a (aten.neg.default): stride: {3,1} -> {1,2}\n"
            "diff: 2 and 2 nodes, 1 alike; 0 added, 0 removed, 1 changed\n");
}

TEST(Diff, ExpressionsThatRangeMakesEqualAreNoDifference) {
  const auto program = [](std::string_view stride, int least) {
    return fmt::format(
        "symbol s0 in [{}, 9]\ngraph(%x: f32[s0,3]):\n  %a: f32[s0,3]{{{},1}} = aten.neg.default(%x)\n  return %a\n",
        least, stride);
  };
  const auto status = [&](int least) {
    return run_command({"diff", scratch_file("a.txt", program("Min(3,3*s0)", least)),
                        scratch_file("b.txt", program("3", least))})
        .status;
  };
  EXPECT_EQ(status(1), 0);
  EXPECT_EQ(status(0), 1);
}

TEST(Diff, NestedGraphsAreComparedAsMainOneIs) {
  const auto program = [](std::string_view operand) {
    return fmt::format(
        "graph @body(%a: f32[2], %b: f32[2]):\n  %c: f32[2] = aten.neg.default(%{})\n  return %c\n"
        "graph(%x: f32[2], %y: f32[2]):\n  %z: f32[2] = higher_order.wrap_with_set_grad_enabled(False, @body, %x, %y)\n"
        "  return %z\n",
        operand);
  };
  const CommandResult r =
      run_command({"diff", scratch_file("a.txt", program("a")), scratch_file("b.txt", program("b"))});
  EXPECT_EQ(r.out,
            "changed: node @body c (aten.neg.default): argument 0: %a -> %b\n"
            "diff: 2 and 2 nodes, 1 alike; 0 added, 0 removed, 1 changed\n");
}

TEST(Diff, RemovedNodeAmongEqualOnesIsNamed) {
  const std::string head = "graph(%x: f32[4]):\n", tail = "  return %c\n";
  const std::string a = "  %a: f32[4] = aten.add.Scalar(%x, 1)\n", b = "  %b: f32[4] = aten.add.Scalar(%a, 2)\n",
                    c = "  %c: f32[4] = aten.add.Scalar(%b, 3)\n", short_c = "  %c: f32[4] = aten.add.Scalar(%a, 3)\n";
  const CommandResult r = run_command(
      {"diff", scratch_file("three.txt", head + a + b + c + tail), scratch_file("two.txt", head + a + short_c + tail)});
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_THAT(r.out, StartsWith("removed: node b (aten.add.Scalar)\n"));
  EXPECT_THAT(r.out, HasSubstr("diff: 3 and 2 nodes, 1 alike; 0 added, 1 removed, 1 changed\n"));
}

TEST(Diff, RemovedCallAmongEqualOnesIsNamed) {
  std::string calls;
  for (int n = 1; n <= 3; ++n) {
    std::string call = kCall;
    call.replace(call.find("one"), 3, fmt::format("r/{}", n));
    call.replace(call.find("{}", call.find("kwargs")), 2, fmt::format("{{\"k\":{}}}", n));
    calls += call + "\n";
  }
  const CommandResult r = run_command(
      {"diff", scratch_file("three.jsonl", calls), scratch_file("two.jsonl", calls.substr(calls.find('\n') + 1))});
  EXPECT_EQ(r.out,
            "removed: call r/1 (aten.relu.default)\n"
            "diff: 3 and 2 calls, 2 alike; 0 added, 1 removed, 0 changed\n");
}

TEST(Diff, AnArchiveAndItsTextAreAlike) {
  const CommandResult text = run_command({"show", committed_program("resnet_tiny")});
  const CommandResult r = run_command({"diff", committed_program("resnet_tiny"), scratch_file("resnet.txt", text.out)});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST(Diff, JsonHasEachFieldOfBothSides) {
  const CommandResult r = run_command({"diff", committed_program("mlp"), committed_program("mlp_bf16"), "--json"});
  EXPECT_EQ(r.status, 1);
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["status"], "findings");
  EXPECT_EQ(report["unit"], "node");
  const nlohmann::json last = report["differences"].back();
  EXPECT_EQ(last["name"], "_log_softmax");
  EXPECT_EQ(last["fields"][0], nlohmann::json({{"field", "dtype"}, {"of", ""}, {"a", "f32"}, {"b", "bf16"}}));
}

class DiffOfRecords : public testing::TestWithParam<Case> {};

TEST_P(DiffOfRecords, NamesCallAndField) {
  const Case& c = GetParam();
  std::string other = kCall;
  const size_t at = other.find(c.from);
  ASSERT_NE(at, other.npos);
  other.replace(at, c.from.size(), c.to);
  const CommandResult r =
      run_command({"diff", scratch_file("a.jsonl", kCall + "\n"), scratch_file("b.jsonl", other + "\n")});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_THAT(r.out, StartsWith(c.first));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, DiffOfRecords,
    testing::Values(Case{"Op", "aten.relu", "aten.neg",
                         "changed: call one (aten.relu.default): op: aten.relu.default -> aten.neg.default\n"},
                    Case{"Value", R"("s":1,"n":8,"v":[1,2])", R"("s":1,"n":8,"v":[1,5])",
                         "changed: call one (aten.relu.default): value of result 0: element 1: 2 -> element 1: 5\n"},
                    Case{"Size", R"("t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[1,2])",
                         R"("t":"f32[1]{1}+0@cpu","s":1,"n":8,"v":[1])",
                         "changed: call one (aten.relu.default): size of result 0: [2] -> [1]\n"},
                    Case{"Alias", R"("s":1,"n":8,"v":[1,2])", R"("s":0,"n":8)",
                         "changed: call one (aten.relu.default): alias of result 0: its own -> tensor argument 0's\n"},
                    Case{"Error", R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[1,2]}])", R"("err":"RuntimeError")",
                         "changed: call one (aten.relu.default): error: none -> RuntimeError\n"},
                    Case{"Argument", R"("kwargs":{})", R"("kwargs":{"k":3})",
                         "changed: call one (aten.relu.default): argument 1: absent -> k=3\n"}),
    [](const auto& test) { return test.param.name; });

TEST(Diff, IdsOfRecordsAreNoDifference) {
  std::string other = kCall;
  other.replace(other.find("one"), 3, "two");
  const CommandResult r =
      run_command({"diff", scratch_file("a.jsonl", kCall + "\n"), scratch_file("b.jsonl", other + "\n")});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_EQ(r.out, "diff: 1 and 1 calls, 1 alike (1 renamed); 0 added, 0 removed, 0 changed\n");
}

TEST(Diff, NameNeitherDrivesTerminalNorBeginsLine) {
  std::string other = kCall;
  other.replace(other.find("one"), 3, R"(o\u001b[31mn\u009be\nchanged: call two)");
  other.replace(other.find("aten.relu"), 9, "aten.neg");
  const CommandResult r =
      run_command({"diff", scratch_file("a.jsonl", kCall + "\n"), scratch_file("b.jsonl", other + "\n")});
  EXPECT_THAT(r.out, StartsWith(R"(changed: call one / o\x1b[31mn\x9be\nchanged: call two (aten.relu.default): op: )"));
}

TEST(Diff, BadInputIsOneLineAndStatusTwo) {
  const std::string mlp = committed_program("mlp"), calls = scratch_file("a.jsonl", kCall + "\n");
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{mlp, "/no/such/program.pt2"}, "/no/such/program.pt2"},
      {{scratch_file("poem.txt", "the fog comes\n"), mlp}, "poem.txt"},
      {{calls, mlp}, "two programs are compared, or two files of recorded calls"},
      {{calls, scratch_file("cut.jsonl", kCall + "\n" + kCall.substr(0, 60) + "\n")}, "cut.jsonl:2"},
      {{ERSATZ_SOURCE_DIR "/tests/programs", mlp}, "name one file"}};
  for (const auto& [arguments, says] : cases) {
    const CommandResult r = run_command({"diff", arguments[0], arguments[1]});
    EXPECT_EQ(r.status, 2) << says;
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(says));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

/// Keys for alignment: the first letter is the entry's kind, the rest its content.
std::vector<AlignmentKey> keys(const std::vector<std::string>& entries) {
  std::vector<AlignmentKey> all;
  for (const std::string& e : entries) all.push_back({e.substr(0, 1), e.substr(1)});
  return all;
}

std::string aligned(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::string text;
  for (const AlignedPair& p : align(keys(a), keys(b))) text += fmt::format("{}:{} ", p.a, p.b);
  return text;
}

TEST(Align, EqualEntriesPairInOrder) {
  EXPECT_EQ(aligned({"a", "b", "c"}, {"a", "b", "c"}), "0:0 1:1 2:2 ");
  EXPECT_EQ(aligned({}, {}), "");
}

TEST(Align, WhatWasAddedOrRemovedStandsAlone) {
  EXPECT_EQ(aligned({"a", "c"}, {"a", "b", "c"}), "0:0 -1:1 1:2 ");
  EXPECT_EQ(aligned({"a", "b", "c"}, {"c"}), "0:-1 1:-1 2:0 ");
  EXPECT_EQ(aligned({}, {"a"}), "-1:0 ");
}

TEST(Align, WhatWasReplacedStandsBesideWhatReplacedIt) {
  EXPECT_EQ(aligned({"a", "b", "c"}, {"a", "x", "c"}), "0:0 1:1 2:2 ");
  EXPECT_EQ(aligned({"a"}, {"b", "c"}), "0:0 -1:1 ");
}

TEST(Align, OfOneKindThoseOfOneContentPair) {
  EXPECT_EQ(aligned({"a1", "a2", "a3", "b"}, {"a2", "a3", "b"}), "0:-1 1:0 2:1 3:2 ");
  EXPECT_EQ(aligned({"a1", "a2", "a3"}, {"a1", "a9", "a3"}), "0:0 1:1 2:2 ");
}

TEST(Align, SequencesThatDifferTooMuchPairByPlace) {
  std::vector<AlignmentKey> a, b;
  for (int i = 0; i < 3000; ++i) {
    a.push_back({"a" + std::to_string(i), ""});
    b.push_back({"b" + std::to_string(i), ""});
  }
  EXPECT_EQ(align(a, b).size(), 3000u);
}

}  // namespace
}  // namespace ersatz::tools
