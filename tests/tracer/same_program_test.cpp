// same_program finds two programs that differ in one place, and names the place.
#include <gtest/gtest.h>

#include "tracer/program/program.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

const std::string kText =
    "symbol s0 in [2, 64] hint 5\n"
    "constraint \"4*s0\" in [8, 256]\n"
    "guard \"s0 != 7\" {node=\"y\", count=2}\n"
    "storage $0 16B made\n"
    "graph(%w: f32[4] = parameter \"w\" $0, %x: f32[s0,4]):\n"
    "  %y: f32[s0,4] = demo.f.default(%x, 2, alpha=3) {at=\"f.py:3\"}\n"
    "  %z: f32[4] ~%w = demo.g.default(%w, [%y, 1])\n"
    "  %n: int(3) = demo.h.default(%z)\n"
    "  return %y, %z\n";

/// Returns the first difference between the program and a copy in which `to` replaces `from`.
std::string difference(std::string_view from, std::string_view to) {
  std::string other = kText;
  const size_t at = other.find(from);
  EXPECT_NE(at, other.npos) << from;
  other.replace(at, from.size(), to);
  std::string why, back;
  const Program a = parse_program_text(kText, "a"), b = parse_program_text(other, "b");
  const bool same = same_program(a, b, &why);
  EXPECT_EQ(same, why.empty()) << why;
  EXPECT_EQ(same_program(b, a, &back), same) << back;
  return why;
}

TEST(SameProgram, IsOneOfTheSameText) { EXPECT_EQ(difference("", ""), ""); }

TEST(SameProgram, IsNoneOfOtherSymbols) {
  EXPECT_EQ(difference("hint 5", "hint 6"), "a symbol's hint");
  EXPECT_EQ(difference("[2, 64]", "[3, 64]"), "a symbol's range");
  EXPECT_EQ(difference("[2, 64]", "[2, 65]"), "a symbol's range");
  EXPECT_EQ(difference("constraint", "symbol u0 in [0, inf]\nconstraint"), "number of symbols");
}

TEST(SameProgram, IsNoneOfOtherConstraints) {
  EXPECT_EQ(difference("\"4*s0\"", "\"3*s0\""), "constraint");
  EXPECT_EQ(difference("[8, 256]", "[9, 256]"), "constraint");
  EXPECT_EQ(difference("[8, 256]", "[8, 257]"), "constraint");
}

TEST(SameProgram, IsNoneOfOtherConditions) {
  EXPECT_EQ(difference("guard", "assert"), "kind of a condition");
  EXPECT_EQ(difference("s0 != 7", "s0 != 8"), "condition");
  EXPECT_EQ(difference("{node=\"y\"", "{node=\"z\""), "a condition's origin");
  EXPECT_EQ(difference("count=2", "count=3"), "a condition's count");
  EXPECT_EQ(difference("{node", "{message=\"m\", node"), "a condition's message");
  EXPECT_EQ(difference("guard", "guard \"s0 < 60\"\nguard"), "number of conditions");
}

TEST(SameProgram, IsNoneOfOtherInputs) {
  EXPECT_EQ(difference("parameter", "buffer"), "input 0: kind of an input");
  EXPECT_EQ(difference("parameter \"w\"", "parameter \"v\""), "input 0: target of an input: 'w' and 'v'");
  EXPECT_EQ(difference(" $0, %x", ", %x"), "input 0: stored value of an input");
  EXPECT_EQ(difference("%x: f32[s0,4])", "%x: f32[s0,5])"),
            "input 1: metadata: f32[s0,4]{4,1}+0@cpu and f32[s0,5]{5,1}+0@cpu");
}

TEST(SameProgram, IsNoneOfOtherOperators) {
  EXPECT_EQ(difference("demo.f", "demo.e"), "node 0: operator: 'demo.f.default' and 'demo.e.default'");
  EXPECT_EQ(difference("{at", "{name=\"f_1\", at"), "node 0: node name: 'y' and 'f_1'");
  EXPECT_EQ(difference("f.py:3", "f.py:4"), "node 0: source line: 'f.py:3' and 'f.py:4'");
  EXPECT_EQ(difference("  %n: int(3) = demo.h.default(%z)\n", ""), "number of nodes");
}

TEST(SameProgram, IsNoneOfOtherArguments) {
  EXPECT_EQ(difference(", 2, ", ", 3, "), "node 0: a literal");
  EXPECT_EQ(difference(", 2, ", ", 2.0, "), "node 0: kind of a literal");
  EXPECT_EQ(difference(", 2, ", ", %x, "), "node 0: kind of an argument");
  EXPECT_EQ(difference(", 2, ", ", "), "node 0: number of arguments");
  EXPECT_EQ(difference("alpha", "beta"), "node 0: keyword: 'alpha' and 'beta'");
  EXPECT_EQ(difference("(%w, [", "(%x, ["), "node 1: value: 'w' and 'x'");
  EXPECT_EQ(difference("[%y, 1]", "[%y]"), "node 1: length of a list");
}

TEST(SameProgram, IsNoneOfOtherResults) {
  EXPECT_EQ(difference("%n: int(3) =", "(%n: int(3)) ="), "node 2: tuple of one");
  EXPECT_EQ(difference("%n: int(3) =", "%n: int(3), %m ="), "node 2: number of results");
  EXPECT_EQ(difference("int(3)", "int(4)"), "node 2: a literal");
  EXPECT_EQ(difference("int(3)", "float(3.0)"), "node 2: kind of a value");
  EXPECT_EQ(difference("%n: int(3)", "%n: int"), "node 2: a record");
  EXPECT_EQ(difference(" ~%w", ""), "node 1: an alias");
  EXPECT_EQ(difference("~%w", "~%x"), "node 1: alias: 'w' and 'x'");
}

TEST(SameProgram, IsNoneOfOtherOutputs) {
  EXPECT_EQ(difference("return %y, %z", "return %y, %x"), "output 1: value: 'z' and 'x'");
  EXPECT_EQ(difference("return %y, %z", "return %y, loss %z"), "output 1: kind of an output");
  EXPECT_EQ(difference("return %y, %z", "return %y"), "number of outputs");
}

}  // namespace
}  // namespace ersatz
