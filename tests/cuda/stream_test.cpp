// Streams, events, pinned memory and copies: their driver calls, tested with a FakeDriver, and their effect on a
// device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <thread>

#include "runtime/cuda/event.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/pinned.h"
#include "runtime/cuda/pool.h"
#include "runtime/cuda/stream.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"
#include "tests/cuda/fake_driver.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using testing::Contains;
using testing::ElementsAre;

const StreamHandle s1 = FakeDriver::stream(1), s2 = FakeDriver::stream(2);

TEST(CudaDevice, PropertiesAreAskedOnceADevice) {
  FakeDriver fake;
  EXPECT_EQ(device_properties(1).multiprocessors, 11);
  EXPECT_EQ(device_properties(1).multiprocessors, 11);
  EXPECT_EQ(device_properties(0).multiprocessors, 10);
  EXPECT_EQ(fake.calls("properties"), 2);
}

TEST(CudaStream, ScopeSetsStreamForThisThreadAndDevice) {
  FakeDriver fake;
  const Stream outer(0), inner(0);
  EXPECT_EQ(current_stream(0), nullptr);
  {
    const StreamScope first(outer);
    const StreamScope second(inner);
    EXPECT_EQ(current_stream(0), inner.handle());
    EXPECT_EQ(current_stream(1), nullptr);
    std::thread([] { EXPECT_EQ(current_stream(0), nullptr); }).join();
  }
  EXPECT_EQ(current_stream(0), nullptr);
}

TEST(CudaStream, WorkOnTheCurrentDeviceChangesNoDevice) {
  FakeDriver fake;
  { const DeviceScope scope(0); }
  EXPECT_EQ(fake.device_changes, 0);
  { const DeviceScope scope(1); }
  EXPECT_EQ(fake.device_changes, 2);
}

TEST(CudaStream, CallersStreamLeavesItsBlocksToDefaultStream) {
  // A FakeDriver replaces the driver of the CUDA module that is linked into this program. If another module was loaded,
  // that module does not call it.
  if (cuda_functions().driver != &linked_driver()) GTEST_SKIP() << "another module than the emulated one is loaded";
  FakeDriver fake;
  exchange_current_stream(0, s1);
  void *block = nullptr, *again = nullptr;
  allocate(&block, 512, 0);
  cuda_functions().stream_ended(0, s1);
  EXPECT_EQ(fake.log.back(), "stream_synchronize 1");
  EXPECT_EQ(current_stream(0), nullptr);
  deallocate(block, 0);
  allocate(&again, 512, 0);
  EXPECT_EQ(again, block);
  EXPECT_EQ(fake.calls("event_record"), 0) << "nothing asks the driver about the stream that is gone";
  deallocate(again, 0);
}

TEST(CudaStream, EndingStreamIsAwaitedAndItsMemoryStays) {
  FakeDriver fake;
  void* block = nullptr;
  {
    const Stream stream(0);
    const StreamScope scope(stream);
    allocate(&block, 512, 0);
  }
  EXPECT_THAT(fake.log, ElementsAre("stream_create", "keep_pool_memory 0", "malloc_async 512 on 100",
                                    "stream_synchronize 100", "stream_destroy 100"));
  deallocate(block, 0);
  void* again = nullptr;
  allocate(&again, 512, 0);
  EXPECT_EQ(again, block);
}

TEST(CudaEvent, PassesWhenTheWorkBeforeItIsDone) {
  FakeDriver fake;
  Event event(0);
  event.record(s1);
  EXPECT_FALSE(event.has_passed());
  fake.finish(s2);
  EXPECT_FALSE(event.has_passed());
  fake.finish(s1);
  EXPECT_TRUE(event.has_passed());
}

TEST(CudaEvent, AnotherStreamWaitsForItWithoutTheHost) {
  FakeDriver fake;
  Event event(0);
  event.record(s1);
  event.make_wait(s2);
  EXPECT_EQ(fake.log.back(), "stream_wait_event of 1 on 2");
  EXPECT_FALSE(event.has_passed());
}

TEST(CudaEvent, TheTimeBetweenTwo) {
  FakeDriver fake;
  Event begin(0, Event::Timing::On), end(0, Event::Timing::On);
  begin.record(s1);
  end.record(s1);
  EXPECT_EQ(milliseconds_between(begin, end), 1);
  EXPECT_TRUE(end.has_passed());
}

TEST(CudaEvent, IsDestroyedOnceHoweverOftenItMoves) {
  FakeDriver fake;
  {
    Event first(0);
    const Event second(std::move(first));
  }
  EXPECT_EQ(fake.calls("event_destroy"), 1);
}

TEST(CudaCopy, BetweenDevicesWaitsOnStreamsNotOnHost) {
  FakeDriver fake;
  const Stream from(0), to(1);
  const StreamScope from_scope(from), to_scope(to);
  void *source = nullptr, *target = nullptr;
  allocate(&source, 512, 0);
  allocate(&target, 512, 1);
  fake.log.clear();
  copy(target, 1, source, 0, 512);
  EXPECT_EQ(fake.calls("stream_synchronize"), 0);
  EXPECT_THAT(fake.log,
              ElementsAre("event_create", "event_create", "event_record on 100", "stream_wait_event of 100 on 101",
                          "copy_peer_async 512 from 0 to 1 on 101", "event_record on 101",
                          "stream_wait_event of 101 on 100", "event_destroy", "event_destroy"));
}

TEST(CudaCopy, WithinDeviceIsStreamWorkWithHostAwaited) {
  FakeDriver fake;
  void *a = nullptr, *b = nullptr;
  allocate(&a, 512, 0);
  allocate(&b, 512, 0);
  copy(a, 0, b, 0, 512);
  EXPECT_EQ(fake.calls("stream_synchronize"), 0);
  char host[512];
  copy(host, -1, a, 0, 512);
  EXPECT_EQ(fake.calls("stream_synchronize"), 1);
  copy(b, 0, host, -1, 512);
  EXPECT_EQ(fake.calls("stream_synchronize"), 2);
}

TEST(CudaCopy, AsyncCopyToTheHostArrivesWhenAwaited) {
  FakeDriver fake;
  void* block = nullptr;
  allocate(&block, 512, 0);
  char host[512] = {};
  CopyToHost under_way = copy_to_host_async(host, block, 512, 0, s1);
  EXPECT_FALSE(under_way.is_done());
  EXPECT_EQ(host[0], 0);
  under_way.wait();
  EXPECT_EQ(host[0], 7);
  EXPECT_EQ(host[511], 7);
}

TEST(CudaCopy, ToHostIsWaitedForByDestructor) {
  FakeDriver fake;
  void* block = nullptr;
  allocate(&block, 512, 0);
  char host[512] = {};
  { const CopyToHost under_way = copy_to_host_async(host, block, 512, 0, s1); }
  EXPECT_EQ(host[511], 7);
}

TEST(CudaPinned, BufferServesAgainAfterItsStreamIsDone) {
  FakeDriver fake;
  void* block = nullptr;
  allocate(&block, 512, 0);
  const char host[512] = {};
  const Event done = copy_to_device_async(block, host, 512, 0, s1);
  EXPECT_FALSE(done.has_passed());
  const std::byte* other = PinnedBuffer(512).data();  // the first buffer is in use, so this is another one
  EXPECT_EQ(fake.calls("malloc_host"), 2);
  fake.finish(s1);
  {
    const PinnedBuffer first(100), second(4096);
    EXPECT_TRUE(first.data() == other || second.data() == other);
    EXPECT_EQ(fake.calls("malloc_host"), 2);
  }
  empty_pinned_cache();
  EXPECT_EQ(fake.calls("free_host"), 2);
}

TEST(CudaPinned, SizesArePowersOfTwo) {
  FakeDriver fake;
  EXPECT_EQ(PinnedBuffer(1).nbytes(), 4096);
  EXPECT_EQ(PinnedBuffer(4097).nbytes(), 8192);
  empty_pinned_cache();
}

/// Runs on this machine's device, or on the emulated one.
TEST(CudaCopy, AsyncCopiesCarryTheBytesThereAndBack) {
  std::vector<int32_t> there(5000), back(5000);
  std::iota(there.begin(), there.end(), 0);
  use_driver(cuda_functions().driver);
  const int64_t n = static_cast<int64_t>(there.size() * sizeof(int32_t));
  {
    const Stream stream(0);
    const StreamScope scope(stream);
    void* block = nullptr;
    allocate(&block, n, 0);
    const Event event = copy_to_device_async(block, there.data(), n, 0, stream.handle());
    CopyToHost under_way = copy_to_host_async(back.data(), block, n, 0, stream.handle());
    under_way.wait();
    EXPECT_TRUE(event.has_passed());
    deallocate(block, 0);
  }
  pool_of(0).empty_cache();
  empty_pinned_cache();
  use_driver(nullptr);
  EXPECT_EQ(there, back);
}

/// Makes a stream of the real device this thread's current stream, in the module that runs kernels there.
class OnStream {
 public:
  OnStream() {
    const Driver& d = *cuda_functions().driver;
    EXPECT_EQ(d.stream_create(&stream), 0);
  }
  ~OnStream() {
    cuda_functions().stream_ended(0, stream);  // waits for the stream's work; no memory is freed on it afterwards
    cuda_functions().driver->stream_destroy(stream);
  }
  void run(const std::function<void()>& f) const {
    StreamHandle before = cuda_functions().exchange_stream(0, stream);
    f();
    cuda_functions().exchange_stream(0, before);
  }
  StreamHandle stream = nullptr;
};

/// Two streams run long kernels on large tensors at the same time. Each must compute its own values.
TEST(CudaStream, TwoStreamsWorkConcurrentlyAndAreRight) {
  ERSATZ_NEEDS_GPU();
  const Driver& d = *cuda_functions().driver;
  const OpEntry& add = op_named("aten.add.Tensor");
  const Tensor ones =
      tensor_on(cuda(0), call("aten.ones.default", {Value::int_list(std::vector<int64_t>{1 << 24})})[0].tensor());
  check_cuda(cuda_functions().synchronize(0), cuda(0), "synchronize", 0);
  OnStream a, b;
  EventHandle passed = nullptr;
  ASSERT_EQ(d.event_create(&passed, false), 0);
  Tensor x = ones, y = ones;
  const auto double_it = [&](Tensor& t) {
    std::vector<Value> args{Value(t), Value(t), Value(1)};
    Values results;
    dispatch(add, args, results);
    t = results[0].tensor();
  };
  a.run([&] {
    for (int i = 0; i < 20; ++i) double_it(x);
  });
  b.run([&] {
    for (int i = 0; i < 10; ++i) double_it(y);
  });
  EXPECT_EQ(d.event_record(passed, a.stream), 0);
  EXPECT_EQ(d.stream_wait_event(b.stream, passed), 0);
  EXPECT_EQ(d.stream_synchronize(b.stream), 0);
  EXPECT_EQ(d.event_query(passed), 0) << "the one stream waited for the other";
  EXPECT_EQ(tensor_on(kCPU, x).data<float>()[12345], 1 << 20);
  EXPECT_EQ(tensor_on(kCPU, y).data<float>()[12345], 1 << 10);
  EXPECT_EQ(d.event_destroy(passed), 0);
}

/// A block that another stream still reads is not reused by the stream that freed it.
TEST(CudaStream, RecordedUseKeepsBlockOnRealDevice) {
  ERSATZ_NEEDS_GPU();
  const OpEntry& add = op_named("aten.add.Tensor");
  OnStream other;
  Tensor sum;
  {
    const Tensor x =
        tensor_on(cuda(0), call("aten.ones.default", {Value::int_list(std::vector<int64_t>{1 << 24})})[0].tensor());
    check_cuda(cuda_functions().synchronize(0), cuda(0), "synchronize", 0);
    other.run([&] {
      for (int i = 0; i < 50; ++i) {
        std::vector<Value> args{Value(x), Value(x), Value(1)};
        Values results;
        dispatch(add, args, results);
        sum = results[0].tensor();
      }
    });
    cuda_functions().record_stream(x.storage()->data(), 0, other.stream);
  }
  const Tensor overwritten = make_real_tensor([] {
    TensorMeta m(DType::F32, std::vector<SymInt>{1 << 24});
    m.device = cuda(0);
    return m;
  }());
  cuda_set_bytes(overwritten.storage()->data(), cuda(0), std::byte{0}, overwritten.storage()->nbytes().as_int());
  other.run([&] { EXPECT_EQ(tensor_on(kCPU, sum).data<float>()[(1 << 24) - 1], 2); });
}

}  // namespace
}  // namespace ersatz
