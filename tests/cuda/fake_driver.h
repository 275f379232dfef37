// A driver table with two simulated devices. Addresses on them are only numbers, and work on a stream ends when the
// test calls `finish`.
//
//   FakeDriver fake;                        is the driver until its destruction
//   fake.limit = 1 << 20;                   bytes of a device
//   fake.finish(stream)                     ends the work that is queued on the stream
//   fake.fail("event_record", 700)          its next call returns 700; a sticky code stays
//
// Device memory may not be read. Host memory is real, and a copy between two real addresses runs at once.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/cuda/driver.h"

namespace ersatz {

class FakeDriver {
 public:
  FakeDriver();
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  void finish(cuda_module::StreamHandle stream);
  void fail(const std::string& call, int code, int after = 0);  ///< `after`: calls that succeed first
  /// Returns how often a function was called; "" counts all functions.
  int calls(const std::string& call = "") const;
  /// The last calls with their arguments, oldest first: `malloc_async 512 on 1`. Streams are numbers; 0 is the default.
  std::vector<std::string> log;

  int64_t limit = int64_t(1) << 40;
  int capability[2] = {90, 90};  ///< of each device; set it before the first query
  int device_changes = 0;        ///< calls of set_device, which `calls` and `log` leave out
  int64_t used() const;
  static cuda_module::StreamHandle stream(int number) {
    return reinterpret_cast<cuda_module::StreamHandle>(static_cast<intptr_t>(number));
  }

 private:
  friend struct FakeCalls;
  struct Event {
    cuda_module::StreamHandle stream = nullptr;
    int64_t at = 0;
  };
  struct Progress {
    int64_t queued = 0, done = 0;
  };
  /// Counts and logs a call. Returns its error code.
  int enter(const char* call, const std::string& about = "");

  mutable std::recursive_mutex mutex_;
  int sticky_ = 0;
  struct Failure {
    int code, after;
  };
  std::map<std::string, Failure> failures_;
  std::map<std::string, int> calls_;
  std::map<const std::byte*, size_t> pinned_;
  std::map<void*, int64_t> blocks_;
  std::set<Event*> events_;
  std::map<cuda_module::StreamHandle, Progress> streams_;
  uintptr_t next_address_ = uintptr_t(1) << 44;
  int next_stream_ = 100;
};

}  // namespace ersatz
