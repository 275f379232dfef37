// Faults that the emulated device detects: the host reads device memory, a kernel uses host addresses, or work on two
// streams is unordered. Each ends the process with one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "runtime/cuda/event.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/pinned.h"
#include "runtime/cuda/pool.h"
#include "tests/cuda/device_array.h"
#include "tests/emulated_cuda/arena.h"
#include "tests/emulated_cuda/fault.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz {

using namespace cuda_module;

/// A functor of a launch; the line of a fault names it.
struct AddOne {
  int* to;
  ERSATZ_DEVICE void operator()(int64_t i) const { ++to[i]; }
};
struct CopyInts {
  const int* from;
  int* to;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = from[i]; }
};

namespace {

/// Tests of unordered work on two streams. A child process runs each, because it may leave the device in any state.
class EmulatedFault : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using EmulatedMemory = EmulatedFault;
using EmulatedFunctor = EmulatedFault;
using EmulatedStreams = EmulatedFault;

TEST_F(EmulatedMemory, ReadByHostIsNamedWithItsBlock) {
  const DeviceArray<int> block(16);
  const volatile int* data = block.data();
  EXPECT_DEATH((void)data[3], "the host reads 0x[0-9a-f]+, byte 12 of the device's block of 64 bytes at 0x");
}

TEST_F(EmulatedMemory, WriteByHostIsNamedWithItsBlock) {
  const DeviceArray<int> block(16);
  volatile int* data = block.data();
  EXPECT_DEATH(data[15] = 1, "the host writes 0x[0-9a-f]+, byte 60 of the device's block of 64 bytes");
}

TEST_F(EmulatedMemory, IsClosedAgainAfterLaunchAndCopy) {
  const DeviceArray<int> block(16);
  launch_each(0, 16, AddOne{block.data()});
  EXPECT_EQ(block.values(), std::vector<int>(16, 1));
  const volatile int* data = block.data();
  EXPECT_DEATH((void)data[0], "the host reads");
}

TEST_F(EmulatedMemory, AnAccessBehindEveryBlockIsNoBlocks) {
  const DeviceArray<int> block(16);
  const volatile int* data = block.data();
  EXPECT_DEATH((void)data[size_t(1) << 28],
               "device memory that is no block's, [0-9]+ bytes behind the end of the block");
}

TEST_F(EmulatedMemory, FaultsElsewhereGoToWhoWatchedBefore) {
  EXPECT_DEATH(
      {
        std::signal(SIGSEGV, [](int) { _exit(3 + (write(2, "seen before", 11) < 0)); });
        emulated::Arena reserved(4096);
        emulated::watch_faults();
        std::raise(SIGSEGV);
      },
      "seen before");
}

TEST_F(EmulatedMemory, PinnedMemoryIsBothSides) {
  PinnedBuffer pinned(64);
  auto* ints = reinterpret_cast<int*>(pinned.data());
  ints[3] = 41;
  launch_each(0, 4, AddOne{ints});
  EXPECT_EQ(ints[3], 42);
}

TEST_F(EmulatedMemory, BlockFreedGivesItsPlaceToNext) {
  const auto reserve = [] { return DeviceArray<char>(size_t(8) << 20).data(); };
  const DeviceArray<char> other(1);
  const auto settle = [&] { static_cast<void>(other.values()); };  // new work makes freed memory available
  settle();
  const void* first = reserve();
  settle();
  EXPECT_EQ(reserve(), first);
}

TEST_F(EmulatedMemory, WritePastABlockNamesItsKernel) {
  const DeviceArray<int> block(15);
  EXPECT_DEATH(launch_each(0, 16, AddOne{block.data()}), "ersatz::AddOne wrote outside the block of 60 bytes");
}

/// A kernel that reads a pointer from device memory. The launch checks the address of that pointer, but not the pointer
/// itself.
struct AddOneBehind {
  int** to;
  ERSATZ_DEVICE void operator()(int64_t i) const { ++(*to)[i]; }
};

TEST_F(EmulatedMemory, WritePastUngivenBlockIsSeenAfterFree) {
  EXPECT_DEATH(
      {
        {
          const DeviceArray<int> block(15);
          const DeviceArray<int*> table(std::vector<int*>{block.data()});
          launch_each(0, 16, AddOneBehind{table.data()});
        }
        const DeviceArray<int> next(1);
      },
      "a kernel wrote outside its block of 60 bytes");
}

TEST_F(EmulatedFunctor, HeapAddressInAFunctorIsNamed) {
  std::vector<int> host(16);
  EXPECT_DEATH(launch_each(0, 16, AddOne{host.data()}),
               "ersatz::AddOne holds the host's address 0x[0-9a-f]+ in its bytes from 0: a GPU cannot reach it");
}

TEST_F(EmulatedFunctor, StackOrTableAddressInFunctorIsNamed) {
  static int table[4] = {};
  int local[4] = {};
  EXPECT_DEATH(launch_each(0, 4, AddOne{table}), "holds the host's address");
  EXPECT_DEATH(launch_each(0, 4, AddOne{local}), "holds the host's address");
}

TEST_F(EmulatedFunctor, LongFreedAddressInAFunctorIsNamed) {
  int* gone;
  {
    const DeviceArray<int> block(16);
    gone = block.data();
  }
  EXPECT_DEATH(launch_each(0, 16, AddOne{gone}),
               "ersatz::AddOne is given 0x[0-9a-f]+, device memory that is no block's");
}

struct Numbers {
  int* to;
  int32_t packed[4];
  double real;
  uint64_t magic;
  const int* nothing;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = packed[i]; }
};

TEST_F(EmulatedFunctor, NumbersAreNoAddresses) {
  const DeviceArray<int> to(4);
  launch_each(0, 4, Numbers{to.data(), {1, 0x7fff, 0x5555, 0x7ffe}, 1.5, 0xaaaaaaaaaaaaaaabu, nullptr});
  EXPECT_EQ(to.values(), (std::vector<int>{1, 0x7fff, 0x5555, 0x7ffe}));
}

TEST_F(EmulatedFunctor, SetsAndProductsOfHostsMemoryAreRefused) {
  std::vector<int> host(16);
  EXPECT_DEATH(set(host.data(), 0, 64, 0), "setting bytes is given 0x[0-9a-f]+, which is the host's");
}

// These tests use one block on two streams.

void on(const Stream& stream, const std::function<void()>& f) {
  const StreamScope scope(stream);
  f();
}

TEST_F(EmulatedStreams, WriteUnorderedWithAReadNamesBoth) {
  const DeviceArray<int> from(16), to(16);
  const Stream a(0), b(0);
  EXPECT_DEATH(
      {
        on(a, [&] { launch_each(0, 16, CopyInts{from.data(), to.data()}); });
        on(b, [&] { launch_each(0, 16, AddOne{from.data()}); });
      },
      "ersatz::AddOne on stream [0-9]+ writes the block of 64 bytes at 0x[0-9a-f]+, which ersatz::CopyInts reads on "
      "stream [0-9]+: nothing orders the one behind the other");
}

TEST_F(EmulatedStreams, CopyUnorderedWithAWriteIsNamed) {
  const DeviceArray<int> block(16);
  const Stream a(0);
  EXPECT_DEATH(
      {
        on(a, [&] { launch_each(0, 16, AddOne{block.data()}); });
        block.values();
      },
      "a copy on the default stream reads the block of 64 bytes at 0x[0-9a-f]+, which ersatz::AddOne writes on stream");
}

TEST_F(EmulatedStreams, TwoReadsNeedNoOrder) {
  const DeviceArray<int> from(16), first(16), second(16);
  const Stream a(0), b(0);
  on(a, [&] { launch_each(0, 16, CopyInts{from.data(), first.data()}); });
  on(b, [&] { launch_each(0, 16, CopyInts{from.data(), second.data()}); });
  a.synchronize();
  b.synchronize();
}

TEST_F(EmulatedStreams, AnEventOrdersWhatItsStreamDidBefore) {
  const DeviceArray<int> block(16);
  const Stream a(0), b(0);
  Event done(0);
  on(a, [&] { launch_each(0, 16, AddOne{block.data()}); });
  done.record(a.handle());
  done.make_wait(b.handle());
  on(b, [&] { launch_each(0, 16, AddOne{block.data()}); });
  b.synchronize();
  EXPECT_EQ(block.values(), std::vector<int>(16, 2));
}

TEST_F(EmulatedStreams, EventOrdersNothingThatItsStreamDidAfter) {
  const DeviceArray<int> block(16);
  const Stream a(0), b(0);
  Event early(0);
  early.record(a.handle());
  EXPECT_DEATH(
      {
        on(a, [&] { launch_each(0, 16, AddOne{block.data()}); });
        early.make_wait(b.handle());
        on(b, [&] { launch_each(0, 16, AddOne{block.data()}); });
      },
      "nothing orders the one behind the other");
}

TEST_F(EmulatedStreams, WorkThatHostAwaitedIsBeforeEveryStream) {
  const DeviceArray<int> block(16);
  const Stream a(0), b(0);
  on(a, [&] { launch_each(0, 16, AddOne{block.data()}); });
  a.synchronize();
  on(b, [&] { launch_each(0, 16, AddOne{block.data()}); });
  b.synchronize();
  EXPECT_EQ(block.values(), std::vector<int>(16, 2));
}

/// Stream `b` reads a block of stream `a`. `a` frees the block and, if the pool keeps blocks, gets it again.
void reuse(bool names_the_second_stream) {
  const Stream a(0), b(0);
  Event filled(0);
  const DeviceArray<int> to(16);
  Pool pool(0);
  auto* block = static_cast<int*>(pool.allocate(64, a.handle()));
  driver().set_async(block, 0, 64, a.handle());
  filled.record(a.handle());
  filled.make_wait(b.handle());
  on(b, [&] { launch_each(0, 16, CopyInts{block, to.data()}); });
  if (names_the_second_stream) pool.record_stream(block, b.handle());
  pool.free(block, a.handle());
  void* again = pool.allocate(64, a.handle());
  driver().set_async(again, 1, 64, a.handle());
  pool.free(again, a.handle());
  pool.empty_cache();
  b.synchronize();
}

TEST_F(EmulatedStreams, BlockUsedByUnnamedStreamIsNotFree) {
  setenv("ERSATZ_CUDA_CACHE", "0", 1);
  EXPECT_DEATH(reuse(false),
               "the block of 64 bytes at 0x[0-9a-f]+ is freed on stream [0-9]+ while ersatz::CopyInts may "
               "still use it on stream [0-9]+");
  unsetenv("ERSATZ_CUDA_CACHE");
}

TEST_F(EmulatedStreams, BlockReusedTooEarlyIsSeenLater) {
  setenv("ERSATZ_CUDA_CACHE", "1", 1);
  EXPECT_DEATH(reuse(false),
               "setting bytes on stream [0-9]+ writes the block of 512 bytes at 0x[0-9a-f]+, which "
               "ersatz::CopyInts reads on stream");
  unsetenv("ERSATZ_CUDA_CACHE");
}

TEST_F(EmulatedStreams, PoolKeepsABlockForANamedStream) {
  for (const char* keeps : {"0", "1"}) {
    setenv("ERSATZ_CUDA_CACHE", keeps, 1);
    reuse(true);
  }
  unsetenv("ERSATZ_CUDA_CACHE");
}

}  // namespace
}  // namespace ersatz
