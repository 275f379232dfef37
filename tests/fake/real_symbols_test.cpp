// Symbols in modes with propagate_real: ops without a rule, and decisions in the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/source_line.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/checked.h"
#include "tests/fake/real_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct RealMode {
  explicit RealMode(FakeOptions options = propagating()) : mode(with(std::move(options), env)) {}
  static FakeMode with(FakeOptions options, const std::shared_ptr<ShapeEnv>& env) {
    options.shape_env = env;
    options.static_shapes = true;
    return FakeMode(options);
  }
  std::shared_ptr<ShapeEnv> env = std::make_shared<ShapeEnv>();
  FakeMode mode;
};

std::string meta_of(const Tensor& t) { return to_string(t.meta()); }

// REAL-13: each size is a symbol with the real size as its value; strides have the order of the real strides.
TEST(RealSymbols, OpWithoutRuleHasSymbolsForSizes) {
  const RealMode m;
  const Tensor x = m.mode.from_tensor(tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}));
  const Tensor y = call_real_op("ruleless", {x});
  EXPECT_EQ(meta_of(y), "f32[u0,u1]{1,Max(1,u0)}+0@cpu") << "an empty dim counts as 1";
  EXPECT_EQ(m.env->real_value(y.size(0)), 2);
  EXPECT_EQ(m.env->real_value(y.size(1)), 3);
  EXPECT_EQ(value_at_hints(y.size(0)), std::nullopt);
  EXPECT_EQ(m.env->provenance("u1")->site.op, "realtest.ruleless.default");
  EXPECT_EQ(values_of(y), std::vector<float>(6, 5));
  const RealReport report = m.mode.real_report();
  ASSERT_EQ(report.missing_rules.size(), 1U);
  EXPECT_EQ(report.missing_rules[0].op, "realtest.ruleless.default");
  EXPECT_EQ(values_of(call("aten.relu.default", {y})[0].tensor()), std::vector<float>(6, 5)) << "what follows runs";
}

// REAL-13
TEST(RealSymbols, UnruledOpsOtherResultsAreRefused) {
  const RealMode m;
  const Tensor x = m.mode.from_tensor(tensor_of<float>({1, 2}, {2}));
  const auto refused = [&](std::string_view op, std::vector<Value> args, std::string_view why) {
    const Error e = error_of([&] { call(real_op(op), args); });
    EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator) << op;
    EXPECT_THAT(e.message, HasSubstr(why));
    EXPECT_THAT(e.suggestion, HasSubstr("give it a rule"));
  };
  refused("ruleless_made", {x, Value("number")}, "it is no tensor: 7");
  refused("ruleless_made", {x, Value("offset")}, "it begins inside its storage: f32[2]{1}+1@cpu");
  refused("ruleless_made", {x, Value("gap")}, "it is not dense: f32[2]{3}+0@cpu");
  refused("view_back", {x}, "it is a view of an argument");
  EXPECT_THAT(m.env->symbols(), IsEmpty());
  EXPECT_EQ(values_of(x), (std::vector<float>{1, 2})) << "nothing is lost";
}

// REAL-15: the report has one entry with a count for equal events of each kind.
TEST(RealSymbols, TheReportListsWhatHadToBeDecided) {
  FakeOptions options = propagating();
  options.collect_mismatches = true;
  const RealMode m(options);
  EXPECT_TRUE(m.mode.real_report().successful());
  EXPECT_EQ(to_string(m.mode.real_report()), "every value was carried\n");
  const Tensor x = m.mode.from_tensor(tensor_of<float>({1, 0, 3}, {3}));
  {
    const SourceLine line("model.py:7: if n > 1");
    const Tensor rows = call("aten.nonzero.default", {x})[0].tensor();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(guard_eq(rows.size(0), 2)) << "as in the real run";
  }
  const SymInt s = m.env->symbol("s0", 4);
  EXPECT_FALSE(guard_gt(s, 6));
  EXPECT_FALSE(guard_gt(s, 6));
  call_real_op("ruleless", {x});
  call_real_op("ruleless", {x});
  const RealReport report = m.mode.real_report();
  EXPECT_FALSE(report.successful());
  ASSERT_EQ(report.data_decisions.size(), 1U);
  EXPECT_EQ(report.data_decisions[0].condition, "u0 == 2");
  EXPECT_EQ(report.data_decisions[0].source, "model.py:7: if n > 1");
  ASSERT_EQ(report.guards.size(), 1U);
  EXPECT_EQ(report.guards[0].condition, "s0 <= 6");
  ASSERT_EQ(report.missing_rules.size(), 1U);
  EXPECT_EQ(report.missing_rules[0].count, 2);
  const std::string text = to_string(report);
  EXPECT_THAT(text, HasSubstr("decided by real values: u0 == 2 at model.py:7: if n > 1\n"));
  EXPECT_THAT(text, HasSubstr("guard: s0 <= 6 (2 times)\n"));
  EXPECT_THAT(text, HasSubstr("no rule: realtest.ruleless.default was answered by its kernel (2 times)"));
}

// REAL-15
TEST(RealSymbols, TheReportListsRulesThatAreWrong) {
  FakeOptions options = propagating();
  options.collect_mismatches = true;
  const RealMode m(options);
  const Tensor x = m.mode.from_tensor(tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}));
  for (int i = 0; i < 2; ++i) call_real_op("wrong", {x, Value("dtype")});
  const RealReport report = m.mode.real_report();
  ASSERT_EQ(report.mismatches.size(), 1U);
  EXPECT_EQ(report.mismatches[0].op, "realtest.wrong.default");
  EXPECT_EQ(report.mismatches[0].count, 2);
  EXPECT_FALSE(report.successful());
  EXPECT_TRUE(report.missing_rules.empty() && report.guards.empty() && report.data_decisions.empty());
}

// SYM-13: a rule that asks for a symbol and puts it into no output is wrong.
TEST(RealSymbols, SymbolThatNoResultHoldsIsError) {
  const RealMode m(FakeOptions{.propagate_real = false});
  const Tensor x = m.mode.make(parse_meta("f32[3]"));
  const Error e = error_of([&] { call_real_op("loses_symbol", {x}); });
  EXPECT_EQ(e.kind, ErrorKind::InternalError);
  EXPECT_THAT(e.message, HasSubstr("realtest.loses_symbol.default: the rule asked for u0, and no output holds it"));
}

// BEY-19: a symbol of a lost value decides no condition, and the error says where the value was lost.
TEST(RealSymbols, OfALostValueNoSymbolDecides) {
  const RealMode m(propagating(/*real_bytes=*/24));
  const Tensor x = m.mode.from_tensor(tensor_of<float>({1, 0, 3}, {3}));
  const Tensor wide = call("aten.repeat.default", {x, Value(DimVec{100})})[0].tensor();
  EXPECT_FALSE(real_value(wide));
  const Tensor rows = call("aten.nonzero.default", {wide})[0].tensor();
  EXPECT_EQ(m.env->real_value(rows.size(0)), std::nullopt);
  EXPECT_EQ(error_of([&] { guard_eq(rows.size(0), 2); }).kind, ErrorKind::GuardOnDataDependent);
  const RealReport report = m.mode.real_report();
  ASSERT_EQ(report.losses.size(), 1U);
  EXPECT_EQ(report.losses[0].op, "aten.repeat.default");
  ASSERT_EQ(report.losses[0].affected.size(), 1U);
  EXPECT_EQ(report.losses[0].affected[0].op, "aten.nonzero.default");
}

}  // namespace
}  // namespace ersatz
