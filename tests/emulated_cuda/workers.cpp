#include "tests/emulated_cuda/workers.h"

#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tests/emulated_cuda/arena.h"
#include "tests/emulated_cuda/settings.h"

namespace ersatz::cuda_module::emulated {
namespace {

/// A host thread with one semaphore for each direction. With a common lock, the thread sanitizer would see the work of
/// one worker as ordered after that of another.
class Worker {
 public:
  Worker() {
    sem_init(&begin_, 0, 0);
    sem_init(&done_, 0, 0);
    thread_ = std::thread([this] { loop(); });
  }
  ~Worker() {
    begin(nullptr);
    thread_.join();
    sem_destroy(&begin_);
    sem_destroy(&done_);
  }

  void begin(const std::function<void()>& task) {
    task_ = task;
    sem_post(&begin_);
  }
  std::exception_ptr end() {
    wait(&done_);
    return std::exchange(failure_, nullptr);
  }

 private:
  static void wait(sem_t* semaphore) {
    while (sem_wait(semaphore) != 0) {  // a signal interrupted the wait
    }
  }
  void loop() {
    Arena::open_on_this_thread();  // the thread that waits for this worker opened device memory
    for (wait(&begin_); task_; wait(&begin_)) {
      try {
        task_();
      } catch (...) {
        failure_ = std::current_exception();
      }
      sem_post(&done_);
    }
  }

  sem_t begin_, done_;
  std::function<void()> task_;
  std::exception_ptr failure_;
  std::thread thread_;
};

struct Workers {
  pid_t process = getpid();
  std::vector<std::unique_ptr<Worker>> all;
};

/// Returns n workers. A forked child process makes new workers, because it has none of its parent's threads.
std::vector<std::unique_ptr<Worker>>& workers(size_t n) {
  thread_local auto t_workers = std::make_unique<Workers>();
  if (t_workers->process != getpid()) {
    t_workers.release();  // NOLINT: their threads cannot be joined here
    t_workers = std::make_unique<Workers>();
  }
  while (t_workers->all.size() < n) t_workers->all.push_back(std::make_unique<Worker>());
  return t_workers->all;
}

}  // namespace

void deal(int64_t n, const std::function<void(int64_t first, int64_t step)>& part) {
  const auto step = std::min<int64_t>(settings().threads, n);
  if (step <= 1) return part(0, 1);
  const auto& all = workers(static_cast<size_t>(step));
  for (int64_t first = 0; first < step; ++first) {
    all[static_cast<size_t>(first)]->begin([&part, first, step] { part(first, step); });
  }
  std::exception_ptr failure;
  for (int64_t first = 0; first < step; ++first) {
    if (std::exception_ptr f = all[static_cast<size_t>(first)]->end()) failure = f;
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ersatz::cuda_module::emulated
