// The pool's bookkeeping, tested with a FakeDriver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "fake/mode/fake_mode.h"
#include "runtime/base/error.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/pool.h"
#include "runtime/cuda/stream.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/meta_text.h"
#include "runtime/tensor/tensor.h"
#include "tests/cuda/device_samples.h"
#include "tests/cuda/fake_driver.h"

namespace ersatz {
namespace {

using cuda_module::Pool;
using cuda_module::pool_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kMiB = int64_t(1) << 20;
const cuda_module::StreamHandle s1 = FakeDriver::stream(1), s2 = FakeDriver::stream(2), s3 = FakeDriver::stream(3);

std::string message_of(const std::function<void()>& f, ErrorKind kind) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(name(e.kind), name(kind));
    return e.message;
  }
  return "nothing was raised";
}

TEST(CudaPool, FreedBlockIsReusedWithoutADriverCall) {
  FakeDriver fake;
  Pool pool(0);
  void* first = pool.allocate(1000, s1);
  pool.free(first, s1);
  const int calls = fake.calls();
  EXPECT_EQ(pool.allocate(1024, s1), first);
  EXPECT_EQ(fake.calls(), calls);
}

TEST(CudaPool, AFreedBlockDoesNotServeAnotherStream) {
  FakeDriver fake;
  Pool pool(0);
  void* first = pool.allocate(1000, s1);
  pool.free(first, s1);
  EXPECT_NE(pool.allocate(1000, s2), first);
  EXPECT_EQ(fake.calls("malloc_async"), 2);
}

TEST(CudaPool, RoundsTo512BytesThenTo2MiB) {
  FakeDriver fake;
  Pool pool(0);
  for (int64_t n : {int64_t(1), int64_t(513), 16 * kMiB - 1, 16 * kMiB + 1}) pool.allocate(n, s1);
  EXPECT_THAT(fake.log, ElementsAre("keep_pool_memory 0", "malloc_async 512 on 1", "malloc_async 1024 on 1",
                                    "malloc_async 16777216 on 1", "malloc_async 18874368 on 1"));
}

TEST(CudaPool, BlockIsAtMostAnEighthTooLarge) {
  FakeDriver fake;
  Pool pool(0);
  void* block = pool.allocate(9 * 512, s1);
  pool.free(block, s1);
  EXPECT_EQ(pool.allocate(8 * 512, s1), block);
  pool.free(block, s1);
  EXPECT_NE(pool.allocate(7 * 512, s1), block);
}

TEST(CudaPool, SharedBlockIsReusedAfterBothStreams) {
  FakeDriver fake;
  Pool pool(0);
  void* block = pool.allocate(512, s1);
  pool.record_stream(block, s2);
  pool.record_stream(block, s3);
  pool.record_stream(block, s1);
  pool.free(block, s1);
  EXPECT_EQ(fake.calls("event_record"), 2);
  EXPECT_NE(pool.allocate(512, s1), block);
  fake.finish(s2);
  EXPECT_NE(pool.allocate(512, s1), block);
  fake.finish(s3);
  EXPECT_EQ(pool.allocate(512, s1), block);
  EXPECT_EQ(fake.calls("stream_synchronize") + fake.calls("event_synchronize"), 0);
}

TEST(CudaPool, FreeOnAnotherStreamCountsAsAUse) {
  FakeDriver fake;
  Pool pool(0);
  void* block = pool.allocate(512, s1);
  pool.free(block, s2);
  EXPECT_EQ(fake.log.back(), "event_record on 2");
  EXPECT_NE(pool.allocate(512, s1), block);
  fake.finish(s2);
  EXPECT_EQ(pool.allocate(512, s1), block);
}

TEST(CudaPool, EventsAreUsedAgain) {
  FakeDriver fake;
  Pool pool(0);
  for (int i = 0; i < 5; ++i) {
    pool.free(pool.allocate(512, s1), s2);
    fake.finish(s2);
  }
  EXPECT_EQ(fake.calls("event_create"), 1);
}

TEST(CudaPool, CountsLivePeakCachedAndReservedBytes) {
  FakeDriver fake;
  Pool pool(0);
  void* a = pool.allocate(100, s1);
  void* b = pool.allocate(1000, s1);
  pool.free(a, s1);
  cuda_module::PoolFigures f = pool.figures();
  EXPECT_EQ(f.live_bytes, 1024);
  EXPECT_EQ(f.peak_bytes, 1536);
  EXPECT_EQ(f.cached_bytes, 512);
  EXPECT_EQ(f.reserved_bytes, 1536);
  EXPECT_EQ(f.allocations, 2);
  EXPECT_EQ(f.driver_calls, 3);
  pool.reset_peak();
  EXPECT_EQ(pool.figures().peak_bytes, 1024);
  pool.free(b, s1);
  EXPECT_EQ(pool.figures().live_bytes, 0);
}

TEST(CudaPool, EmptyCacheFreesNeitherLiveNorWaitingBlocks) {
  FakeDriver fake;
  Pool pool(0);
  pool.allocate(512, s1);
  pool.free(pool.allocate(1024, s1), s1);
  pool.free(pool.allocate(2048, s1), s2);
  pool.empty_cache();
  EXPECT_EQ(fake.used(), 512 + 2048);
  EXPECT_EQ(pool.figures().cached_bytes, 2048);
  fake.finish(s2);
  pool.empty_cache();
  EXPECT_EQ(fake.used(), 512);
  EXPECT_EQ(fake.log.back(), "trim_pool 0");
}

TEST(CudaPool, OutOfMemoryTrimsOnceAndTriesAgain) {
  FakeDriver fake;
  fake.limit = 10240;
  Pool pool(0);
  pool.free(pool.allocate(4096, s1), s1);
  pool.free(pool.allocate(4096, s2), s3);  // free() waits for stream 3
  EXPECT_TRUE(pool.allocate(8192, s1));
  EXPECT_EQ(fake.calls("malloc_async"), 4);
  EXPECT_EQ(fake.calls("trim_pool"), 1);
  EXPECT_EQ(pool.figures().reserved_bytes, 8192);
}

TEST(CudaPool, OutOfMemoryIsOneLineWithFigures) {
  FakeDriver fake;
  fake.limit = 10240;
  Pool pool(1);
  pool.allocate(4000, s1);
  EXPECT_EQ(message_of([&] { pool.allocate(3221225472, s1); }, ErrorKind::InvalidArgument),
            "cuda:1: out of memory: 3221225472 bytes asked, 6144 free of 10240, 4096 live and 0 cached by ersatz");
  EXPECT_TRUE(pool.allocate(4000, s1)) << "and the pool goes on";
}

TEST(CudaPool, RequestBeyondTheDeviceReachesNoDriver) {
  FakeDriver fake;
  fake.limit = int64_t(1) << 32;
  Pool pool(0);
  EXPECT_THAT(message_of([&] { pool.allocate(fake.limit + 1, s1); }, ErrorKind::InvalidArgument),
              HasSubstr("out of memory"));
  EXPECT_EQ(fake.calls("malloc_async"), 0);
  EXPECT_TRUE(pool.allocate(fake.limit - (int64_t(1) << 21), s1));
}

TEST(CudaPool, RequestThatFailsLeavesDriverNothingToKeep) {
  FakeDriver fake;
  fake.limit = int64_t(1) << 32;
  Pool pool(0);
  pool.allocate(4096, s1);
  EXPECT_THAT(message_of([&] { pool.allocate(fake.limit, s1); }, ErrorKind::InvalidArgument),
              HasSubstr("out of memory"));
  EXPECT_EQ(fake.calls("malloc_async"), 3);
  EXPECT_EQ(fake.calls("trim_pool"), 2);
}

TEST(CudaPool, ImpossibleRequestIsRefusedWithoutOverflow) {
  FakeDriver fake;
  Pool pool(0);
  EXPECT_THAT(message_of([&] { pool.allocate(INT64_MAX, s1); }, ErrorKind::InvalidArgument),
              HasSubstr("out of memory"));
}

TEST(CudaPool, ADoubleFreeIsAnInternalError) {
  FakeDriver fake;
  Pool pool(0);
  void* block = pool.allocate(512, s1);
  pool.free(block, s1);
  EXPECT_THAT(message_of([&] { pool.free(block, s1); }, ErrorKind::InternalError), HasSubstr("free already"));
  int other;
  EXPECT_THAT(message_of([&] { pool.free(&other, s1); }, ErrorKind::InternalError),
              HasSubstr("no block of this device"));
  EXPECT_THAT(message_of([&] { pool.record_stream(block, s2); }, ErrorKind::InternalError), HasSubstr("free already"));
}

TEST(CudaPool, BlocksOfStreamThatEndedAreDefaultStreams) {
  FakeDriver fake;
  Pool pool(0);
  void* cached = pool.allocate(512, s1);
  void* live = pool.allocate(1024, s1);
  void* used = pool.allocate(2048, s2);
  pool.record_stream(used, s1);
  pool.free(cached, s1);
  pool.stream_ended(s1);
  EXPECT_EQ(pool.allocate(512, nullptr), cached);
  pool.free(live, nullptr);
  pool.free(used, s2);
  EXPECT_EQ(fake.calls("event_record"), 0);
  EXPECT_EQ(pool.allocate(1024, nullptr), live);
  EXPECT_EQ(pool.allocate(2048, s2), used);
}

TEST(CudaPool, KeepsNothingWhenToldSo) {
  setenv("ERSATZ_CUDA_CACHE", "0", 1);
  FakeDriver fake;
  Pool pool(0);
  unsetenv("ERSATZ_CUDA_CACHE");
  pool.free(pool.allocate(100, s1), s1);
  pool.free(pool.allocate(100, s1), s2);
  EXPECT_THAT(fake.log, ElementsAre("keep_pool_memory 0", "malloc_async 100 on 1", "free_async on 1",
                                    "malloc_async 100 on 1", "event_create", "event_record on 2"));
  fake.finish(s2);
  pool.allocate(100, s1);
  EXPECT_EQ(fake.used(), 100);
}

TEST(CudaPool, ThreadsShareIt) {
  FakeDriver fake;
  fake.limit = 64 * kMiB;
  Pool pool(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto mine = FakeDriver::stream(1 + t), other = FakeDriver::stream(1 + (t + 1) % 4);
      std::vector<void*> held;
      for (int i = 0; i < 2000; ++i) {
        held.push_back(pool.allocate(512 * (1 + (i * 7 + t) % 20), mine));
        if (i % 5 == 0) pool.record_stream(held.back(), other);
        if (held.size() > 8) {
          pool.free(held.front(), i % 3 ? mine : other);
          held.erase(held.begin());
        }
        if (i % 50 == 0) fake.finish(other);
      }
      for (void* p : held) pool.free(p, mine);
    });
  }
  for (auto& t : threads) t.join();
  for (int s = 1; s <= 4; ++s) fake.finish(FakeDriver::stream(s));
  EXPECT_EQ(pool.figures().live_bytes, 0);
  EXPECT_EQ(pool.figures().reserved_bytes, fake.used());
  pool.empty_cache();
  EXPECT_EQ(fake.used(), 0);
}

TEST(CudaPool, BlocksOfAnEndedThreadServeOtherThreads) {
  FakeDriver fake;
  void* block = nullptr;
  std::thread([&] {
    cuda_module::allocate(&block, 512, 0);
    cuda_module::deallocate(block, 0);
  }).join();
  void* again = nullptr;
  cuda_module::allocate(&again, 512, 0);
  EXPECT_EQ(again, block);
  EXPECT_EQ(fake.used(), 512);
}

TEST(CudaPool, DeviceIsUntouchedBeforeItsFirstAllocation) {
  FakeDriver fake;
  pool_of(1).figures();
  pool_of(1).reset_peak();
  EXPECT_EQ(fake.calls(), 0);
  void* block = nullptr;
  cuda_module::allocate(&block, 512, 1);
  EXPECT_THAT(fake.log, ElementsAre("keep_pool_memory 1", "malloc_async 512 on 0"));
}

TEST(CudaPool, FakeTensorsOfCudaAskNoDriver) {
  FakeDriver fake;
  FakeMode mode;
  const Tensor x = mode.make(parse_meta("f32[4,4]{4,1}+0@cuda:0"));
  const Tensor y = call("aten.add.Tensor", {Value(x), Value(x)})[0].tensor();
  EXPECT_EQ(to_string(y.meta()), "f32[4,4]{4,1}+0@cuda:0");
  EXPECT_EQ(fake.calls(), 0);
}

TEST(CudaPool, ATensorsBytesCountUntilItDies) {
  const CudaMemory before = cuda_memory(cuda(0));
  {
    const Tensor x = tensor_on(cuda(0), make_real_tensor(TensorMeta(DType::F32, std::vector<SymInt>{100})));
    EXPECT_EQ(cuda_memory(cuda(0)).live_bytes, before.live_bytes + 512);
  }
  EXPECT_EQ(cuda_memory(cuda(0)).live_bytes, before.live_bytes);
}

TEST(CudaPool, FullDeviceRaisesAndGoesOn) {
  const int64_t most = [] {
    CudaDevice device;
    check_cuda(cuda_functions().device(0, &device), cuda(0), "description", 0);
    return device.total_bytes;
  }();
  const std::string message =
      message_of([&] { Storage::allocate(most + (most >> 2), cuda(0)); }, ErrorKind::InvalidArgument);
  EXPECT_THAT(message, HasSubstr("cuda:0: out of memory: " + std::to_string(most + (most >> 2)) + " bytes asked"));
  EXPECT_TRUE(Storage::allocate(1024, cuda(0))->data());
}

}  // namespace
}  // namespace ersatz
