#include "kernels/indexing/item.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/clamp.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(ItemValues, KeepsTheKindOfNumber) {
  EXPECT_TRUE(ops::item(make("f16[1,1]", {1.5})) == Scalar(1.5));
  EXPECT_TRUE(ops::item(make("i32[]", {-3})) == Scalar(-3));
  EXPECT_TRUE(ops::item(make("bool[1]", {1})) == Scalar(true));
  EXPECT_TRUE(ops::item(make_complex("c64[1]", {{1, 2}})) == Scalar(std::complex<double>(1, 2)));
}
TEST(ItemValues, IsAnyIntegerOf64Bits) {
  for (const int64_t n : {INT64_MIN, INT64_MIN + 1, INT64_MAX}) {
    EXPECT_EQ(ops::item(tensor_of<int64_t>({n}, {1})).to_int(), n);
    EXPECT_EQ(ops::item(ops::clamp(tensor_of<int64_t>({0}, {1}), n, n)).to_int(), n);
    EXPECT_EQ(ops::item(ops::full(dims({1}), n)).to_int(), n);
  }
}
OP_TEST(Item, OfAFakeIsDataDependent) {
  Tensor x = ramp("f32[1]");
  if (!is_fake_run()) return;
  try {
    ops::item(x);
    ADD_FAILURE() << "a fake has no value to read";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::DataDependentOutput) << e.message;
  }
}

}  // namespace
}  // namespace ersatz
