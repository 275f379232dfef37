// Symbolic sizes of results of fake ops.
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

TEST(Symbolic, ASymbolPassesThroughAnOp) {
  ShapeEnv env;
  FakeMode mode;
  const Tensor x = mode.make(parse_meta("f32[s0,3]@cpu", &env));
  EXPECT_EQ(to_string(call_test_op("twice", {x}).meta()), "f32[s0,3]{3,1}+0@cpu");
}

/// Returns the metadata of the first result of a call on fakes.
std::string answer(const char* op, std::initializer_list<Value> args) {
  return to_string(call(op, args)[0].tensor().meta());
}
Value ints(std::initializer_list<SymInt> v) { return Value(DimVec(v)); }

TEST(Symbolic, AdditionBroadcastsASymbol) {
  ShapeEnv env;
  FakeMode mode;
  const Tensor x = mode.make(parse_meta("f32[s0,3]@cpu", &env)), y = mode.make(parse_meta("f32[3]@cpu"));
  EXPECT_EQ(answer("aten.add.Tensor", {x, x}), "f32[s0,3]{3,1}+0@cpu");
  EXPECT_EQ(answer("aten.add.Tensor", {x, y}), "f32[s0,3]{3,1}+0@cpu");
}

TEST(Symbolic, ViewsFlattenASymbolIntoAProduct) {
  ShapeEnv env;
  FakeMode mode;
  const SymInt s0 = env.symbol("s0", 5);
  const Tensor x = mode.make(parse_meta("f32[s0,3,4]@cpu", &env));
  EXPECT_EQ(answer("aten.view.default", {x, ints({s0, 12})}), "f32[s0,12]{12,1}+0@cpu");
  EXPECT_EQ(answer("aten.view.default", {x, ints({s0 * 3, 4})}), "f32[3*s0,4]{4,1}+0@cpu");
  EXPECT_EQ(answer("aten.view.default", {x, ints({-1})}), "f32[12*s0]{1}+0@cpu");
}

TEST(Symbolic, MatrixProductKeepsSymbolOfItsRows) {
  ShapeEnv env;
  FakeMode mode;
  const Tensor bias = mode.make(parse_meta("f32[5]@cpu")), x = mode.make(parse_meta("f32[s0,3]@cpu", &env)),
               w = mode.make(parse_meta("f32[3,5]{1,3}@cpu"));
  EXPECT_EQ(answer("aten.addmm.default", {bias, x, w, Value(1), Value(1)}), "f32[s0,5]{5,1}+0@cpu");
}

TEST(Symbolic, AConvolutionCalculatesItsSizesWithTheSymbol) {
  ShapeEnv env;
  FakeMode mode;
  const Tensor x = mode.make(parse_meta("f32[s0,2,8,8]@cpu", &env)), w = mode.make(parse_meta("f32[4,2,3,3]@cpu"));
  EXPECT_EQ(answer("aten.convolution.default",
                   {x, w, Value(), ints({1, 1}), ints({1, 1}), ints({1, 1}), Value(false), ints({0, 0}), Value(1)}),
            "f32[s0,4,8,8]{256,64,8,1}+0@cpu");
}

TEST(Symbolic, AFallbackRefusesSymbolicSizes) {
  ShapeEnv env;
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  const FakeMode mode(options);
  const Tensor x = mode.make(parse_meta("f32[s0]@cpu", &env));
  EXPECT_EQ(error_of([&] { call_test_op("opaque", {x}); }).kind, ErrorKind::UnsupportedOperator);
}

}  // namespace
}  // namespace ersatz
