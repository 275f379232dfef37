#include "tests/ops/op_calls.h"

#include "runtime/tensor/generator.h"

namespace ersatz {
namespace {

Value seeded(uint64_t seed) {
  Ref<Generator> g = make_ref<Generator>();
  g->manual_seed(seed);
  return g;
}

TEST(WithGenerator, DrawsTheSameNumbersFromTheSameState) {
  const auto draw = [](uint64_t seed) {
    return elements(run("aten.randn.generator", {ints({4})}, {{"generator", seeded(seed)}}));
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}
OP_TEST(WithGenerator, HasTheOptionsOfTheFactory) {
  expect(run("aten.rand.generator", {ints({2, 3})}, {{"generator", Value()}, {"dtype", DType::F64}})).meta("f64[2,3]");
  expect(run("aten.randint.low_generator", {-1, 1, ints({2})}, {{"generator", Value()}})).meta("i64[2]");
  expect(run("aten.rand_like.generator", {make("f32[2,3]{1,2}")}, {{"generator", Value()}})).meta("f32[2,3]{1,2}");
}
OP_TEST(WithGenerator, FillsOutInItsLayoutWhereItFits) {
  const Tensor out = make("f32[2,3]{1,2}"), other = make("f64[0]");
  expect(run("aten.randn.generator_out", {ints({2, 3})}, {{"generator", Value()}, {"out", out}}))
      .is(out)
      .meta("f32[2,3]{1,2}");
  expect(run("aten.randint.generator_out", {9, ints({2, 3})}, {{"generator", Value()}, {"out", other}}))
      .is(other)
      .meta("f64[2,3]");
}
}  // namespace
}  // namespace ersatz
