// Programs whose sizes are computed from floats, and runs of these programs.
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tracer/program_paths.h"
#include "tracer/program/sym_functions.h"
#include "tracer/program/symbol_values.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/pt2_json_values.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

/// Returns the recorded metadata of a value of the main graph.
const TensorMeta& recorded(const Program& p, std::string_view name) {
  for (const GraphValue& v : p.main().values) {
    if (p.name(v.name) == name) return *p.meta(v);
  }
  throw std::runtime_error("no such value");
}

TEST(FloatSizes, AreReadPrintedAndEvaluated) {
  const Program p = load_program(committed_program("scaled_sizes"));
  EXPECT_EQ(to_string(recorded(p, "upsample_bilinear2d")),
            "f32[s77,3,TruncToInt(1.5*ToFloat(s53)),TruncToInt(1.5*ToFloat(s0))]"
            "{3*Max(1,TruncToInt(1.5*ToFloat(s0)))*Max(1,TruncToInt(1.5*ToFloat(s53))),"
            "Max(1,TruncToInt(1.5*ToFloat(s0)))*Max(1,TruncToInt(1.5*ToFloat(s53))),"
            "Max(1,TruncToInt(1.5*ToFloat(s0))),1}+0@cpu");
  SymbolValues values(p);
  EXPECT_EQ(to_string(*values.concrete(recorded(p, "upsample_bilinear2d"))), "f32[2,3,15,9]{405,135,9,1}+0@cpu");
  EXPECT_EQ(to_string(*values.concrete(recorded(p, "arange"))), "f32[4]{1}+0@cpu");     // ceil(0.5 * 6 / 0.75)
  EXPECT_EQ(to_string(*values.concrete(recorded(p, "new_zeros"))), "f32[3]{1}+0@cpu");  // int(sqrt(10))
}

TEST(FloatSizes, OfNumbersAreRecordedInTheirPrintedForm) {
  const std::string text = print_program(load_program(committed_program("scaled_sizes")));
  EXPECT_NE(text.find("float(\"1.5*ToFloat(s53)\")"), std::string::npos) << text;
  EXPECT_EQ(text.find("precision=53"), std::string::npos) << text;
}

TEST(FloatSizes, DoNotTellSymbolThatTheyRoundAway) {
  const Program p = parse_program_text(
      "symbol s0 in [2, 64] hint 5\n"
      "graph(%x: f32[TruncToInt(0.95*ToFloat(s0))], %y: f32[TruncToInt(2.0*ToFloat(s0))], %z: f32[(19*s0)//20]):\n"
      "  return %x\n",
      "t");
  SymbolValues rounded(p), divided(p), whole(p);
  rounded.observe(recorded(p, "x"), parse_meta("f32[19]{1}+0@cpu"));  // both 20 and 21 would give 19
  EXPECT_EQ(rounded.find("s0"), 5);
  divided.observe(recorded(p, "z"), parse_meta("f32[19]{1}+0@cpu"));
  EXPECT_EQ(divided.find("s0"), 5);
  whole.observe(recorded(p, "y"), parse_meta("f32[38]{1}+0@cpu"));
  EXPECT_EQ(whole.find("s0"), 19);
}

Value call(std::string_view name, std::initializer_list<Value> args) {
  return call_sym_function(name, std::span<const Value>(args.begin(), args.size()));
}

TEST(SymFunctions, FloatRootsAndRemaindersArePythons) {
  EXPECT_EQ(call("torch._sym_sqrt", {9.0}), Value(3.0));
  EXPECT_EQ(call("_operator.mod", {1.0, 0.1}), Value(0.09999999999999995));
}

TEST(SymFunctions, AndOrWorkOnIntegerBitsAndTruth) {
  EXPECT_EQ(call("_operator.and_", {10, 3}), Value(2));
  EXPECT_EQ(call("_operator.or_", {6, 8}), Value(14));
  EXPECT_EQ(call("_operator.and_", {true, false}), Value(false));
}

}  // namespace
}  // namespace ersatz
