// diff.
#include "kernels/shape/diff.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

TEST(Diff, SubtractsNeighboursAsOftenAsAsked) {
  const Tensor x = tensor_of<float>({1, 4, 9, 16}, {4});
  const Tensor once = ops::diff(x), twice = ops::diff(x, 2), often = ops::diff(x, 9);
  EXPECT_EQ(to_string(once.meta()), "f32[3]{1}+0@cpu");
  EXPECT_EQ(once.data<float>()[2], 7);
  EXPECT_EQ(twice.data<float>()[0], 2);
  EXPECT_EQ(to_string(often.meta()), "f32[0]{1}+0@cpu");
}

TEST(Diff, OfBoolsSaysWhetherTheyDiffer) {
  const Tensor x = ops::diff(tensor_of<bool>({true, true, false}, {3}));
  EXPECT_EQ(x.dtype(), DType::Bool);
  EXPECT_FALSE(x.data<bool>()[0]);
  EXPECT_TRUE(x.data<bool>()[1]);
}

TEST(Diff, JoinsWhatIsPrependedAndAppendedFirst) {
  const Tensor x =
      ops::diff(tensor_of<int64_t>({5}, {1}), 1, 0, tensor_of<int64_t>({1}, {1}), tensor_of<int64_t>({9, 9}, {2}));
  EXPECT_EQ(to_string(x.meta()), "i64[3]{1}+0@cpu");
  EXPECT_EQ(x.data<int64_t>()[0], 4);
  EXPECT_EQ(x.data<int64_t>()[2], 0);
}

TEST(Diff, OfOrderZeroIsACopy) {
  const Tensor x = tensor_of<float>({1, 2}, {2});
  EXPECT_FALSE(ops::diff(x, 0).shares_storage(x));
}

}  // namespace
}  // namespace ersatz
