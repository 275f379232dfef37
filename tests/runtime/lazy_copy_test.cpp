// Lazy copies of storages (runtime/tensor/storage.h).
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {
namespace {

Tensor lazy_copy_of(const Tensor& t) { return Tensor(t.meta(), Storage::lazy_copy(t.storage())); }

TEST(LazyCopy, ReadsBytesOfItsSourceAndTakesNone) {
  const Tensor x = tensor_of<float>({1, 2, 3}, {3});
  const int64_t before = host_allocator().figures().live_bytes;
  const Tensor copy = lazy_copy_of(x);
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
  EXPECT_TRUE(copy.storage()->is_lazy_copy());
  EXPECT_EQ(copy.storage()->data(), x.storage()->data());
  EXPECT_EQ(to_string(copy), to_string(x));
}

TEST(LazyCopy, KeepsItsValuesWhenOpWritesSource) {
  const Tensor x = tensor_of<float>({1, 2, 3}, {3});
  const Tensor copy = lazy_copy_of(x);
  call("aten.add_.Scalar", {Value(x), Value(int64_t(1)), Value(int64_t(1))});
  EXPECT_FALSE(copy.storage()->is_lazy_copy());
  EXPECT_EQ(to_string(x), "Tensor(f32[3]@cpu, [2, 3, 4])");
  EXPECT_EQ(to_string(copy), "Tensor(f32[3]@cpu, [1, 2, 3])");
}

TEST(LazyCopy, LeavesTheSourceAloneWhenItIsWritten) {
  const Tensor x = tensor_of<float>({1, 2, 3}, {3});
  const Tensor first = lazy_copy_of(x), second = lazy_copy_of(first);
  call("aten.fill_.Scalar", {Value(first), Value(7.0)});
  EXPECT_EQ(to_string(x), "Tensor(f32[3]@cpu, [1, 2, 3])");
  EXPECT_EQ(to_string(first), "Tensor(f32[3]@cpu, [7, 7, 7])");
  EXPECT_EQ(to_string(second), "Tensor(f32[3]@cpu, [1, 2, 3])");
}

TEST(LazyCopy, IsCopiedWhenWritablePointerIsAskedFor) {
  const Tensor x = tensor_of<float>({1, 2, 3}, {3});
  const Tensor copy = lazy_copy_of(x);
  x.data<float>()[0] = 9;
  EXPECT_EQ(copy.data<float>()[0], 1);
}

TEST(LazyCopy, OutlivesTheLastHandleOfItsSource) {
  Tensor x = tensor_of<float>({1, 2, 3}, {3});
  const Tensor copy = lazy_copy_of(x);
  x = Tensor();
  EXPECT_EQ(to_string(copy), "Tensor(f32[3]@cpu, [1, 2, 3])");
}

TEST(LazyCopy, LeavesNothingBehind) {
  const int64_t before = host_allocator().figures().live_bytes;
  {
    const Tensor x = tensor_of<float>({1, 2, 3}, {3});
    const Tensor a = lazy_copy_of(x), b = lazy_copy_of(a), c = lazy_copy_of(x);
    call("aten.fill_.Scalar", {Value(a), Value(7.0)});
  }
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
}

}  // namespace
}  // namespace ersatz
