// A program that is recorded again keeps its symbols and its nodes on numbers.
#include "tracer/trace/retrace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracer/traced_lines.h"
#include "tracer/program/dynamic_inputs.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;

Program again(const Program& p, TraceMode mode) {
  TraceOptions options = in_mode(mode);
  options.keep_composites = true;
  return retrace(p, make_inputs(p, SymbolValues(p)), options);
}

const char* const kSizes =
    "symbol s7 in [2, 16] hint 4\n"
    "graph(%x: f32[s7,3], %w: f32[3,3], %k: int(5)):\n"
    "  %n: int(s7) = aten.sym_size.int(%x, 0)\n"
    "  %unused: int(s7-1) = _operator.sub(%n, 1)\n"
    "  %m: int(2*s7) = _operator.mul(2, %n)\n"
    "  %z: f32[2*s7] = aten.full.default([%m], 0)\n"
    "  %y: f32[s7,3] = aten.mm.default(%x, %w)\n"
    "  return %z, %y\n";

TEST(Retrace, SymbolsAreTheProgramsAndNumbersStayNumbers) {
  const Program p = parse_program_text(kSizes, "sizes"), made = again(p, TraceMode::Symbolic);
  const auto input = [&](size_t i) {
    const GraphValue& v = made.main().values[made.main().inputs[i].value];
    return made.meta(v) ? to_string(*made.meta(v)) : to_string(made.literals[v.record]);
  };
  EXPECT_EQ(input(0), "f32[s7,3]{3,1}+0@cpu");
  EXPECT_EQ(input(1), "f32[3,3]{3,1}+0@cpu");
  EXPECT_EQ(input(2), "5");
  const std::vector<SymbolInfo> symbols = made.env->symbols();
  ASSERT_EQ(symbols.size(), 1u);
  EXPECT_EQ(symbols[0].name, "s7");
  EXPECT_EQ(symbols[0].min, 2);
  EXPECT_EQ(symbols[0].max, 16);
}

TEST(Retrace, NodesOnNumbersStayThoughNobodyUsesThem) {
  EXPECT_THAT(nodes_of(again(parse_program_text(kSizes, "sizes"), TraceMode::Symbolic)),
              ElementsAre("%sym_size = aten.sym_size.int(%x, 0)", "%sub = _operator.sub(%sym_size, 1)",
                          "%mul = _operator.mul(2, %sym_size)", "%full = aten.full.default([%mul], 0)",
                          "%mm = aten.mm.default(%x, %w)"));
}

TEST(Retrace, WithoutSymbolsNodesOnNumbersAreNumbers) {
  EXPECT_THAT(nodes_of(again(parse_program_text(kSizes, "sizes"), TraceMode::Fake)),
              ElementsAre("%full = aten.full.default([8], 0)", "%mm = aten.mm.default(%x, %w)"));
}

TEST(Retrace, DeclaredSizesAreSymbolsToo) {
  Program p = parse_program_text("graph(%x: f32[4,3]):\n  %y: f32[3,4] = aten.t.default(%x)\n  return %y\n", "plain");
  const std::string words[] = {"x:0=batch:1..64"};
  make_dynamic(p, parse_dynamic_inputs(words));
  const Program made = again(p, TraceMode::Symbolic);
  EXPECT_EQ(to_string(*made.meta(made.main().values[result_values(made, made.main().nodes[0])[0]])),
            "f32[3,batch]{1,3}+0@cpu");
}

TEST(Retrace, CallsOfRegionAreRecordedBeforeAutocast) {
  const Program p = parse_program_text(
      "graph @region(%x: f32[2,3], %w: f32[3,3]):\n"
      "  %y: bf16[2,3] = aten.linear.default(%x, %w)\n"
      "  return %y\n"
      "graph(%x: f32[2,3], %w: f32[3,3]):\n"
      "  %y: bf16[2,3] = higher_order.wrap_with_autocast(\"cpu\", bf16, True, None, @region, %x, %w)\n"
      "  return %y\n",
      "region");
  const Program made = again(p, TraceMode::Fake);
  ASSERT_EQ(made.graphs.size(), 2u);
  EXPECT_THAT(nodes_of(made, *made.graphs[1]), ElementsAre("%linear = aten.linear.default(%x, %w)"));
}

}  // namespace
}  // namespace ersatz
