// Fills, guard zones, watched inputs and copies on a device whose memory the host cannot read.
#include "fake/watch/guard_zones.h"
#include "fake/watch/host_bytes.h"
#include "fake/watch/input_watch.h"
#include "fake/watch/poison.h"
#include "fake/watch/tensor_copies.h"
#include "tests/device/hidden_device.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HiddenDevice, AnAddressCannotBeFollowedOnTheHost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const Tensor x = on_device(ones_f32({2}));
        fprintf(stderr, "%d", static_cast<int>(x.storage()->data()[0]));
      },
      "");
}

TEST(HostBytes, OfADeviceAreACopy) {
  const Tensor x = on_device(tensor_of<uint8_t>({1, 2, 3, 4}, {4}));
  const HostBytes bytes(*x.storage(), 1, 2);
  EXPECT_EQ(bytes[0], std::byte{2});
  EXPECT_EQ(bytes[1], std::byte{3});
}

TEST(TensorCopies, ShareAsTheOriginalsDo) {
  const Tensor base = tensor_of<float>({1, 2, 3, 4}, {2, 2}), column = make_view(base, meta_of("f32[2]{2}+1"));
  const std::vector<Value> copies =
      on_device({Value(base), Value::list(std::vector<Value>{Value(column), Value(base)})});
  const Tensor first = copies[0].tensor(), second = copies[1].as_list()[0].tensor();
  EXPECT_TRUE(first.shares_storage(second));
  EXPECT_TRUE(first.is(copies[1].as_list()[1].tensor()));
  EXPECT_EQ(to_string(second.meta()), "f32[2]{2}+1@cuda:0");
  EXPECT_EQ(on_host(second).data<float>()[2], 4);
}

TEST(TensorCopies, MoveWhatNamesADeviceToo) {
  const std::vector<Value> args{Value(kCPU), Value(kMeta), Value(2)};
  const std::vector<Value> copies = TensorCopies(cuda()).of(args);
  EXPECT_EQ(copies[0].as_device(), cuda());
  EXPECT_EQ(copies[1].as_device(), kMeta);
  EXPECT_EQ(copies[2].as_int().as_int(), 2);
}

TEST(Poison, OnADeviceFindsWhatNobodyWrote) {
  const Tensor x = make_real_tensor(meta_of("f32[2,3]{4,1}+1@cuda:0"));
  poison_elements(x, Poison::First);
  EXPECT_EQ(poisoned_elements(x, Poison::First).size(), 6u);
  for (int i : {0, 1, 4, 5, 6}) device_data<float>(x)[i] = 1;
  EXPECT_THAT(poisoned_elements(x, Poison::First), ElementsAre(12));
  EXPECT_THAT(still_poisoned(x, {12}, Poison::First), ElementsAre(12));
  EXPECT_THAT(still_poisoned(x, {12}, Poison::Second), IsEmpty());
}

TEST(GuardZones, OnADeviceShowTheNearestDamagedByte) {
  GuardZones zones;
  const Ref<Storage> before = zones.allocate(10, cuda()), behind = zones.allocate(10, cuda()),
                     sound = zones.allocate(64, cuda());
  EXPECT_TRUE(before->device().is_cuda());
  *(device_bytes(before->data()) - 3) = std::byte{0};
  device_bytes(behind->data())[12] = std::byte{0};
  device_bytes(sound->data())[63] = std::byte{0};
  const auto damage = zones.find_damage();
  ASSERT_EQ(damage.size(), 2u);
  EXPECT_EQ(damage[0].byte, -3);
  EXPECT_EQ(damage[1].byte, 12);
}

TEST(InputWatch, SeesUndeclaredWritesAndUndoesDeclaredOnes) {
  const Tensor x = on_device(ones_f32({8})), y = make_view(x, meta_of("f32[2]{4}@cuda:0"));
  InputWatch watch;
  watch.may_write(y.impl());
  watch.watch(y.impl(), 0, true);
  device_data<float>(x)[0] = device_data<float>(x)[4] = 3;
  EXPECT_THAT(watch.find_changes(), IsEmpty());
  device_data<float>(x)[1] = 3;
  ASSERT_EQ(watch.find_changes().size(), 1u);
  watch.restore();
  EXPECT_EQ(device_data<float>(x)[0], 1);
}

TEST(InputWatch, OfLargeStoragesOnADeviceHashesBlocks) {
  const int64_t n = InputWatch::kMostCopied + 100;
  const DimVec sizes{n};
  const Tensor x = make_real_tensor(TensorMeta(DType::U8, sizes, cuda()));
  InputWatch watch;
  watch.watch(x.impl(), 0, true);
  EXPECT_THAT(watch.find_changes(), IsEmpty());
  device_data<uint8_t>(x)[n - 1] ^= 1;
  ASSERT_EQ(watch.find_changes().size(), 1u);
  EXPECT_EQ(watch.find_changes()[0].byte, InputWatch::kMostCopied);
  EXPECT_EQ(watch.find_changes()[0].span, 100);
}

}  // namespace
}  // namespace ersatz
