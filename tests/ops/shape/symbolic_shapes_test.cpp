// Rules with symbolic sizes: the symbol `s0` passes through views, and a guard is recorded only for a decision.
#include "kernels/shape/view.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(SymbolicShapes, ExpandCarriesSymbols) {
  ShapeEnv env;
  const SymInt sizes[] = {env.symbol("s0", 8), 3};
  EXPECT_EQ(rule_answer("aten.expand.default", {shape_only("f32[1,3]"), Value(std::span<const SymInt>(sizes))}),
            "f32[s0,3]{0,1}+0@cpu");
  EXPECT_EQ(rule_answer("aten.expand.default", {shape_only("f32[s0,1]", &env), ints({-1, 4})}), "f32[s0,4]{1,0}+0@cpu");
}
TEST(SymbolicShapes, PermuteCarriesSymbols) {
  ShapeEnv env;
  EXPECT_EQ(rule_answer("aten.permute.default", {shape_only("f32[s0,3,4]", &env), ints({1, 2, 0})}),
            "f32[3,4,s0]{4,1,12}+0@cpu");
}
TEST(SymbolicShapes, SliceOfWholeSymbolicDimTakesNoGuard) {
  ShapeEnv env;
  EXPECT_EQ(rule_answer("aten.slice.Tensor", {shape_only("f32[s0,3]", &env), 0, 0, Value(INT64_MAX)}),
            "f32[s0,3]{3,1}+0@cpu");
  EXPECT_TRUE(env.guards().empty());
}
TEST(SymbolicShapes, SliceOfASymbolicDimKeepsTheSymbol) {
  ShapeEnv env;
  env.symbol("s0", 8);
  EXPECT_EQ(rule_answer("aten.slice.Tensor", {shape_only("f32[s0,3]", &env), 0, 1, Value(INT64_MAX)}),
            "f32[s0-1,3]{3,1}+3@cpu");
}
TEST(SymbolicShapes, ViewCarriesASymbolicBatch) {
  ShapeEnv env;
  const SymInt s0 = env.symbol("s0", 8);
  const SymInt sizes[] = {s0, -1};
  EXPECT_EQ(rule_answer("aten.view.default", {shape_only("f32[s0,3,4]", &env), Value(std::span<const SymInt>(sizes))}),
            "f32[s0,12]{12,1}+0@cpu");
  for (const Guard& guard : env.guards()) {
    EXPECT_EQ(guard.text.find('8'), std::string::npos) << guard.text << " pins s0 to its hint";
  }
}
TEST(SymbolicShapes, CatAddsSizes) {
  ShapeEnv env;
  const Value tensors = Value::list(std::vector<Value>{shape_only("f32[s0,3]", &env), shape_only("f32[s0,3]", &env)});
  EXPECT_EQ(rule_answer("aten.cat.default", {tensors}), "f32[2*s0,3]{3,1}+0@cpu");
}
TEST(SymbolicShapes, ZerosCarriesSymbols) {
  ShapeEnv env;
  const SymInt sizes[] = {env.symbol("s0", 8), 3};
  EXPECT_EQ(rule_answer("aten.zeros.default", {Value(std::span<const SymInt>(sizes))}), "f32[s0,3]{3,1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
