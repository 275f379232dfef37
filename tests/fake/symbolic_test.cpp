// Symbols carried through fake ops.
#include <gtest/gtest.h>

#include "fake/fake_mode.h"
#include "runtime/meta_text.h"
#include "runtime/sym_expr.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

TEST(Symbolic, ASymbolPassesThroughAnOp) {
  ShapeEnv env;
  FakeMode mode;
  const Tensor x = mode.make(parse_meta("f32[s0,3]@cpu", &env));
  EXPECT_EQ(to_string(call_test_op("twice", {x}).meta()), "f32[s0,3]{3,1}+0@cpu");
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
