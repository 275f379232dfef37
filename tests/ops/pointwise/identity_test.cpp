#include "kernels/pointwise/identity.h"

#include <gtest/gtest.h>

namespace ersatz::identity_test {
namespace {

TEST(Identity, PositiveIsTheTensorItself) {
  Tensor a = tensor_of<float>({1}, {1});
  EXPECT_TRUE(ops::positive(a).is(a));
}

TEST(Identity, BoolsHaveNoSign) {
  try {
    ops::positive(tensor_of<bool>({true}, {1}));
    FAIL() << "positive took a bool";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "positive: bool tensors have no sign: the input is bool[1]@cpu [positive.C1]");
    EXPECT_EQ(e.family, ErrorFamily::NotImplemented);
  }
}

TEST(Identity, ConjPhysicalOfRealTensorIsTensorItself) {
  Tensor a = tensor_of<float>({1}, {1});
  EXPECT_TRUE(ops::conj_physical(a).is(a));
}

TEST(Identity, ConjPhysicalOfComplexNumbersIsNew) {
  Tensor a = tensor_of<std::complex<float>>({{1, 2}}, {1}), b = ops::conj_physical(a);
  EXPECT_FALSE(b.shares_storage(a));
  EXPECT_EQ(b.data<std::complex<float>>()[0], std::complex<float>(1, -2));
}

}  // namespace
}  // namespace ersatz::identity_test
