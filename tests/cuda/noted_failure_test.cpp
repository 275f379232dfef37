// The notes of launches, and the waits that read them, tested with a FakeDriver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/event.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/pinned.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"
#include "runtime/op/value_checks.h"
#include "tests/cuda/fake_driver.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using testing::HasSubstr;
using testing::StartsWith;

std::string told(const std::function<void()>& f) {
  try {
    f();
  } catch (const DeferredError& e) {
    return e.message;
  }
  return "";
}
std::string raised_by(When when) {
  return told([&] { raise_noted(when); });
}

/// Claims notes as launches do. Memory of the FakeDriver cannot be read, so the notes are in host memory here.
class Launches {
 public:
  FailureNote note(int device) {
    FailureNote n = note_for(device, {.words = [](const NotedValue& v) { return fmt::format("value {}", v.value); }});
    n.claims = claims_[device].data();
    return n;
  }
  void fail(int device, uint64_t value) { note(device).take(value, 0); }

 private:
  std::vector<uint64_t> claims_[2] = {std::vector<uint64_t>(kNotes), std::vector<uint64_t>(kNotes)};
};

TEST(CudaNotedFailure, NoteCallsTheDriverOnlyTheFirstTime) {
  FakeDriver fake;
  Launches launches;
  launches.note(0);
  EXPECT_THAT(fake.log, testing::ElementsAre(HasSubstr("malloc_host"), HasSubstr("malloc_async"),
                                             HasSubstr("set_async"), "stream_synchronize 0"));
  const int calls = fake.calls();
  for (int i = 0; i < 100; ++i) launches.note(0);
  EXPECT_EQ(raised_by(When::NextCall), "");
  EXPECT_EQ(fake.calls(), calls);
}

TEST(CudaNotedFailure, EveryWaitOfTheHostTells) {
  FakeDriver fake;
  Launches launches;
  void* block = nullptr;
  allocate(&block, 512, 0);
  char host[512] = {};
  const Stream stream(0);
  Event event(0);
  event.record(stream.handle());
  uint64_t value = 0;
  const auto after_a_failure = [&](const std::function<void()>& f) {
    launches.fail(0, ++value);
    EXPECT_EQ(told(f), fmt::format("cuda:0: value {} (found when cuda:0 was next waited for)", value));
  };
  after_a_failure([] { synchronize(0); });
  after_a_failure([&] { copy(host, -1, block, 0, 512); });
  after_a_failure([&] { copy(block, 0, host, -1, 512); });
  after_a_failure([&] { stream.synchronize(); });
  after_a_failure([&] { event.synchronize(); });
  after_a_failure([&] { copy_to_host_async(host, block, 512, 0, nullptr).wait(); });
  EXPECT_EQ(told([] { synchronize(0); }), "");
}

TEST(CudaNotedFailure, WaitForOneDeviceRaisesNotesOfAnother) {
  FakeDriver fake;
  Launches launches;
  launches.note(1);
  launches.fail(0, 7);  // the failing launch may have written to the other device
  EXPECT_EQ(told([] { synchronize(1); }), "cuda:0: value 7 (found when cuda:0 was next waited for)");
}

TEST(CudaNotedFailure, FirstOfManyThreadsIsReported) {
  FakeDriver fake;
  Launches launches;
  const FailureNote note = launches.note(0);
  note.take(5, 0);
  note.take(6, 0);
  EXPECT_EQ(raised_by(When::Waited), "cuda:0: value 5 (found when cuda:0 was next waited for)");
  note.take(8, 0);
  EXPECT_EQ(raised_by(When::Waited), "") << "the launch has been told of";
}

TEST(CudaNotedFailure, ThreadsThatNoteAtATimeLoseNone) {
  FakeDriver fake;
  Launches launches;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) launches.fail(0, 1);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(raised_by(When::Waited), "cuda:0: value 1 (found when cuda:0 was next waited for; 399 more since then)");
}

TEST(CudaNotedFailure, ThreadsThatReadAtTimeTellEachOnce) {
  FakeDriver fake;
  Launches launches;
  launches.note(0);
  std::atomic<int> heard{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (!over) {
        const std::string text = raised_by(When::NextCall);
        const size_t more = text.find("; ");
        if (!text.empty()) heard += 1 + (more == std::string::npos ? 0 : std::stoi(text.substr(more + 2)));
      }
    });
  }
  for (int k = 0; k < 500; ++k) launches.fail(0, 1);
  over = true;
  for (std::thread& t : threads) t.join();
  const std::string rest = raised_by(When::NextCall);
  const size_t more = rest.find("; ");
  if (!rest.empty()) heard += 1 + (more == std::string::npos ? 0 : std::stoi(rest.substr(more + 2)));
  EXPECT_EQ(heard, 500);
}

TEST(CudaNotedFailure, FailureOfCallForgottenIsStillOne) {
  FakeDriver fake;
  Launches launches;
  const FailureNote old = launches.note(0);
  for (uint64_t i = 0; i < kNotes; ++i) launches.note(0);
  old.take(3, 0);
  EXPECT_THAT(raised_by(When::Waited), StartsWith("cuda:0: an earlier call met a value that it cannot take"));
}

TEST(CudaNotedFailure, AFaultOfTheDeviceGoesFirst) {
  FakeDriver fake;
  Launches launches;
  launches.fail(0, 7);
  fake.fail("stream_synchronize", 700);
  try {
    synchronize(0);
    FAIL() << "nothing was raised";
  } catch (const Error& e) {
    EXPECT_THAT(e.message, HasSubstr("an illegal memory access was encountered"));
  }
}

TEST(CudaNotedFailure, DestructorsLeaveItToTheNextWait) {
  FakeDriver fake;
  Launches launches;
  void* block = nullptr;
  allocate(&block, 512, 0);
  char host[512] = {};
  {
    const Stream stream(0);
    const CopyToHost under_way = copy_to_host_async(host, block, 512, 0, nullptr);
    launches.fail(0, 7);
  }
  deallocate(block, 0);
  EXPECT_EQ(told([] { synchronize(0); }), "cuda:0: value 7 (found when cuda:0 was next waited for)");
}

TEST(CudaNotedFailure, AnEmptyNoteTakesNothing) { EXPECT_NO_THROW(FailureNote().take(1, 2)); }

}  // namespace
}  // namespace ersatz
