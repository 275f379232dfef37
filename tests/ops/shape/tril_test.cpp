#include "kernels/shape/tril.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor ones(std::string_view meta) {
  return make(meta, std::vector<double>(static_cast<size_t>(parse_meta(meta).numel().as_int()), 1));
}

OP_TEST(Tril, KeepsWhatLiesBelowTheDiagonal) {
  expect(ops::tril(ones("f32[3,3]"))).meta("f32[3,3]").values({1, 0, 0, 1, 1, 0, 1, 1, 1});
  expect(ops::tril(ones("i64[2,3]"), 1)).meta("i64[2,3]").values({1, 1, 0, 1, 1, 1});
  expect(ops::tril(ones("bool[3,2]"), -2)).values({0, 0, 0, 0, 1, 0});
}
OP_TEST(Triu, KeepsWhatLiesAboveTheDiagonal) {
  expect(ops::triu(ones("f32[3,3]"))).values({1, 1, 1, 0, 1, 1, 0, 0, 1});
  expect(ops::triu(ones("f32[2,3]"), -5)).values({1, 1, 1, 1, 1, 1});
  expect(ops::triu(ones("f32[2,3]"), 5)).values({0, 0, 0, 0, 0, 0});
}
OP_TEST(Tril, IsRowMajorAndGoesMatrixByMatrix) {
  expect(ops::tril(ramp("f32[2,2,2]{1,4,2}"))).meta("f32[2,2,2]{4,2,1}").values({0, 0, 2, 3, 4, 0, 6, 7});
}
OP_TEST(Tril, WritesInPlaceThroughAnyStrides) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  EXPECT_TRUE(ops::tril_(x).is(x));
  expect(x).meta("f32[2,2]{1,2}").values({0, 0, 2, 3});
}
OP_TEST(Tril, RefusesVectors) {
  const Tensor x = ramp("f32[3]");
  expect_refused([&] { ops::tril(x); }, ErrorFamily::Runtime, "tril.C1");
  expect_refused([&] { ops::triu_(x); }, ErrorFamily::Runtime, "triu_.C1");
}

}  // namespace
}  // namespace ersatz
