// Inputs of an exported graph and their entries in its signature.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "tests/tracer/small_json.h"
#include "tracer/pt2/program_file.h"

namespace ersatz {
namespace {

using ::testing::HasSubstr;

/// Returns the smallest program with a second input, given its entries in the graph and in the signature.
Program program_with(const std::string& graph_input, const std::string& spec) {
  SmallJson j;
  j.more_graph_inputs = ", " + graph_input;
  j.more_input_specs = ", " + spec;
  return load_program_bytes(j.text(), "p.json");
}

std::string refusal(const std::string& graph_input, const std::string& spec) {
  try {
    program_with(graph_input, spec);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << e.message;
    return e.message;
  }
  return "not refused";
}

/// Returns the kind of a user input that is no tensor.
ValueKind kind_of(const std::string& argument) {
  const Program p = program_with(argument, R"({"user_input": {"arg": )" + argument + "}}");
  EXPECT_EQ(p.main().inputs.size(), 2u);
  EXPECT_EQ(p.name(p.main().values[p.main().inputs[1].value].name), "n");
  return p.main().values[p.main().inputs[1].value].kind;
}

TEST(Pt2Inputs, MayBeNumbersOfEveryKind) {
  EXPECT_EQ(kind_of(R"({"as_sym_int": {"as_name": "n"}})"), ValueKind::Int);
  EXPECT_EQ(kind_of(R"({"as_sym_float": {"as_name": "n"}})"), ValueKind::Float);
  EXPECT_EQ(kind_of(R"({"as_sym_bool": {"as_name": "n"}})"), ValueKind::Bool);
}

TEST(Pt2Inputs, OfAnUnknownKindAreRefused) {
  EXPECT_THAT(refusal(R"({"as_foo": {"name": "n"}})", R"({"user_input": {}})"),
              HasSubstr("p.json: graph_module.graph.inputs[1]: unknown kind of graph input 'as_foo'"));
}

TEST(Pt2Inputs, UnknownSignatureKindsAreRefused) {
  const std::string sym = R"({"as_sym_int": {"as_name": "n"}})";
  EXPECT_THAT(refusal(sym, R"({"loan": {"arg": {"name": "n"}}})"),
              HasSubstr("p.json: graph_module.signature.input_specs[1]: unknown kind of input 'loan'"));
}

TEST(Pt2Inputs, ThatTheSignatureNamesOtherwiseAreRefused) {
  const std::string sym = R"({"as_sym_int": {"as_name": "n"}})";
  EXPECT_THAT(refusal(sym, R"({"token": {"arg": {"name": "m"}}})"), HasSubstr("names 'm' where the graph has 'n'"));
}

TEST(Pt2Inputs, AreAsManyAsTheSignatureSays) {
  SmallJson j;
  j.more_input_specs = R"(, {"user_input": {}})";
  try {
    load_program_bytes(j.text(), "p.json");
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.message, HasSubstr("signature.input_specs: 2 for 1 graph inputs"));
  }
}

TEST(Pt2Hints, LinearExpressionsExampleGivesItsSymbol) {
  const auto hint_of = [](const std::string& expression, int hint) {
    SmallJson j;
    j.size = R"({"as_expr": {"expr_str": ")" + expression + R"(", "hint": {"as_int": )" + std::to_string(hint) + "}}}";
    return load_program_bytes(j.text(), "p.json").env->find_symbol("s5")->hint;
  };
  EXPECT_EQ(hint_of("s5", 7), 7);
  EXPECT_EQ(hint_of("6*s5 + 2", 14), 2);
  EXPECT_EQ(hint_of("6*s5 + 2", 15), std::nullopt);
  EXPECT_EQ(hint_of("s5**2", 9), std::nullopt);
  EXPECT_EQ(hint_of("12//s5", 3), std::nullopt);
  EXPECT_EQ(hint_of("s5 + 2*s6", 5), std::nullopt);
}

TEST(Pt2Ranges, ASymbolWithoutABoundHasNone) {
  std::string text = SmallJson().text();
  const std::string none = R"("range_constraints": {})";
  text.replace(
      text.find(none), none.size(),
      R"("range_constraints": {"u0": {"min_val": null, "max_val": null}, "u1": {"min_val": 2, "max_val": null}})");
  const Program p = load_program_bytes(text, "p.json");
  EXPECT_EQ(p.env->find_symbol("u0")->min, INT64_MIN);
  EXPECT_EQ(p.env->find_symbol("u0")->max, INT64_MAX);
  EXPECT_EQ(p.env->find_symbol("u1")->min, 2);
}

}  // namespace
}  // namespace ersatz
