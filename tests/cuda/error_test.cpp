// Errors of failing driver calls, and the behaviour of a device after a failure that made it unusable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/cuda/event.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/pinned.h"
#include "runtime/cuda/pool.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"
#include "tests/cuda/fake_driver.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr int kIllegalAddress = 700;

std::string message_of(const std::function<void()>& f, ErrorKind kind) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(name(e.kind), name(kind)) << e.message;
    return e.message;
  }
  return "nothing was raised";
}

/// Runs `f` in place of the kernel of an op.
std::function<void()> g_body;
void in_op(std::string_view op, std::function<void()> f) {
  g_body = std::move(f);
  OpEntry& entry = *registry().find_mutable(op);
  const FillKernel before = entry.fill_kernels[1].exchange([](KernelCall&) { g_body(); });
  try {
    run_kernel(entry, {}, {}, DeviceType::CUDA);
  } catch (...) {
    entry.fill_kernels[1] = before;
    throw;
  }
  entry.fill_kernels[1] = before;
}

TEST(CudaError, NamesCallDeviceAndCudasWords) {
  FakeDriver fake;
  fake.fail("set_async", 1);
  void* block = nullptr;
  allocate(&block, 512, 1);
  EXPECT_THAT(message_of([&] { set(block, 0, 512, 1); }, ErrorKind::InternalError),
              AllOf(HasSubstr("cuda:1: invalid argument"), HasSubstr("set_async")));
  EXPECT_EQ(set(block, 0, 512, 1), 0) << "the next one works";
}

TEST(CudaError, InAForkedProcessSaysWhatToDo) {
  FakeDriver fake;
  constexpr int kNotInitialised = 3;  // CUDA's error code there
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    fake.fail("set_async", kNotInitialised);
    const std::string said = message_of([&] { set(nullptr, 0, 512, 0); }, ErrorKind::NotSupported);
    _exit(said.find("forked from one that used it: start such processes anew") != said.npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(CudaError, NamesTheOpThatThisThreadRuns) {
  FakeDriver fake;
  fake.fail("set_async", 1);
  EXPECT_THAT(
      message_of([&] { in_op("aten.relu.default", [] { set(nullptr, 0, 512, 0); }); }, ErrorKind::InternalError),
      HasSubstr("cuda:0: aten.relu.default: invalid argument"));
  fake.fail("set_async", 1);
  EXPECT_THAT(message_of([&] { set(nullptr, 0, 512, 0); }, ErrorKind::InternalError),
              HasSubstr("cuda:0: invalid argument"));
}

TEST(CudaError, OutOfMemoryInAnOpNamesIt) {
  FakeDriver fake;
  fake.limit = 1024;
  EXPECT_EQ(message_of(
                [&] {
                  in_op("aten.relu.default", [] {
                    void* block = nullptr;
                    allocate(&block, 2048, 0);
                  });
                },
                ErrorKind::InvalidArgument),
            "cuda:0: aten.relu.default: out of memory: 2048 bytes asked, 1024 free of 1024, 0 live and 0 cached by "
            "ersatz");
}

struct SomeFunctor {};

TEST(CudaError, AFailedLaunchNamesItsFunctor) {
  FakeDriver fake;
  EXPECT_THAT(message_of([] { check(1, typeid(SomeFunctor).name(), "launch.h", 1); }, ErrorKind::InternalError),
              HasSubstr("SomeFunctor"));
  EXPECT_THAT(message_of([] { check(1, typeid(SomeFunctor).name(), "launch.h", 1); }, ErrorKind::InternalError),
              Not(HasSubstr("N6ersatz")));
}

TEST(CudaError, AfterPoisoningFailureEveryCallNamesFirst) {
  FakeDriver fake;
  void* block = nullptr;
  allocate(&block, 512, 0);
  fake.fail("stream_synchronize", kIllegalAddress);
  EXPECT_THAT(message_of([&] { in_op("aten.relu.default", [] { synchronize(0); }); }, ErrorKind::InternalError),
              HasSubstr("cuda:0: aten.relu.default: an illegal memory access was encountered"));
  const int calls = fake.calls();
  const auto unusable = AllOf(HasSubstr("cuda:0 is unusable since aten.relu.default: an illegal memory access was "
                                        "encountered (driver().stream_synchronize("),
                              EndsWith(": restart the process"));
  const auto refused = ErrorKind::NotSupported;
  EXPECT_THAT(message_of([&] { set(block, 0, 512, 0); }, refused), unusable);
  EXPECT_THAT(message_of([&] { copy(block, 0, block, 0, 512); }, refused), unusable);
  EXPECT_THAT(message_of([&] { synchronize(0); }, refused), unusable);
  EXPECT_THAT(message_of(
                  [&] {
                    void* p = nullptr;
                    allocate(&p, 512, 0);
                  },
                  refused),
              unusable);
  EXPECT_THAT(message_of([&] { Event event(0); }, refused), unusable);
  EXPECT_THAT(message_of([&] { in_op("aten.add.Tensor", [] { synchronize(0); }); }, refused), unusable);
  EXPECT_EQ(fake.calls(), calls) << "nobody asked the driver";
}

TEST(CudaError, ErrorThatDriverRepeatsIsNotNextCallers) {
  FakeDriver fake;
  fake.fail("event_query", kIllegalAddress);
  Event event(0);
  event.record(nullptr);
  EXPECT_THAT(message_of([&] { (void)event.has_passed(); }, ErrorKind::InternalError), HasSubstr("event_query"));
  // After a fault, the next launch gets the sticky error code before any other check.
  EXPECT_THAT(
      message_of([] { check_on(0, kIllegalAddress, "LaunchOfAnother", "launch.h", 1); }, ErrorKind::NotSupported),
      AllOf(HasSubstr("cuda:0 is unusable since"), Not(HasSubstr("LaunchOfAnother"))));
}

TEST(CudaError, FaultMetByALibraryIsTheDevices) {
  FakeDriver fake;
  fake.fail("stream_synchronize", kIllegalAddress);
  EXPECT_THAT(message_of([] { raise_fault_behind("Matmul(...)", "blas_cuda.cpp", 1); }, ErrorKind::InternalError),
              AllOf(HasSubstr("an illegal memory access was encountered"), HasSubstr("Matmul")));
  EXPECT_THAT(message_of([] { synchronize(0); }, ErrorKind::NotSupported), HasSubstr("(Matmul(...)): restart"));
}

TEST(CudaError, ALibrarysOwnFailureLeavesTheDeviceUsable) {
  FakeDriver fake;
  EXPECT_NO_THROW(raise_fault_behind("Matmul(...)", "blas_cuda.cpp", 1));
  fake.fail("stream_synchronize", 1);
  EXPECT_NO_THROW(raise_fault_behind("Matmul(...)", "blas_cuda.cpp", 1));
  EXPECT_TRUE(is_usable(0));
}

TEST(CudaError, ObjectsOnPoisonedDeviceUnwindWithoutDriver) {
  FakeDriver fake;
  int calls = 0;
  {
    void *block = nullptr, *shared = nullptr;
    allocate(&block, 512, 0);
    allocate(&shared, 1024, 0);
    pool_of(0).record_stream(shared, FakeDriver::stream(5));
    const Stream stream(0);
    Event event(0);
    PinnedBuffer buffer(100);
    buffer.used_by(0, stream.handle());
    fake.fail("set_async", kIllegalAddress);
    EXPECT_THROW(set(block, 0, 512, 0), Error);
    calls = fake.calls();
    EXPECT_EQ(deallocate(block, 0), 0);
    EXPECT_EQ(deallocate(shared, 0), 0);
    pool_of(0).empty_cache();
  }
  EXPECT_EQ(fake.calls(), calls);
  EXPECT_EQ(pool_of(0).figures().live_bytes, 0);
}

TEST(CudaError, AFailureWhileFreeingPoisonsToo) {
  FakeDriver fake;
  void* block = nullptr;
  allocate(&block, 512, 0);
  fake.fail("event_record", kIllegalAddress);
  pool_of(0).free(block, FakeDriver::stream(9));
  EXPECT_THAT(message_of([] { synchronize(0); }, ErrorKind::NotSupported), HasSubstr("cuda:0 is unusable since"));
}

TEST(CudaError, OtherDevicesGoOn) {
  FakeDriver fake;
  fake.fail("set_async", kIllegalAddress);
  EXPECT_THROW(set(nullptr, 0, 512, 0), Error);
  EXPECT_TRUE(is_usable(1));
  EXPECT_FALSE(is_usable(0));
}

TEST(CudaError, AFailureThatIsNotStickyPoisonsNothing) {
  FakeDriver fake;
  for (int code : {1, kOutOfMemory, kNotReady, 101}) {
    note_failure(0, code, "a call");
    EXPECT_TRUE(is_usable(0)) << code;
  }
}

TEST(CudaError, AnotherDriverTableStartsSound) {
  {
    FakeDriver fake;
    note_failure(0, kIllegalAddress, "a call");
    EXPECT_FALSE(is_usable(0));
  }
  EXPECT_TRUE(is_usable(0));
}

}  // namespace
}  // namespace ersatz
