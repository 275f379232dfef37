#include "tracer/text/text_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "tracer/program/verify.h"

namespace ersatz {
namespace {

using ::testing::HasSubstr;

/// Parses, checks that printing and parsing again changes nothing, and returns the printed text.
std::string again(const std::string& text) {
  const Program p = parse_program_text(text, "t");
  EXPECT_THAT(find_faults(p), ::testing::IsEmpty());
  const std::string printed = print_program(p);
  const Program q = parse_program_text(printed, "t");
  std::string why;
  EXPECT_TRUE(same_program(p, q, &why)) << why;
  EXPECT_EQ(print_program(q), printed);
  return printed;
}

std::string refusal(const std::string& text) {
  try {
    parse_program_text(text, "t");
  } catch (const Error& e) {
    return e.message;
  }
  return "not refused";
}

TEST(TextForm, ReadsWhatAPersonWrites) {
  EXPECT_EQ(again("graph(%x: f32[4,8], %w: f32[16,8]@cpu):\n"
                  "  %t: f32[8,16]{1,8}@cpu ~%w = demo.t.default(%w)  # a view\n"
                  "  return %t\n"),
            "ersatz program 2\n"
            "\n"
            "graph(%x: f32[4,8]{8,1}+0@cpu,\n"
            "      %w: f32[16,8]{8,1}+0@cpu):\n"
            "  %t: f32[8,16]{1,8}+0@cpu ~%w = demo.t.default(%w)\n"
            "  return %t\n");
}

TEST(TextForm, KeepsEveryKindOfLiteralApart) {
  const std::string call =
      "demo.f.default(2, 2.0, -0.0, inf, -inf, nan, True, None, [], [1, 2], [1.0, 2.0], [None, True], \"a "
      "\\\"b\\\"\\n\", "
      "f32, bool, cuda:1, cpu, strided, channels_last, (1-2j), 9223372036854775807)";
  EXPECT_THAT(again("graph(): " + call + " return"), HasSubstr(call));
}

TEST(TextForm, KeepsKeywordsListsWithValuesAndMaps) {
  const std::string call = "demo.f.default(%x, [%x, None, [%x]], alpha=2, \"odd key\"={\"k\": %x, \"l\": [1]})";
  EXPECT_THAT(again("graph(%x): " + call + " return"), HasSubstr(call));
}

TEST(TextForm, KeepsEveryShapeOfResults) {
  const std::string body =
      "  demo.none.default()\n"
      "  [%a: f32[2]{1}+0@cpu, %b] = demo.list.default()\n"
      "  [] = demo.list.default()\n"
      "  None, %c: tensor = demo.pair.default()\n"
      "  (%d) = demo.tuple.default()\n"
      "  %n: int(3), %f: float(2.5), %t: bool(True), %o: object = demo.numbers.default() {name=\"many\", "
      "at=\"f.py:3\"}\n";
  EXPECT_THAT(again("graph():\n" + body + "  return %a, None, 3"), HasSubstr(body));
}

TEST(TextForm, KeepsSymbolsTheirRangesAndHints) {
  const std::string head =
      "symbol s0 in [2, 64] hint 5\n"
      "symbol u1 in [0, inf]\n"
      "constraint \"4*s0\" in [8, 256]\n";
  const std::string text = again(head +
                                 "graph(%x: f32[s0,4*s0]{4*s0,1}):\n  %n: int(s0+1), %b: bool(\"u1 >= 2\") = "
                                 "demo.f.default(%x)\n  return %n");
  EXPECT_THAT(text, HasSubstr(head));
  EXPECT_THAT(text, HasSubstr("%x: f32[s0,4*s0]{4*s0,1}+0@cpu"));
  EXPECT_THAT(text, HasSubstr("%n: int(s0+1), %b: bool(\"u1 >= 2\") ="));
}

TEST(TextForm, KeepsWhatARunDecidedOfSizes) {
  const std::string head =
      "symbol s0 in [2, 64] hint 5\n"
      "symbol u1 in [0, inf]\n"
      "guard \"Ne(s0,4)\" {op=\"aten.view.default\", node=\"view_3\", at=\"model.py:57\", count=3}\n"
      "assert \"(u1<=(4*s0))\" {message=\"too many \\\"rows\\\"\"}\n"
      "assumption \"(u1>=2)\"\n";
  EXPECT_THAT(again(head + "graph(): return"), HasSubstr(head));
  const Program p = parse_program_text("symbol s0 in [2, 64]\nguard \"s0 < 5\" {} graph(): return", "t");
  EXPECT_EQ(p.conditions.at(0).decision.text, "s0 < 5");
}

TEST(TextForm, RefusesConditionsThatSayNothing) {
  const auto refusal = [](const std::string& statement) {
    try {
      parse_program_text("symbol s0 in [2, 64]\n" + statement + "\ngraph(): return", "t");
    } catch (const Error& e) {
      return e.message;
    }
    return std::string("not refused");
  };
  EXPECT_THAT(refusal("guard \"3 < 4\""), HasSubstr("a condition that is true for all sizes"));
  EXPECT_THAT(refusal("guard \"s0 <\""), HasSubstr("t:2"));
  EXPECT_THAT(refusal("guard \"s0 < 4\" {by=\"me\"}"), HasSubstr("op, node, at, message or count is expected"));
  EXPECT_THAT(refusal("guard \"s0 < 4\" {count=-1}"), HasSubstr("a count is at least 0: got -1"));
}

TEST(TextForm, KeepsSharedStoragesAndTheirBytes) {
  const std::string text = again(
      "storage $a 16B f32 [1, 2.5, -0.0, 1e-45]\nstorage $b 4B hex \"0000c07f\"\nstorage $c 12B made\nseed 7\n"
      "graph(%v: f32[2]{1}+2 = buffer \"v\" $a, %w: f32[4] = parameter \"w\" $a, %n: f32[] = input $b,\n"
      "  %m: f32[3] = loose_buffer \"m\" $c as f32[3]{0}+1): return %v");
  EXPECT_THAT(text, HasSubstr("storage $0 16B f32 [1, 2.5, -0.0, 1e-45]\nstorage $1 4B hex \"0000c07f\"\n"));
  EXPECT_THAT(text, HasSubstr("%m: f32[3]{1}+0@cpu = loose_buffer \"m\" $2 as f32[3]{0}+1@cpu"));
  const Program p = parse_program_text(text, "t");
  EXPECT_EQ(p.weights.tensor(0).data<float>()[1], 1e-45f);
  EXPECT_TRUE(p.weights.tensor(0).shares_storage(p.weights.tensor(1)));
}

TEST(TextForm, KeepsNestedGraphsThatReferToEachOther) {
  const std::string text = again(
      "graph @outer(%a): %r = higher_order.cond(%a, @inner, &demo.f.default) return %r\n"
      "graph @inner single(%a): return %a\n"
      "graph(%x): (%y) = higher_order.wrap(@outer, %x) return %y");
  EXPECT_THAT(text, HasSubstr("graph @inner single(%a):\n  return %a\n"));
  EXPECT_THAT(text, HasSubstr("(%y) = higher_order.wrap(@outer, %x)"));
}

TEST(TextForm, KeepsKindsOfInputsAndOutputs) {
  const std::string outputs = "  return buffer_mutation \"cache\" %x, loss %x, gradient_to_input \"x\" %x, %x\n";
  const std::string text = again(
      "producer \"me\"\nplugin \"/lib/p.so\"\nschema \"demo::f(Tensor x) -> Tensor\"\n"
      "graph(%x, %c: f32[2] = buffer \"cache\", %t: f32[0] = token, %k: int(3) = constant_input):\n" +
      outputs);
  EXPECT_THAT(text, HasSubstr("producer \"me\"\nplugin \"/lib/p.so\"\nschema \"demo::f(Tensor x) -> Tensor\"\n"));
  EXPECT_THAT(text, HasSubstr("%k: int(3) = constant_input"));
  EXPECT_THAT(text, HasSubstr(outputs));
}

TEST(TextForm, QuotesNamesThatAreNoWords) {
  const std::string text = again("graph(%\"a b\": f32[2]): %c: f32[2] ~%\"a b\" = \"#ext:op\"(%\"a b\") return %c");
  EXPECT_THAT(text, HasSubstr("%c: f32[2]{1}+0@cpu ~%\"a b\" = \"#ext:op\"(%\"a b\")"));
}

TEST(TextForm, InlinesBytesForRepros) {
  const Program p =
      parse_program_text("storage $0 8B made\nseed 3\ngraph(%w: f32[2] = parameter \"w.bias\" $0): return", "t");
  const std::string text = print_program(p, {.inline_values = true});
  EXPECT_THAT(text, HasSubstr("storage $0 8B f32 ["));
  const Program q = parse_program_text(text, "t");
  EXPECT_EQ(q.weights.tensor(0).data<float>()[1], p.weights.tensor(0).data<float>()[1]);
}

TEST(TextForm, NewerVersionIsRefused) {
  EXPECT_EQ(refusal("ersatz program 3"), "t:1: text form 3 is not read here (1 to 2 are)");
}

TEST(TextForm, SecondUnnamedGraphIsRefused) {
  EXPECT_EQ(refusal("graph(%x):\n  return %x\ngraph(): return"), "t:3: a second graph without a name");
}

TEST(TextForm, PositionalArgumentAfterAKeywordIsRefused) {
  EXPECT_EQ(refusal("graph():\n\n  %a = demo.f.default(k=1, 2) return"), "t:3: a positional argument after a keyword");
}

TEST(TextForm, UnknownStorageOrGraphIsRefused) {
  EXPECT_EQ(refusal("graph(%x: f32[2] = buffer \"b\" $z): return"), "t:1: no storage before this has that name");
  EXPECT_EQ(refusal("graph(): demo.f.default(@g) return"), "t:1: no graph is named @g");
}

TEST(TextForm, BytesThatDoNotFitAreRefused) {
  EXPECT_EQ(refusal("storage $0 8B f32 [1]\ngraph(): return"), "t:1: 4 bytes where 8 are announced");
  EXPECT_EQ(refusal("storage $0 1B u8 [256]\ngraph(): return"), "t:1: 256 does not fit u8");
}

TEST(TextForm, DeepNestingIsRefused) {
  EXPECT_THAT(refusal("graph(): demo.f.default(" + std::string(100000, '[') + ") return"),
              HasSubstr("nested more than 32 deep"));
}

}  // namespace
}  // namespace ersatz
