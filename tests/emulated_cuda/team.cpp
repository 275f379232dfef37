#include "tests/emulated_cuda/team.h"

#include <setjmp.h>
#include <ucontext.h>

#include <cstring>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "tests/emulated_cuda/fault.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ersatz::cuda_module::emulated {
namespace {

constexpr size_t kStackBytes = 128 << 10;
constexpr int kMostThreads = 1024, kWarp = 32;

enum class Wait : uint8_t { None, Block, Warp, Done };

/// Tells the thread sanitizer when a fiber starts and when it is switched to; the sanitizer treats a fiber as a thread.
/// A switch orders no memory accesses; only `release_to` and `acquire_from` do.
class Traced {
 public:
#if defined(__SANITIZE_THREAD__)
  Traced() = default;
  Traced(Traced&& other) noexcept : fiber_(std::exchange(other.fiber_, nullptr)), own_(other.own_) {}
  ~Traced() {
    if (own_ && fiber_) __tsan_destroy_fiber(fiber_);
  }
  ERSATZ_UNWATCHED void begin() {
    if (fiber_) __tsan_destroy_fiber(fiber_);
    fiber_ = __tsan_create_fiber(0);
    own_ = true;
  }
  ERSATZ_UNWATCHED void is_this() { fiber_ = __tsan_get_current_fiber(); }
  ERSATZ_UNWATCHED void enter() { __tsan_switch_to_fiber(fiber_, __tsan_switch_to_fiber_no_sync); }

 private:
  void* fiber_ = nullptr;
  bool own_ = false;
#else
  void begin() {}
  void is_this() {}
  void enter() {}
#endif
};

/// A synchronisation point: threads of a block publish their writes here and see those of other threads.
struct Meeting {
  alignas(16) char address[16];
#if defined(__SANITIZE_THREAD__)
  void release_to() { __tsan_release(address); }
  void acquire_from() { __tsan_acquire(address); }
#else
  void release_to() {}
  void acquire_from() {}
#endif
};

struct Fiber {
  Traced traced;
  jmp_buf place;
  ucontext_t start;
  Wait wait = Wait::None;
  bool started = false;
  unsigned barriers = 0;        // number of barriers that the fiber has passed in this block
  const void* offer = nullptr;  // its value during an exchange
  std::vector<char> stack;
};

}  // namespace

/// The fibers of one host thread that runs blocks. They are reused by later launches. The bookkeeping that fibers and
/// scheduler share is hidden from the thread sanitizer: these functions are not instrumented.
class Fibers final : public Team {
 public:
  ERSATZ_UNWATCHED void run(const BlocksRun& run) {
    threads_ = run.threads;
    if (threads_ <= 0 || threads_ > kMostThreads || threads_ % kWarp) fault("a block has 32, 64, ... 1024 threads");
    if (run.shared_bytes > (227u << 10)) fault("a block has at most 227 KiB of shared memory");
    run_ = &run;
    shared_.assign(run.shared_bytes + 16, 0);
    memory_ = shared_.data() + (16 - reinterpret_cast<uintptr_t>(shared_.data()) % 16) % 16;
    if (fibers_.size() < static_cast<size_t>(threads_)) fibers_.resize(static_cast<size_t>(threads_));
    all_ = fibers_.data();
    traced_scheduler_.is_this();
    for (int64_t k = run.first; k < run.blocks; k += run.step) run_block(block_ = run.order(k));
  }

  ERSATZ_UNWATCHED void wait(Wait kind) {
    all_[current_].wait = kind;
    switch_to_scheduler();
  }

  /// A thread may reach the next barrier before all others have left this one, so two synchronisation points alternate.
  ERSATZ_UNWATCHED void barrier() {
    Meeting& meeting = barriers_[all_[current_].barriers++ % 2];
    meeting.release_to();
    wait(Wait::Block);
    meeting.acquire_from();
  }

  ERSATZ_UNWATCHED void exchange_values(const void* value, void* result, size_t nbytes, int distance) {
    const int self = current_;
    all_[self].offer = value;
    wait(Wait::Warp);
    const int lane = self % kWarp + distance;
    if (lane >= 0 && lane < kWarp) {
      const auto* from = static_cast<const volatile char*>(all_[self + distance].offer);
      auto* to = static_cast<volatile char*>(result);
      for (size_t i = 0; i < nbytes; ++i) to[i] = from[i];
    }
    wait(Wait::Warp);  // no thread continues before all have read
  }

 private:
  ERSATZ_UNWATCHED void run_block(int64_t block) {
    std::memset(memory_, 0xcb, run_->shared_bytes);
    for (int t = 0; t < threads_; ++t) {
      all_[t].wait = Wait::None;
      all_[t].barriers = 0;
    }
    start_.release_to();
    const Permutation turns(threads_, run_->seed ? std::optional(*run_->seed + uint64_t(block)) : std::nullopt);
    for (int done = 0; done < threads_;) {
      bool moved = false;
      for (int k = 0; k < threads_; ++k) {
        const auto t = static_cast<int>(turns(k));
        if (all_[t].wait != Wait::None) continue;
        moved = true;
        resume(t);
        if (all_[t].wait == Wait::Done) ++done;
      }
      if (failed_) {
        done_.acquire_from();
        for (Fiber& f : fibers_) f.started = false;  // the other fibers still wait for the one that failed
        failed_ = false;
        std::rethrow_exception(std::exchange(failure_, nullptr));
      }
      moved |= release();
      if (!moved && done < threads_) fault("threads of a block wait at different places");
    }
    done_.acquire_from();
  }

  /// Wakes each warp, and the block, if all its threads wait for each other.
  ERSATZ_UNWATCHED bool release() {
    bool woken = false, block_waits = true;
    for (int w = 0; w < threads_; w += kWarp) {
      bool warp_waits = true;
      for (int t = w; t < w + kWarp; ++t) {
        warp_waits &= all_[t].wait == Wait::Warp;
        block_waits &= all_[t].wait == Wait::Block;
      }
      if (!warp_waits) continue;
      woken = true;
      for (int t = w; t < w + kWarp; ++t) all_[t].wait = Wait::None;
    }
    if (!block_waits) return woken;
    for (int t = 0; t < threads_; ++t) all_[t].wait = Wait::None;
    return true;
  }

  ERSATZ_UNWATCHED void resume(int t) {
    current_ = t;
    Fiber& f = all_[t];
    if (_setjmp(scheduler_) != 0) return;
    if (!f.started) f.traced.begin();
    f.traced.enter();
    if (f.started) _longjmp(f.place, 1);
    f.started = true;
    if (f.stack.empty()) f.stack.resize(kStackBytes);
    getcontext(&f.start);
    f.start.uc_stack.ss_sp = f.stack.data();
    f.start.uc_stack.ss_size = f.stack.size();
    f.start.uc_link = nullptr;
    const auto self = reinterpret_cast<uintptr_t>(this);
    makecontext(&f.start, reinterpret_cast<void (*)()>(&Fibers::enter), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
    setcontext(&f.start);
  }

  /// A fiber runs its thread of one block after the other.
  ERSATZ_UNWATCHED [[noreturn]] static void enter(unsigned high, unsigned low) {
    auto* self = reinterpret_cast<Fibers*>(uintptr_t(high) << 32 | low);
    while (true) {
      self->start_.acquire_from();
      try {
        self->run_->body(self->run_->functor, *self);
      } catch (...) {
        self->done_.acquire_from();  // another fiber may have failed before
        if (!self->failed_) self->failure_ = std::current_exception();
        self->failed_ = true;
      }
      self->done_.release_to();
      self->wait(Wait::Done);
    }
  }

  ERSATZ_UNWATCHED void switch_to_scheduler() {
    if (_setjmp(all_[current_].place) != 0) return;
    traced_scheduler_.enter();
    _longjmp(scheduler_, 1);
  }

  const BlocksRun* run_ = nullptr;
  std::vector<char> shared_;
  std::vector<Fiber> fibers_;
  Fiber* all_ = nullptr;
  jmp_buf scheduler_;
  Traced traced_scheduler_;
  Meeting start_, done_, barriers_[2];
  std::exception_ptr failure_;
  bool failed_ = false;
};

void Team::sync() { static_cast<Fibers*>(this)->barrier(); }
void Team::exchange(const void* value, void* result, size_t nbytes, int distance) {
  static_cast<Fibers*>(this)->exchange_values(value, result, nbytes, distance);
}

void run_blocks(const BlocksRun& run) {
  thread_local Fibers fibers;
  fibers.run(run);
}

}  // namespace ersatz::cuda_module::emulated
