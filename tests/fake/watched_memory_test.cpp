// Unit tests of fills, guard zones and input hashes (fake/watch).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/watch/guard_zones.h"
#include "fake/watch/input_watch.h"
#include "fake/watch/poison.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int64_t> offsets(const char* meta) {
  std::vector<int64_t> found;
  for_each_element(meta_of(meta), [&](int64_t at) { found.push_back(at); });
  return found;
}

TEST(ForEachElement, GoesInRowMajorOrderThroughAnyStrides) {
  EXPECT_THAT(offsets("f32[2,3]{1,2}+1"), ElementsAre(4, 12, 20, 8, 16, 24));
  EXPECT_THAT(offsets("f64[]+2"), ElementsAre(16));
  EXPECT_THAT(offsets("u8[2,0,3]"), IsEmpty());
  EXPECT_THAT(offsets("u8[2,2]{0,1}"), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(offsets("u8[2,1,2]{5,9,2}"), ElementsAre(0, 2, 5, 7));
}

TEST(Poison, FindsWhatNobodyWroteInEveryDType) {
  for (int d = 0; d < kDTypeCount; ++d) {
    const auto dtype = static_cast<DType>(d);
    const DimVec sizes{3, 100};
    const Tensor t = make_real_tensor(TensorMeta(dtype, sizes));
    poison_elements(t, Poison::First);
    EXPECT_EQ(poisoned_elements(t, Poison::First).size(), 300u) << name(dtype);
    const auto n = static_cast<size_t>(item_size(dtype));
    std::fill_n(t.storage()->data(), 299 * n, std::byte{1});
    EXPECT_THAT(poisoned_elements(t, Poison::First), ElementsAre(static_cast<int64_t>(299 * n))) << name(dtype);
    EXPECT_THAT(poisoned_elements(t, Poison::Second), IsEmpty()) << name(dtype);
  }
}

TEST(Poison, GapsBetweenElementsDoNotCount) {
  const Tensor t = make_real_tensor(meta_of("f32[2,2]{4,2}"));
  poison_elements(t, Poison::First);
  for_each_element(t.meta(), [&](int64_t at) { t.storage()->data()[at] = std::byte{0}; });
  EXPECT_THAT(poisoned_elements(t, Poison::First), IsEmpty());
}

TEST(GuardZones, ShowTheNearestDamagedByteOnEitherSide) {
  GuardZones zones;
  const Ref<Storage> before = zones.allocate(10, kCPU), behind = zones.allocate(10, kCPU),
                     sound = zones.allocate(64, kCPU);
  before->data()[-3] = std::byte{0};
  behind->data()[12] = std::byte{0};
  sound->data()[63] = std::byte{0};
  const auto damage = zones.find_damage();
  ASSERT_EQ(damage.size(), 2u);
  EXPECT_EQ(damage[0].storage, before.get());
  EXPECT_EQ(damage[0].byte, -3);
  EXPECT_EQ(damage[1].byte, 12);
}

TEST(GuardZones, BuffersAreAlignedAsTheAllocatorsOwn) {
  GuardZones zones;
  for (int64_t n : {1, 63, 64, 65, 1000}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(zones.allocate(n, kCPU)->data()) % 64, 0u) << n;
  }
}

TEST(InputWatch, ChangeInGapOfInputIsSeen) {
  const Tensor base = ones_f32({8}), x = make_view(base, meta_of("f32[2]{4}"));
  CopyBuffers buffers;
  InputWatch watch(buffers);
  watch.watch(x.impl(), 0, true);
  EXPECT_THAT(watch.find_changes(), IsEmpty());
  base.data<float>()[7] = 3;
  ASSERT_EQ(watch.find_changes().size(), 1u);
  EXPECT_EQ(watch.find_changes()[0].argument, 0);
}

TEST(InputWatch, ADeclaredWriteCoversItsElementsOnly) {
  const Tensor base = ones_f32({8}), x = make_view(base, meta_of("f32[2]{4}"));
  CopyBuffers buffers;
  InputWatch watch(buffers);
  watch.may_write(x.impl());
  watch.watch(x.impl(), 0, true);
  base.data<float>()[0] = base.data<float>()[4] = 3;
  EXPECT_THAT(watch.find_changes(), IsEmpty());
  base.data<float>()[1] = 3;
  ASSERT_EQ(watch.find_changes().size(), 1u);
  EXPECT_EQ(watch.find_changes()[0].byte, 6);  // the first byte in which 1.0f and 3.0f differ is their third
  watch.restore();
  EXPECT_EQ(base.data<float>()[0], 1.0f);
}

TEST(BytePlace, IsTheElementThatTheByteBelongsTo) {
  EXPECT_EQ(byte_place(meta_of("f32[2,3,4]"), 0, 1), "element [0, 0, 0]");
  EXPECT_EQ(byte_place(meta_of("f32[2,3,4]"), 4 * 6 + 3, 1), "element [0, 1, 2]");
  EXPECT_EQ(byte_place(meta_of("f32[2,3,4]"), 4 * 17, 1), "element [1, 1, 1]");
  EXPECT_EQ(byte_place(meta_of("f32[2,3]{1,2}+5"), 4 * (5 + 3), 1), "element [1, 1]");
  EXPECT_EQ(byte_place(meta_of("u8[]"), 0, 1), "element []");
}

TEST(BytePlace, BesideTheElementsIsTheStorages) {
  EXPECT_EQ(byte_place(meta_of("f32[2]{4}"), 7, 1), "byte 7 of its storage, beside its elements");
  EXPECT_EQ(byte_place(meta_of("f32[2]"), 0, 64), "one of the bytes [0,64) of its storage");
}

TEST(HashBytes, EveryByteAndTheLengthCount) {
  std::vector<std::byte> bytes(100, std::byte{0});
  const uint64_t zero = hash_bytes(bytes.data(), 100);
  EXPECT_NE(hash_bytes(bytes.data(), 99), zero);
  for (size_t i = 0; i < 100; ++i) {
    bytes[i] = std::byte{1};
    EXPECT_NE(hash_bytes(bytes.data(), 100), zero) << i;
    bytes[i] = std::byte{0};
  }
}

}  // namespace
}  // namespace ersatz
