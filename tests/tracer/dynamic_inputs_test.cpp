// Input sizes that are declared as symbols (`ersatz fake --dynamic`).
#include "tracer/program/dynamic_inputs.h"

#include <gtest/gtest.h>

#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

constexpr const char* kProgram =
    "graph(%x: f32[4,6]{6,1}, %y: f32[4,30]{1,4}, %w: f32[6,7] = parameter \"w\", %n: int(5)):\n  return %x";

Program declared(std::vector<std::string> words, const std::string& text = kProgram) {
  Program p = parse_program_text(text, "t");
  make_dynamic(p, parse_dynamic_inputs(words));
  return p;
}

std::string input(const Program& p, size_t i) {
  const GraphValue& v = p.main().values[p.main().inputs[i].value];
  return p.meta(v) ? to_string(*p.meta(v)) : to_string(p.literals[v.record]);
}

std::string symbol(const Program& p, const std::string& name) {
  const SymbolInfo* s = p.env->find_symbol(name);
  if (!s) return "none";
  return fmt::format("[{}, {}] {}", s->min, s->max == INT64_MAX ? "inf" : std::to_string(s->max),
                     s->hint ? std::to_string(*s->hint) : "?");
}

std::string refusal(std::vector<std::string> words, const std::string& text = kProgram) {
  try {
    declared(words, text);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(e.message.find('\n'), std::string::npos);
    return e.message;
  }
  return "not refused";
}

TEST(DynamicInputs, SizeBecomesSymbolWithRecordedSizeAsExample) {
  const Program p = declared({"x:0=batch:1..64"});
  EXPECT_EQ(input(p, 0), "f32[batch,6]{6,1}+0@cpu");
  EXPECT_EQ(symbol(p, "batch"), "[1, 64] 4");
}

TEST(DynamicInputs, StridesStayProductsOfSizes) {
  const Program p = declared({"x:1=h", "y:0=k", "y:1=j"});
  EXPECT_EQ(input(p, 0), "f32[4,h]{h,1}+0@cpu");
  EXPECT_EQ(input(p, 1), "f32[k,j]{1,k}+0@cpu");
}

TEST(DynamicInputs, AStrideWithAGapStaysANumber) {
  const Program p = declared({"x:0=a", "x:1=b", "x:2=c"}, "graph(%x: f32[2,3,4]{60,10,2}): return %x");
  EXPECT_EQ(input(p, 0), "f32[a,b,c]{60,10,2}+0@cpu");
}

TEST(DynamicInputs, OneNameIsOneSize) {
  const Program p = declared({"x:0=batch", "y:0=batch"});
  EXPECT_EQ(input(p, 1), "f32[batch,30]{1,batch}+0@cpu");
  EXPECT_EQ(symbol(p, "batch"), "[1, inf] 4");
}

TEST(DynamicInputs, AnExpressionIsSolvedForItsSymbol) {
  const Program p = declared({"x:1=3*h:3..12"});
  EXPECT_EQ(symbol(p, "h"), "[1, 4] 2");
}

TEST(DynamicInputs, SymbolOfExpressionMayComeFromAnotherInput) {
  const Program p = declared({"x:1=h-a", "x:0=a"});
  EXPECT_EQ(symbol(p, "h"), "[1, inf] 10");
}

TEST(DynamicInputs, EndsMayBeOpen) {
  EXPECT_EQ(symbol(declared({"x:0=a:..9"}), "a"), "[0, 9] 4");
  EXPECT_EQ(symbol(declared({"x:0=a:2.."}), "a"), "[2, inf] 4");
}

TEST(DynamicInputs, AnotherExampleMayBeGiven) { EXPECT_EQ(symbol(declared({"x:0=a:8..16@9"}), "a"), "[8, 16] 9"); }

TEST(DynamicInputs, WithoutAnExampleASymbolIsUnbacked) {
  EXPECT_EQ(symbol(declared({"x:0=a:0..16?"}), "a"), "[0, 16] ?");
}

TEST(DynamicInputs, DimsMayCountFromTheEnd) {
  const Program p = declared({"x:-1=a", "n=k"});
  EXPECT_EQ(input(p, 0), "f32[4,a]{a,1}+0@cpu");
  EXPECT_EQ(input(p, 3), "k");
  EXPECT_EQ(symbol(p, "k"), "[1, inf] 5");
}

TEST(DynamicInputs, AutoMakesOtherUserInputSizesSymbols) {
  const Program p = declared({"auto", "x:0=batch"});
  EXPECT_EQ(input(p, 0), "f32[batch,s0]{s0,1}+0@cpu");
  EXPECT_EQ(input(p, 1), "f32[s1,s2]{1,s1}+0@cpu");
  EXPECT_EQ(input(p, 2), "f32[6,7]{7,1}+0@cpu");
}

TEST(DynamicInputs, SymbolOfProgramMayGetNarrowerRange) {
  const std::string text = "symbol s7 in [1, 64] hint 4\ngraph(%x: f32[s7]): return %x";
  EXPECT_EQ(symbol(declared({"x:0=s7:2..8"}, text), "s7"), "[2, 8] 4");
  EXPECT_EQ(refusal({"x:0=batch"}, text).substr(0, 60), "--dynamic x:0=batch: the program has s7 there: that is its n");
}

struct Refused {
  std::vector<std::string> words;
  const char* why;
};
class RefusedDynamicInputs : public ::testing::TestWithParam<Refused> {};
TEST_P(RefusedDynamicInputs, SayWhatIsWrong) {
  EXPECT_NE(refusal(GetParam().words).find(GetParam().why), std::string::npos) << refusal(GetParam().words);
}
INSTANTIATE_TEST_SUITE_P(
    DynamicInputs, RefusedDynamicInputs,
    ::testing::Values(Refused{{"z:0=a"}, "the program takes no input 'z': it takes x, y, n"},
                      Refused{{"x:2=a"}, "x has 2 dims"}, Refused{{"x=a"}, "x is a tensor: which of its 2 dims?"},
                      Refused{{"w:0=a"}, "w is a parameter"}, Refused{{"n:0=a"}, "n is no tensor"},
                      Refused{{"x:0"}, "there is no '='"}, Refused{{"x:0="}, "no size is named"},
                      Refused{{"x:b=a"}, "the dim 'b' is no integer"},
                      Refused{{"x:0=a:9..3"}, "the range 9..3 is empty"}, Refused{{"x:0=a:3"}, "'3' is no range"},
                      Refused{{"x:0=a:-1..3"}, "at least 0"},
                      Refused{{"x:0=a:0..99999999999999999999"}, "does not fit 64 bits"},
                      Refused{{"x:0=a:8..16"}, "the example size makes a 4, outside of its range"},
                      Refused{{"x:0=a:8..16@4"}, "the example 4 lies outside"},
                      Refused{{"x:0=a", "x:1=a"}, "a is 4 by the recorded size of another input, and 6 here"},
                      Refused{{"x:0=a@5", "y:0=a@6"}, "a is 5 by another example"},
                      Refused{{"x:0=3*a"}, "no value of 3*a makes the recorded size 4"},
                      Refused{{"x:0=a", "x:0=b"}, "the same size is a by x:0=a"}, Refused{{"x:0=7"}, "7 is a number"},
                      Refused{{"x:0=a*)"}, "symbolic expression"}, Refused{{"x:0=a@3?"}, "not both"},
                      Refused{{"x:0=4*a:1..3@4"}, "outside"}, Refused{{"x:0=a//0"}, "zero"}));

}  // namespace
}  // namespace ersatz
