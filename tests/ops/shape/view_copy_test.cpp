#include "kernels/shape/view_copy.h"

#include "kernels/shape/conjugate.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewCopy, IsRowMajorWhateverTheViewIs) {
  expect(ops::alias_copy(i64({2, 2}, {1, 2, 3, 4}))).meta("i64[2,2]").values({1, 2, 3, 4});
  expect(ops::alias_copy(ramp("f32[2,3]{1,2}"))).meta("f32[2,3]{3,1}").values({0, 1, 2, 3, 4, 5});
  expect(ops::t_copy(ramp("f32[2,3]"))).meta("f32[3,2]{2,1}").values({0, 3, 1, 4, 2, 5});
  expect(ops::expand_copy(ramp("f32[2,1]"), dims({2, 3}))).meta("f32[2,3]{3,1}").values({0, 0, 0, 1, 1, 1});
  expect(ops::slice_copy(ramp("f32[5]"), 0, 1, 5, 2)).meta("f32[2]+0").values({1, 3});
  expect(ops::select_copy(ramp("f32[2,3]"), 1, -1)).meta("f32[2]+0").values({2, 5});
}
OP_TEST(ViewCopy, SharesNoMemory) {
  const Tensor x = ramp("f32[2,3]");
  EXPECT_FALSE(ops::alias_copy(x).shares_storage(x));
  EXPECT_FALSE(ops::lift_fresh_copy(x).shares_storage(x));
}
OP_TEST(ViewCopy, ResolvesAConjugate) {
  const Tensor x = ops::_conj(make_complex("c64[1]", {{1, 2}}));
  expect(ops::alias_copy(x)).meta("c64[1]").complex_values({{1, -2}});
}
OP_TEST(ViewCopy, TakesSizesThatAViewRefuses) {
  expect(ops::view_copy(ramp("f32[2,3]{1,2}"), dims({3, -1}))).meta("f32[3,2]").values({0, 1, 2, 3, 4, 5});
}
OP_TEST(ViewCopy, ReadsTheStorageAsStrided) {
  expect(ops::as_strided_copy(ramp("f32[6]"), dims({2, 2}), dims({3, 1}), 1)).meta("f32[2,2]").values({1, 2, 4, 5});
}
OP_TEST(ViewCopy, CountsNarrowStartsFromTheEnd) {
  expect(ops::narrow_copy(ramp("f32[4,2]"), 0, -1, 1)).meta("f32[1,2]").values({6, 7});
}
OP_TEST(ViewCopy, RefusesInItsOwnName) {
  const Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::permute_copy(x, dims({0})); }, ErrorFamily::Runtime, "permute_copy.C1");
  expect_refused([&] { ops::select_copy(x, 0, 2); }, ErrorFamily::Index, "select_copy.C2");
  expect_refused([&] { ops::narrow_copy(x, 2, 0, 1); }, ErrorFamily::Runtime, "narrow_copy.C5");
  expect_refused([&] { ops::narrow_copy(x, -3, 0, 1); }, ErrorFamily::Index, "narrow_copy.dim");
}

}  // namespace
}  // namespace ersatz
