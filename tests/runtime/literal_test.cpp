// Literals: printed values are parsed back, and bad text is refused.
#include "runtime/op/literal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/sym/sym_expr.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

Value read(std::string_view text, const LiteralOptions& options = {}) {
  size_t position = 0;
  Value v = parse_literal(text, position, options);
  EXPECT_EQ(position, text.size()) << text;
  return v;
}

std::string error_of(std::string_view text, const LiteralOptions& options = {}) {
  try {
    parse_arguments(text, options);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "accepted";
}

TEST(Literal, EveryKindReadsItsSpelling) {
  EXPECT_EQ(read("2"), Value(2));
  EXPECT_EQ(read("-7"), Value(-7));
  EXPECT_EQ(read("9223372036854775807"), Value(int64_t(INT64_MAX)));
  EXPECT_EQ(read("2.0"), Value(2.0));
  EXPECT_EQ(read("1e-05"), Value(1e-05));
  EXPECT_EQ(read("-inf"), Value(-INFINITY));
  EXPECT_TRUE(std::isnan(read("nan").as_double()));
  EXPECT_EQ(read("True"), Value(true));
  EXPECT_EQ(read("None"), Value());
  EXPECT_EQ(read("(1+2j)"), Value(std::complex<double>(1, 2)));
  EXPECT_EQ(read("(-1.5e-3-2j)"), Value(std::complex<double>(-1.5e-3, -2)));
  EXPECT_EQ(read("\"a\\n\\\"b\\x01\""), Value("a\n\"b\x01"));
  EXPECT_EQ(read("bf16"), Value(DType::BF16));
  EXPECT_EQ(read("cuda:1"), Value(cuda(1)));
  EXPECT_EQ(read("strided"), Value(Layout::Strided));
  EXPECT_EQ(read("channels_last"), Value(MemoryFormat::ChannelsLast));
}

TEST(Literal, ListsOfIntegersAreIntLists) {
  EXPECT_EQ(read("[1, -2,3]").kind(), Value::Kind::IntList);
  EXPECT_EQ(read("[]").kind(), Value::Kind::IntList);
  EXPECT_EQ(read("[1, 2.0]").kind(), Value::Kind::List);
  EXPECT_EQ(read("[True, None]").kind(), Value::Kind::List);
  EXPECT_EQ(read("[[1], [2]]").as_list().size(), 2u);
}

TEST(Literal, PrintedValuesReadBackEqual) {
  const Value values[] = {Value(),
                          Value(true),
                          Value(-3),
                          Value(0.1),
                          Value(2.0),
                          Value(-0.0),
                          Value(1e300),
                          Value(5e-324),
                          Value(1e16),
                          Value(INFINITY),
                          Value(NAN),
                          Value(std::complex<double>(0.1, -0.0)),
                          Value(std::complex<double>(-INFINITY, NAN)),
                          Value("tab\there \"quoted\" \\ \x7f é"),
                          Value(DType::C128),
                          Value(cuda(3)),
                          Value(kMeta),
                          Value(MemoryFormat::Preserve),
                          Value(Layout::Strided),
                          Value::int_list(std::array<int64_t, 3>{1, -2, 3}),
                          Value::list(std::array<Value, 3>{Value(1.5), Value(), Value("x")})};
  for (const Value& v : values) EXPECT_EQ(read(to_string(v)), v) << to_string(v);
}

TEST(Literal, SpellsNumbersSoThatTheirKindShows) {
  EXPECT_EQ(to_string(Value(2)), "2");
  EXPECT_EQ(to_string(Value(2.0)), "2.0");
  EXPECT_EQ(to_string(Value(1e-05)), "1e-05");
  EXPECT_EQ(to_string(Value(1e20)), "1e+20");
  EXPECT_EQ(to_string(Value(true)), "True");
  EXPECT_EQ(to_string(Value(std::complex<double>(1, 2))), "(1+2j)");
  EXPECT_EQ(to_string(Value::int_list(std::array<int64_t, 2>{1, 2})), "[1, 2]");
}

TEST(Literal, TensorsAreMadeByTheCallback) {
  LiteralOptions options;
  std::string seen;
  options.tensor = [&](const MetaText& m) {
    seen = to_string(m.meta);
    return Value(7);
  };
  EXPECT_EQ(read("f32[2,3]{1,2}+4@cpu", options), Value(7));
  EXPECT_EQ(seen, "f32[2,3]{1,2}+4@cpu");
  EXPECT_THAT(error_of("f32[2]"), HasSubstr("no tensor here"));
}

TEST(Literal, TensorsOfEveryDTypeAreRead) {
  LiteralOptions options;
  options.tensor = [](const MetaText& t) { return Value(t.meta.dtype); };
  for (const DTypeRow& row : kDTypeRows)
    EXPECT_EQ(read(std::string(row.short_name) + "[2,3]", options).as_dtype(), parse_dtype(row.short_name));
}

TEST(Literal, NamesAreAnsweredByTheCallback) {
  LiteralOptions options;
  options.value = [](std::string_view name) { return Value(name); };
  EXPECT_EQ(read("%relu_1", options), Value("relu_1"));
  EXPECT_THAT(error_of("%x"), HasSubstr("no reference here"));
}

TEST(Literal, SymbolicIntegersNeedAnEnvironment) {
  ShapeEnv env;
  SymInt s0 = env.symbol("s0", 4);
  LiteralOptions options;
  options.env = &env;
  EXPECT_EQ(read("s0", options), Value(s0));
  EXPECT_EQ(read("[s0*2, 3]", options).as_ints()[0].word(), (s0 * 2).word());
  EXPECT_EQ(read("Max(1,s0)", options).as_int().word(), sym_max(1, s0).word());
  EXPECT_THAT(error_of("s0"), HasSubstr("a literal, not 's0'"));
}

TEST(Arguments, PositionalThenKeywords) {
  ParsedArguments a = parse_arguments(" 1, [2], alpha=2.0, name=\"x=1, y\" ", {});
  ASSERT_EQ(a.positional.size(), 2u);
  ASSERT_EQ(a.keywords.size(), 2u);
  EXPECT_EQ(a.keywords[0].first, "alpha");
  EXPECT_EQ(a.keywords[0].second, Value(2.0));
  EXPECT_EQ(a.keywords[1].second, Value("x=1, y"));
  EXPECT_TRUE(parse_arguments("", {}).positional.empty());
}

TEST(Arguments, RefusesWithThePosition) {
  EXPECT_THAT(error_of("1 2"), HasSubstr("expected ',' or the end at position 2 of 3"));
  EXPECT_THAT(error_of("a=1, 2"), HasSubstr("a keyword, as one came before"));
  EXPECT_THAT(error_of("a=1, a=2"), HasSubstr("keyword a once"));
  EXPECT_THAT(error_of("[1, "), HasSubstr("a literal"));
  EXPECT_THAT(error_of("[1"), HasSubstr("',' or ']'"));
  EXPECT_THAT(error_of("1,"), HasSubstr("a literal"));
  EXPECT_THAT(error_of("\"abc"), HasSubstr("a closing quote"));
  EXPECT_THAT(error_of("\"\\q\""), HasSubstr("one of"));
  EXPECT_THAT(error_of("99999999999999999999"), HasSubstr("an integer of 64 bits"));
  EXPECT_THAT(error_of("1e999"), HasSubstr("a literal"));
  EXPECT_THAT(error_of("hello"), HasSubstr("not 'hello'"));
}

TEST(Arguments, RefusalIsOneLineWhateverTheTextHolds) {
  EXPECT_THAT(error_of("alpha=(a\nb)"), HasSubstr("a literal, not '(a?b)'"));
}

TEST(Arguments, BoundsTheItemsOfAList) {
  std::string most = "[0";
  for (int i = 1; i < 1 << 20; ++i) most += ",0";
  EXPECT_EQ(parse_arguments(most + "]", {}).positional[0].as_ints().size(), size_t(1) << 20);
  EXPECT_THAT(error_of(most + ",0]"), HasSubstr("at most 1048576 items"));
}

TEST(Arguments, BoundsNesting) { EXPECT_THAT(error_of(std::string(100000, '[')), HasSubstr("nested at most 16 deep")); }

}  // namespace
}  // namespace ersatz
