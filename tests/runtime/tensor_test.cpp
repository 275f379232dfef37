#include "runtime/tensor/tensor.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/tensor/allocator.h"

namespace ersatz {
namespace {

TEST(Storage, IdsAreUniqueAcrossThreads) {
  std::vector<uint64_t> ids(2000);
  auto make = [&](size_t first) {
    for (size_t i = first; i < first + 1000; ++i) ids[i] = Storage::make_fake(1, kCPU)->id();
  };
  std::thread other(make, 1000);
  make(0);
  other.join();
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(Storage, IdsStayUniqueWhenThreadExhaustsItsBlock) {
  std::vector<uint64_t> ids(140'000);  // more than a block of 65,536 ids
  auto make = [&](size_t first) {
    for (size_t i = first; i < first + 70'000; ++i) ids[i] = Storage::make_fake(1, kCPU)->id();
  };
  std::thread one(make, 0), other(make, 70'000);
  one.join();
  other.join();
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(Storage, ResizingKeepsTheCommonBytes) {
  Ref<Storage> s = Storage::allocate(4, kCPU);
  std::memcpy(s->data(), "abcd", 4);
  s->resize(2);
  s->resize(8);
  EXPECT_EQ(s->nbytes().as_int(), 8);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(s->data()), 2), "ab");
}

TEST(Storage, WrappedBytesAreGivenBackOnce) {
  static int given_back = 0;
  char bytes[4];
  Storage::wrap(
      bytes, 4, kCPU, [](void*) { ++given_back; }, nullptr);
  EXPECT_EQ(given_back, 1);
}

TEST(HostAllocator, CountsLiveAndPeakBytesAndAligns) {
  AllocatorFigures before = host_allocator().figures();
  host_allocator().reset_peak();
  {
    Ref<Storage> s = Storage::allocate(1000, kCPU);
    EXPECT_EQ(host_allocator().figures().live_bytes, before.live_bytes + 1000);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(s->data()) % 64, 0u);
  }
  EXPECT_EQ(host_allocator().figures().live_bytes, before.live_bytes);
  EXPECT_EQ(host_allocator().figures().peak_bytes, before.live_bytes + 1000);
}

TEST(HostAllocator, RefusesWhatTheMachineDoesNotHave) {
  try {
    Storage::allocate(int64_t(1) << 60, kCPU);
    FAIL() << "an exbibyte was allocated";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    EXPECT_NE(e.message.find("1152921504606846976 bytes"), std::string::npos) << e.message;
  }
}

TEST(Tensor, ViewsShareStorageAndVersion) {
  Tensor x = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  TensorMeta row(DType::F32, DimVec{2}, DimVec{1}, kCPU, 2);
  Tensor y = make_view(x, row);
  EXPECT_TRUE(y.shares_storage(x));
  EXPECT_EQ(y.data<float>()[0], 3.0f);
  x.storage()->bump_version();
  EXPECT_EQ(y.version(), 1u);
}

TEST(Tensor, PrintsMetadataAndValues) {
  EXPECT_EQ(to_string(tensor_of<float>({1, 2.5, 3, 4}, {2, 2})), "Tensor(f32[2,2]@cpu, [[1, 2.5], [3, 4]])");
  EXPECT_EQ(to_string(tensor_of<bool>({true}, {1})), "Tensor(bool[1]@cpu, [True])");
  EXPECT_EQ(to_string(Tensor()), "Tensor(undefined)");
}

TEST(Tensor, MetaTensorsHaveNoValues) {
  Tensor t = make_real_tensor(TensorMeta(DType::F32, DimVec{2}, kMeta));
  try {
    t.data<float>();
    FAIL() << "a meta tensor gave its data";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::DataDependentOutput);
  }
}

TEST(Tensor, ItemReadsOneElementOfAnyDtype) {
  EXPECT_EQ(tensor_of<int64_t>({9007199254740993}, {}).item_int(), 9007199254740993);
  EXPECT_EQ(tensor_of<bfloat16>({bfloat16(1.5f)}, {1}).item_double(), 1.5);
  EXPECT_THROW(tensor_of<float>({1, 2}, {2}).item_double(), Error);
}

TEST(Tensor, SizeTakesNegativeDimsAndRefusesOthers) {
  Tensor t = make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3}, kMeta));
  EXPECT_EQ(t.size(-1).as_int(), 3);
  try {
    t.size(2);
    FAIL() << "dim 2 of two dims was answered";
  } catch (const Error& e) {
    EXPECT_EQ(e.family, ErrorFamily::Index);
  }
}

TEST(Storage, AllocationLimitRefusesLargerBlocksWhileItLives) {
  {
    AllocationLimit limit(1000);
    EXPECT_NO_THROW(Storage::allocate(1000, kCPU));
    EXPECT_THROW(Storage::allocate(1001, kCPU), Error);
  }
  EXPECT_NO_THROW(Storage::allocate(1001, kCPU));
}

}  // namespace
}  // namespace ersatz
