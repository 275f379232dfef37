#include "runtime/cuda/deferred_failure.h"

#include <cstring>
#include <memory>
#include <mutex>

#include "runtime/base/source_line.h"
#include "runtime/cuda/per_device.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz::cuda_module {
namespace {

uint64_t load(uint64_t& word) { return std::atomic_ref<uint64_t>(word).load(std::memory_order_acquire); }

/// The host's data about a note that it passed to a kernel.
struct Given {
  uint64_t number = 0;
  const OpEntry* op = nullptr;
  FailureWords words;
  std::string source;
};

/// All notes of one device: their records in pinned memory, and the host's data about them.
class Notes {
 public:
  explicit Notes(int device);
  FailureNote give(const FailureWords& words);
  void tell(When when) {
    if (load(failures_->last) != heard_.load(std::memory_order_relaxed)) [[unlikely]]
      raise(when);
  }

 private:
  void raise(When when);
  /// Returns the oldest failure that was not reported, and sets `count` to the number of unreported failures. All of
  /// them then count as reported.
  NotedFailures::Record take_oldest(int& count);
  DeferredError error_of(const NotedFailures::Record& oldest, int count, When when) const;

  const int device_;
  NotedFailures* failures_ = nullptr;
  uint64_t* claims_ = nullptr;
  std::atomic<uint64_t> heard_{0};  ///< value of `last` at the last read of the records
  std::mutex mutex_;
  uint64_t number_ = 0;
  const std::unique_ptr<Given[]> given_{new Given[kNotes]};
  const std::unique_ptr<uint64_t[]> raised_{new uint64_t[kNotes]()};
};

PerDevice<Notes> g_notes;
std::atomic<int> g_devices{0};  ///< only devices below this index can have Notes

Notes::Notes(int device) : device_(device) {
  const DeviceScope scope(device);
  void* pinned = nullptr;
  ERSATZ_CHECK_CUDA(driver().malloc_host(&pinned, sizeof(NotedFailures)));
  std::memset(pinned, 0, sizeof(NotedFailures));
  failures_ = static_cast<NotedFailures*>(pinned);
  void* claims = nullptr;
  constexpr size_t kBytes = kNotes * sizeof *claims_;
  ERSATZ_CHECK_CUDA(driver().malloc_async(&claims, kBytes, nullptr));
  ERSATZ_CHECK_CUDA(driver().set_async(claims, 0, kBytes, nullptr));
  ERSATZ_CHECK_CUDA(driver().stream_synchronize(nullptr));  // waits until `claims` has zeros, because other streams use
                                                            // it too
  claims_ = static_cast<uint64_t*>(claims);
  int devices = g_devices.load();
  while (devices <= device && !g_devices.compare_exchange_weak(devices, device + 1)) {
  }
}

FailureNote Notes::give(const FailureWords& words) {
  std::lock_guard lock(mutex_);
  const uint64_t number = ++number_;
  Given& given = given_[number % kNotes];
  given.number = number;
  given.op = running_cuda_op();
  given.words = words;
  given.source = current_source_line();
  return {claims_, failures_, number};
}

NotedFailures::Record Notes::take_oldest(int& count) {
  NotedFailures::Record oldest{};
  for (uint64_t slot = 0; slot < kNotes; ++slot) {
    NotedFailures::Record& record = failures_->records[slot];
    const uint64_t number = load(record.number);
    if (number == 0 || number == raised_[slot])
      continue;  // a record with number 0 is empty or being written; `last` changes after the write, so a later call
                 // reads it
    raised_[slot] = number;
    if (++count == 1 || number < oldest.number) oldest = {number, load(record.value), load(record.place)};
  }
  return oldest;
}

DeferredError Notes::error_of(const NotedFailures::Record& oldest, int count, When when) const {
  const Given& given = given_[oldest.number % kNotes];
  const bool known = given.number == oldest.number;
  const std::string op(known && given.op ? given.op->base() : "");
  std::string text = op.empty() ? fmt::format("cuda:{}: ", device_) : op + ": ";
  if (known) {
    const FailureWords& w = given.words;
    NotedValue value{oldest.value, -1, w.size, w.dim};
    if (w.item > 0) value.position = static_cast<int64_t>(oldest.place - reinterpret_cast<uintptr_t>(w.first)) / w.item;
    text += w.words(value);
  } else {
    text += "an earlier call met a value that it cannot take, and more calls were made since than are kept";
  }
  text += when == When::Waited ? fmt::format(" (found when cuda:{} was next waited for", device_)
                               : fmt::format(" (found by the next call after cuda:{} had met it", device_);
  if (count > 1) text += fmt::format("; {} more since then", count - 1);
  text += ")";
  DeferredError e(ErrorKind::InvalidArgument, known ? given.words.family : ErrorFamily::Runtime, std::move(text));
  if (!op.empty()) {
    e.op = op;
    e.label = e.op + ".value";
    e.message += fmt::format(" [{}]", e.label);
  }
  e.value_failure = true;
  if (known) e.source = given.source;
  e.suggestion = "ERSATZ_CUDA_CHECK_AT_ONCE=1 makes the call itself raise it";
  return e;
}

void Notes::raise(When when) {
  std::lock_guard lock(mutex_);
  heard_.store(load(failures_->last), std::memory_order_relaxed);
  int count = 0;
  const NotedFailures::Record oldest = take_oldest(count);
  if (count > 0) throw error_of(oldest, count, when);
}

}  // namespace

FailureNote note_for(int device, const FailureWords& words) { return g_notes.of(device).give(words); }

void raise_noted(When when) {
  const int devices = g_devices.load(std::memory_order_relaxed);
  for (int device = 0; device < devices; ++device) {
    if (Notes* notes = g_notes.find(device)) notes->tell(when);
  }
}

}  // namespace ersatz::cuda_module
