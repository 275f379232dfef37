// Large copies between host and device use two pinned buffers, piece by piece.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "runtime/cuda/memory.h"
#include "runtime/cuda/pinned.h"
#include "runtime/cuda/status.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"
#include "tests/cuda/fake_driver.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using testing::ElementsAre;

constexpr int64_t kMiB = int64_t(1) << 20;

/// Returns the logged driver calls that copy or wait. Other calls on events are left out.
std::vector<std::string> steps(const FakeDriver& fake) {
  std::vector<std::string> found;
  for (const std::string& call : fake.log) {
    if (call.starts_with("copy_async") || call == "event_synchronize" || call.starts_with("stream_synchronize")) {
      found.push_back(call);
    }
  }
  return found;
}

/// Returns host memory with the words 1, 2, ... The FakeDriver treats it as device memory if the copy says so.
std::vector<uint32_t> counted(int64_t nbytes) {
  std::vector<uint32_t> words(static_cast<size_t>((nbytes + 3) / 4));
  std::iota(words.begin(), words.end(), 1);
  return words;
}

TEST(CudaStagedCopy, PiecesAreAQuarterWithinBounds) {
  EXPECT_EQ(staged_piece(kMiB), kMiB / 2);
  EXPECT_EQ(staged_piece(4 * kMiB), kMiB);
  EXPECT_EQ(staged_piece(16 * kMiB), 4 * kMiB);
  EXPECT_EQ(staged_piece(int64_t(1) << 40), 4 * kMiB);
}

TEST(CudaStagedCopy, ASmallCopyGoesAsItIs) {
  FakeDriver fake;
  const auto from = counted(kMiB - 1);
  std::vector<uint32_t> to(from.size());
  copy(to.data(), 0, from.data(), -1, kMiB - 1);
  EXPECT_THAT(steps(fake), ElementsAre("copy_async 1048575 on 0", "stream_synchronize 0"));
  EXPECT_EQ(fake.calls("malloc_host"), 0);
}

TEST(CudaStagedCopy, ToDeviceRefillsBufferAfterItsPieceLeft) {
  FakeDriver fake;
  const int64_t n = 17 * kMiB;
  const auto from = counted(n);
  std::vector<uint32_t> to(from.size());
  copy(to.data(), 0, from.data(), -1, n);
  EXPECT_THAT(steps(fake), ElementsAre("copy_async 4194304 on 0", "copy_async 4194304 on 0", "event_synchronize",
                                       "copy_async 4194304 on 0", "event_synchronize", "copy_async 4194304 on 0",
                                       "event_synchronize", "copy_async 1048576 on 0", "stream_synchronize 0"));
  EXPECT_LE(fake.calls("malloc_host"), 3) << "two buffers, and one for the smaller rest";
  EXPECT_EQ(to, from);
  empty_pinned_cache();
}

TEST(CudaStagedCopy, ToHostEmptiesBufferWhileNextFills) {
  FakeDriver fake;
  const int64_t n = 13 * kMiB;
  const auto from = counted(n);
  std::vector<uint32_t> to(from.size());
  copy(to.data(), -1, from.data(), 0, n);
  EXPECT_THAT(steps(fake), ElementsAre("copy_async 4194304 on 0", "copy_async 4194304 on 0", "event_synchronize",
                                       "copy_async 4194304 on 0", "event_synchronize", "copy_async 1048576 on 0",
                                       "event_synchronize", "event_synchronize", "stream_synchronize 0"));
  EXPECT_EQ(to, from);
  empty_pinned_cache();
}

TEST(CudaStagedCopy, OddSizesLoseAndOverwriteNoByte) {
  FakeDriver fake;
  const auto from = counted(13 * kMiB);
  for (int64_t n : {kMiB, kMiB + 1, 2 * kMiB - 1, 2 * kMiB, 4 * kMiB + 3, 8 * kMiB - 7, 12 * kMiB + 5}) {
    const auto size = static_cast<size_t>(n);
    std::vector<uint8_t> there(size + 1, 0xee), back(size + 1, 0xee);
    copy(there.data(), 0, from.data(), -1, n);
    copy(back.data(), -1, there.data(), 0, n);
    EXPECT_EQ(std::memcmp(back.data(), from.data(), size), 0) << n;
    EXPECT_EQ(there[size], 0xee) << n;
    EXPECT_EQ(back[size], 0xee) << n;
  }
  empty_pinned_cache();
}

TEST(CudaStagedCopy, NoMoreThanTwoPiecesArePinned) {
  FakeDriver fake;
  const int64_t n = 64 * kMiB, before = pinned_figures().cached_bytes;
  const auto from = counted(n);
  std::vector<uint32_t> to(from.size());
  copy(to.data(), 0, from.data(), -1, n);
  copy(to.data(), -1, from.data(), 0, n);
  EXPECT_EQ(pinned_figures().live_bytes, 0);
  EXPECT_LE(pinned_figures().cached_bytes - before, 8 * kMiB);
  empty_pinned_cache();
}

TEST(CudaStagedCopy, FailureIsRaisedAndTheNextCopyWorks) {
  const int64_t n = 32 * kMiB;
  for (bool to_host : {false, true}) {
    FakeDriver fake;
    const auto from = counted(n);
    std::vector<uint32_t> to(from.size());
    fake.fail("copy_async", 1, /*after=*/3);
    EXPECT_THROW(copy(to.data(), to_host ? -1 : 0, from.data(), to_host ? 0 : -1, n), Error);
    EXPECT_EQ(fake.calls("copy_async"), 4) << "nothing is queued after it";
    EXPECT_EQ(pinned_figures().live_bytes, 0);
    EXPECT_TRUE(is_usable(0));
    copy(to.data(), to_host ? -1 : 0, from.data(), to_host ? 0 : -1, n);
    EXPECT_EQ(to, from);
    empty_pinned_cache();
  }
}

TEST(CudaStagedCopy, BufferWithUnmarkedUseIsWaitedFor) {
  FakeDriver fake;
  const auto from = counted(kMiB);
  std::vector<uint32_t> to(from.size());
  fake.fail("event_record", 1);
  EXPECT_THROW(copy(to.data(), 0, from.data(), -1, kMiB), Error);
  EXPECT_THAT(steps(fake), ElementsAre("copy_async 524288 on 0", "stream_synchronize 0"));
  empty_pinned_cache();
}

TEST(CudaStagedCopy, PinnedMemoryOfTheHostIsCopiedDirectly) {
  FakeDriver fake;
  const PinnedBuffer from(2 * kMiB), to(2 * kMiB);
  std::vector<uint32_t> there(kMiB / 2);
  copy(there.data(), 0, from.data(), -1, 2 * kMiB);
  copy(to.data(), -1, there.data(), 0, 2 * kMiB);
  EXPECT_THAT(steps(fake), ElementsAre("copy_async 2097152 on 0", "stream_synchronize 0", "copy_async 2097152 on 0",
                                       "stream_synchronize 0"));
}

TEST(CudaStagedCopy, WithoutPinnedMemoryACopyIsNotStaged) {
  FakeDriver fake;
  const auto from = counted(2 * kMiB);
  std::vector<uint32_t> to(from.size());
  fake.fail("malloc_host", kOutOfMemory);
  copy(to.data(), 0, from.data(), -1, 2 * kMiB);
  EXPECT_THAT(steps(fake), ElementsAre("copy_async 2097152 on 0", "stream_synchronize 0"));
  EXPECT_EQ(to, from);
}

TEST(CudaStagedCopy, AsyncCopyToDeviceIsStagedToo) {
  FakeDriver fake;
  const auto from = counted(16 * kMiB);
  std::vector<uint32_t> to(from.size());
  const Event sent = copy_to_device_async(to.data(), from.data(), 16 * kMiB, 0, FakeDriver::stream(3));
  EXPECT_FALSE(sent.has_passed());
  fake.finish(FakeDriver::stream(3));
  EXPECT_TRUE(sent.has_passed());
  EXPECT_EQ(fake.calls("copy_async"), 4);
  EXPECT_EQ(fake.calls("malloc_host"), 2);
  EXPECT_EQ(to, from);
  empty_pinned_cache();
}

/// Runs on this machine's device, or on the emulated one.
TEST(CudaStagedCopy, TensorOfManyPiecesComesBackUnchanged) {
  const int64_t n = 9 * kMiB + 12345;
  const Tensor there = make_real_tensor(TensorMeta(DType::U8, std::vector<SymInt>{n}));
  for (int64_t i = 0; i < n; ++i) there.data<uint8_t>()[i] = static_cast<uint8_t>(i * 31 + (i >> 12));
  const Tensor back = tensor_on(kCPU, tensor_on(cuda(0), there));
  EXPECT_EQ(std::memcmp(back.raw_data(), there.raw_data(), static_cast<size_t>(n)), 0);
}

}  // namespace
}  // namespace ersatz
