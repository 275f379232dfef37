// Literals in a fake scope.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "kernels/creation/empty.h"
#include "kernels/creation/tensor.h"
#include "kernels/indexing/item.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

std::string fake_meta(const Tensor& t) {
  return t.is_fake() ? to_string(t.meta(), MetaStyle::People) : "not fake: " + to_string(t.meta());
}

// TENSOR-07
TEST(FakeLiteral, ListsAndBuffersBecomeFakes) {
  FakeScope scope{FakeMode()};
  EXPECT_EQ(fake_meta(ops::tensor({1, 2, 3})), "i64[3]@cpu");
  const SymInt four[] = {4, 4};
  Tensor x;
  {
    const std::vector<double> buffer(16, 1.5);
    x = ops::tensor(buffer.data(), DType::F64, four);
  }
  EXPECT_EQ(fake_meta(x), "f64[4,4]@cpu");
}
// TENSOR-08
TEST(FakeLiteral, NewLikeThisTakesTheDeviceOfThis) {
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor a = mode.make(meta_of("f32[16,1]")), b = mode.make(meta_of("f32[16,1]@cuda:0"));
  const SymInt ten[] = {10, 10}, none[] = {0};
  EXPECT_EQ(fake_meta(ops::new_empty(a, ten)), "f32[10,10]@cpu");
  EXPECT_EQ(fake_meta(ops::new_tensor(a, {1, 2, 3, 4})), "f32[4]@cpu");
  EXPECT_EQ(fake_meta(ops::new_tensor(b, {1, 2, 3, 4})), "f32[4]@cuda:0");
  EXPECT_EQ(fake_meta(ops::new_empty(b, none)), "f32[0]@cuda:0");
  EXPECT_EQ(fake_meta(ops::clone(mode.make(meta_of("f32[1]")))), "f32[1]@cpu");
}
// MODE-19
TEST(FakeLiteral, CudaLiteralIsFakeInsideTheScopeOnly) {
  {
    FakeScope scope{FakeMode()};
    EXPECT_EQ(fake_meta(ops::tensor(3.14, {{}, Device{DeviceType::CUDA, -1}})), "f32[]@cuda:0");
  }
  EXPECT_FALSE(ops::tensor(3.14).is_fake());
}
// CONST-13
TEST(FakeLiteral, MovedToCudaItsValueIsNotKnown) {
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor x = ops::tensor(3);
  EXPECT_EQ(ops::item(x), Scalar(3));
  const Tensor y = ops::to(x, cuda(0));
  EXPECT_EQ(fake_meta(y), "i64[]@cuda:0");
  EXPECT_FALSE(known_value(y));
  EXPECT_EQ(error_of([&] { ops::item(y); }).kind, ErrorKind::DataDependentOutput);
}
TEST(FakeLiteral, OfManyElementsHasNoKnownValue) {
  FakeScope scope{FakeMode()};
  EXPECT_FALSE(known_value(ops::tensor({1, 2})));
  EXPECT_TRUE(known_value(ops::tensor({7})));
}

}  // namespace
}  // namespace ersatz
