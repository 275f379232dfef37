#include "runtime/cuda/emulated/team.h"

#include <setjmp.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ersatz::cuda_module::emulated {
namespace {

constexpr size_t kStackBytes = 128 << 10;
constexpr int kMostThreads = 1024, kWarp = 32;

enum class Wait : uint8_t { None, Block, Warp, Done };

/// What the thread sanitizer has to be told of a stack: where it begins anew, and each switch to it.
class Traced {
 public:
#if defined(__SANITIZE_THREAD__)
  void begin() {
    if (fiber_) __tsan_destroy_fiber(fiber_);
    fiber_ = __tsan_create_fiber(0);
  }
  void is_this() { fiber_ = __tsan_get_current_fiber(); }
  void enter() { __tsan_switch_to_fiber(fiber_, 0); }

 private:
  void* fiber_ = nullptr;
#else
  void begin() {}
  void is_this() {}
  void enter() {}
#endif
};

struct Fiber {
  Traced traced;
  jmp_buf place;
  ucontext_t start;
  Wait wait = Wait::None;
  bool started = false;
  const void* offer = nullptr;  // during an exchange
  std::vector<char> stack;
};

[[noreturn]] void report(const char* what) {
  std::fprintf(stderr, "emulated device: %s\n", what);
  std::abort();
}

}  // namespace

/// Fibers are kept from launch to launch. One for each thread of the host that launches.
class Fibers final : public Team {
 public:
  void run(int64_t blocks, int threads, size_t shared_bytes, void (*body)(const void*, Team&), const void* functor) {
    if (threads <= 0 || threads > kMostThreads || threads % kWarp) report("a block has 32, 64, ... 1024 threads");
    if (shared_bytes > (227u << 10)) report("a block has at most 227 KiB of shared memory");
    body_ = body;
    functor_ = functor;
    threads_ = threads;
    shared_.assign(shared_bytes + 16, 0);
    memory_ = shared_.data() + (16 - reinterpret_cast<uintptr_t>(shared_.data()) % 16) % 16;
    if (fibers_.size() < static_cast<size_t>(threads)) fibers_.resize(threads);
    traced_scheduler_.is_this();
    for (block_ = 0; block_ < blocks; ++block_) run_block(shared_bytes);
  }

  void wait(Wait kind) {
    fibers_[current_].wait = kind;
    switch_to_scheduler();
  }

  void exchange_values(const void* value, void* result, size_t nbytes, int distance) {
    const int self = current_;
    fibers_[self].offer = value;
    wait(Wait::Warp);
    const int lane = self % kWarp + distance;
    if (lane >= 0 && lane < kWarp) std::memcpy(result, fibers_[self + distance].offer, nbytes);
    wait(Wait::Warp);  // nobody goes on before everybody has read
  }

 private:
  void run_block(size_t shared_bytes) {
    std::memset(memory_, 0xcb, shared_bytes);
    for (int t = 0; t < threads_; ++t) fibers_[t].wait = Wait::None;
    for (int done = 0; done < threads_;) {
      bool moved = false;
      for (int t = 0; t < threads_; ++t) {
        if (fibers_[t].wait != Wait::None) continue;
        moved = true;
        resume(t);
        if (fibers_[t].wait == Wait::Done) ++done;
      }
      if (failure_) {
        for (Fiber& f : fibers_) f.started = false;  // they stand wherever they waited for the one that failed
        std::rethrow_exception(std::exchange(failure_, nullptr));
      }
      moved |= release();
      if (!moved && done < threads_) report("threads of a block wait at different places");
    }
  }

  /// Wakes warps, and the block, whose threads all wait for each other.
  bool release() {
    bool woken = false, block_waits = true;
    for (int w = 0; w < threads_; w += kWarp) {
      bool warp_waits = true;
      for (int t = w; t < w + kWarp; ++t) {
        warp_waits &= fibers_[t].wait == Wait::Warp;
        block_waits &= fibers_[t].wait == Wait::Block;
      }
      if (!warp_waits) continue;
      woken = true;
      for (int t = w; t < w + kWarp; ++t) fibers_[t].wait = Wait::None;
    }
    if (!block_waits) return woken;
    for (int t = 0; t < threads_; ++t) fibers_[t].wait = Wait::None;
    return true;
  }

  void resume(int t) {
    current_ = t;
    Fiber& f = fibers_[t];
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

  /// A fiber does its part of one block after the other.
  [[noreturn]] static void enter(unsigned high, unsigned low) {
    auto* self = reinterpret_cast<Fibers*>(uintptr_t(high) << 32 | low);
    while (true) {
      try {
        self->body_(self->functor_, *self);
      } catch (...) {
        self->failure_ = std::current_exception();
      }
      self->wait(Wait::Done);
    }
  }

  void switch_to_scheduler() {
    if (_setjmp(fibers_[current_].place) != 0) return;
    traced_scheduler_.enter();
    _longjmp(scheduler_, 1);
  }

  void (*body_)(const void*, Team&) = nullptr;
  const void* functor_ = nullptr;
  std::vector<char> shared_;
  std::vector<Fiber> fibers_;
  jmp_buf scheduler_;
  Traced traced_scheduler_;
  std::exception_ptr failure_;
};

void Team::sync() { static_cast<Fibers*>(this)->wait(Wait::Block); }
void Team::exchange(const void* value, void* result, size_t nbytes, int distance) {
  static_cast<Fibers*>(this)->exchange_values(value, result, nbytes, distance);
}

void run_blocks(int64_t blocks, int threads, size_t shared_bytes, void (*body)(const void*, Team&),
                const void* functor) {
  thread_local Fibers fibers;
  fibers.run(blocks, threads, shared_bytes, body, functor);
}

}  // namespace ersatz::cuda_module::emulated
