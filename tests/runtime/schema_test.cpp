// The schema parser and printer.
#include "runtime/op/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::string_view text) {
  try {
    parse_schema(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "accepted";
}

/// Returns the strings behind `"schema": ` in a file whose only escapes are \".
std::vector<std::string> schema_strings(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> found;
  const std::string key = "\"schema\": \"";
  for (std::string line; std::getline(file, line);) {
    size_t at = line.find(key);
    if (at == std::string::npos) continue;
    std::string text;
    for (at += key.size(); at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\') ++at;
      text += line[at];
    }
    found.push_back(text);
  }
  return found;
}

TEST(Schema, EveryAtenSchemaPrintsBackIdentically) {
  std::vector<std::string> schemas = schema_strings(ERSATZ_SOURCE_DIR "/tests/data/schemas.json"), refused;
  ASSERT_EQ(schemas.size(), 3131u);
  for (const std::string& text : schemas) {
    try {
      EXPECT_EQ(to_string(parse_schema(text)), text);
    } catch (const Error& e) {
      EXPECT_THAT(e.message, HasSubstr("expected a type (Tensor, ")) << text;
      refused.push_back(text.substr(0, text.find('(')));
    }
  }
  // Schemas with types that no operator of ersatz has: dictionaries, quantizers, and custom classes.
  EXPECT_THAT(refused,
              ElementsAre("aten::get_gradients", "aten::qscheme", "aten::quantized_gru.data",
                          "aten::quantized_gru.input", "aten::quantized_lstm.data", "aten::quantized_lstm.input"));
}

TEST(Schema, HoldsNamesAndArguments) {
  FunctionSchema s = parse_schema("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  EXPECT_EQ(s.ns, "aten");
  EXPECT_EQ(s.base, "add_");
  EXPECT_EQ(s.overload, "Tensor");
  EXPECT_EQ(s.qualified_name(), "aten.add_.Tensor");
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_TRUE(s.arguments[0].is_write());
  EXPECT_FALSE(s.arguments[1].is_write());
  EXPECT_FALSE(s.arguments[1].keyword_only);
  EXPECT_TRUE(s.arguments[2].keyword_only);
  EXPECT_EQ(*s.arguments[2].default_value, Value(1));
  EXPECT_EQ(s.find_argument("alpha"), 2);
  EXPECT_EQ(s.find_argument("beta"), -1);
  EXPECT_TRUE(s.is_mutable());
}

TEST(Schema, DefaultOverloadIsCalledDefault) {
  EXPECT_EQ(parse_schema("aten::t(Tensor(a) self) -> Tensor(a)").qualified_name(), "aten.t.default");
}

TEST(Schema, AliasAnnotationsAreData) {
  FunctionSchema s =
      parse_schema("ns::f(Tensor(a -> *) x, Tensor(b!)[] y, Tensor(a|b!) z, Tensor(c! -> d) w) -> Tensor(b|a)");
  EXPECT_THAT(s.arguments[0].alias->before, ElementsAre("a"));
  EXPECT_THAT(s.arguments[0].alias->after, ElementsAre("*"));
  EXPECT_TRUE(s.arguments[1].alias->is_write);
  EXPECT_TRUE(s.arguments[1].type.is_list());
  EXPECT_THAT(s.arguments[2].alias->before, ElementsAre("a", "b"));
  EXPECT_TRUE(s.arguments[2].alias->is_write);
  EXPECT_THAT(s.arguments[3].alias->after, ElementsAre("d"));
  EXPECT_THAT(s.returns[0].alias->before, ElementsAre("b", "a"));
  EXPECT_THAT(s.returns[0].alias->after, ElementsAre("b", "a")) << "without an arrow nothing changes";
}

TEST(Schema, TypesWrapFromTheInsideOut) {
  FunctionSchema s = parse_schema("ns::f(Tensor?[] a, int[2]? b, float[] c, Tensor? d, SymInt e) -> ()");
  auto type = [&](size_t i) -> const SchemaType& { return s.arguments[i].type; };
  EXPECT_TRUE(type(0).is_list() && type(0).element_optional() && !type(0).is_optional());
  EXPECT_TRUE(type(1).is_list() && type(1).is_optional() && !type(1).element_optional());
  EXPECT_EQ(type(1).fixed_size(), 2);
  EXPECT_EQ(type(2).fixed_size(), -1);
  EXPECT_TRUE(type(3).is_optional() && !type(3).is_list());
  EXPECT_EQ(type(4).base, BaseType::SymInt);
  EXPECT_EQ(to_string(type(1)), "int[2]?");
}

TEST(Schema, StringsBackslashTakesQuoteAsItIs) {
  const FunctionSchema s = parse_schema(R"(ns::f(str a="\"\'\\") -> ())");
  EXPECT_EQ(*s.arguments[0].default_value, Value(R"("'\)"));
  EXPECT_EQ(to_string(s), R"(ns::f(str a="\"\'\\") -> ())");
}

TEST(Schema, DefaultsAreConvertedToTheirType) {
  FunctionSchema s = parse_schema(
      "ns::f(float a=1, int[2] b=1, ScalarType? c=4, MemoryFormat d=contiguous_format, int e=Mean, str f=\"none\", "
      "float g=1e-05, int[1] h=[], MemoryFormat i=2, Layout j=strided, bool[3] k=[True, False, True]) -> ()");
  const Value expected[] = {Value(1.0),
                            Value::int_list(std::array<int64_t, 2>{1, 1}),
                            Value(DType::I64),
                            Value(MemoryFormat::Contiguous),
                            Value(1),
                            Value("none"),
                            Value(1e-05),
                            Value::int_list({}),
                            Value(MemoryFormat::ChannelsLast),
                            Value(Layout::Strided),
                            Value::list(std::array<Value, 3>{Value(true), Value(false), Value(true)})};
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(*s.arguments[i].default_value, expected[i]) << s.arguments[i].name;
  }
  EXPECT_EQ(s.arguments[6].default_text, "1e-05");
}

TEST(Schema, RoundTripsWhatAtenDoesNotUse) {
  for (const char* text : {"ns::f() -> ()", "ns::f(Tensor x) -> (Tensor)", "ns::f(Tensor x) -> (Tensor out)",
                           "a::_b.C_d(*, Tensor? x=None) -> Tensor[] y", "ns::f(str s='x') -> SymBool",
                           "ns::f(float x=-inf, int y=-100) -> int[]"}) {
    EXPECT_EQ(to_string(parse_schema(text)), text);
  }
}

TEST(Schema, RefusesWithThePosition) {
  EXPECT_EQ(error_of("aten::relu(Tensor self -> Tensor"),
            "schema: expected ')' at position 23 of 32, near 'aten::relu(Tensor self -> Tensor'");
  EXPECT_THAT(error_of("relu(Tensor self) -> Tensor"), HasSubstr("expected '::' and the op's name at position 4"));
  EXPECT_THAT(error_of("a::f(tensor x) -> ()"), HasSubstr("not 'tensor' at position 5"));
  EXPECT_THAT(error_of("a::f(Tensor x, int x) -> ()"), HasSubstr("another name than 'x'"));
  EXPECT_THAT(error_of("a::f(int x=1.5) -> ()"), HasSubstr("a default of type int, not 1.5"));
  EXPECT_THAT(error_of("a::f(int x=maybe) -> ()"), HasSubstr("not 'maybe'"));
  EXPECT_THAT(error_of("a::f(*, *, int x) -> ()"), HasSubstr("one '*' only"));
  EXPECT_THAT(error_of("a::f(Tensor x, *) -> ()"), HasSubstr("an argument behind '*'"));
  EXPECT_THAT(error_of("a::f(Tensor x) -> Tensor y z"), HasSubstr("nothing more"));
  EXPECT_THAT(error_of("a::f(str s=\"x) -> ()"), HasSubstr("a closing quote"));
  EXPECT_THAT(error_of(""), HasSubstr("a namespace at position 0"));
}

TEST(Schema, RefusalIsOneLineWhateverTheTextHolds) {
  EXPECT_THAT(error_of("a::f(int x='a\nb') -> ()"), HasSubstr("a default of type int, not 'a?b'"));
}

TEST(Schema, RefusesWhatIsTooBig) {
  EXPECT_THAT(error_of("a::f(int[99999999999] x) -> ()"), HasSubstr("a list size up to 4096"));
  EXPECT_THAT(error_of("a::f(Tensor" + std::string(1000, '?') + " x) -> ()"), HasSubstr("at most 8"));
  EXPECT_THAT(error_of(std::string(100000, 'a')), HasSubstr("at most 65536 characters"));
  EXPECT_THAT(error_of("a::f(int x=" + std::string(1000, '[')), HasSubstr("not nested"));
  EXPECT_THAT(error_of("a::f(int x=99999999999999999999) -> ()"), HasSubstr("a default"));
  std::string many = "a::f(";
  for (int i = 0; i < 300; ++i) many += fmt::format("{}int x{}", i ? ", " : "", i);
  EXPECT_THAT(error_of(many + ") -> ()"), HasSubstr("at most 256 arguments"));
}

TEST(CanonicalOpName, TakesEverySpelling) {
  EXPECT_EQ(canonical_op_name("aten::add.Tensor"), "aten.add.Tensor");
  EXPECT_EQ(canonical_op_name("torch.ops.aten.add.Tensor"), "aten.add.Tensor");
  EXPECT_EQ(canonical_op_name("aten.add.Tensor"), "aten.add.Tensor");
  EXPECT_EQ(canonical_op_name("aten.t"), "aten.t.default");
  EXPECT_EQ(canonical_op_name("aten::t"), "aten.t.default");
  EXPECT_EQ(canonical_op_name("torch.ops.demo.mix"), "demo.mix.default");
  EXPECT_EQ(canonical_op_name("t.default"), "t.default");
  EXPECT_EQ(canonical_op_name("add.Tensor"), "add.Tensor");
  EXPECT_EQ(canonical_op_name("add"), "add");
}

}  // namespace
}  // namespace ersatz
