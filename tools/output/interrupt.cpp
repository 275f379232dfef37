#include "tools/output/interrupt.h"

#include <atomic>
#include <csignal>

namespace ersatz::tools {

namespace {

std::atomic<bool> g_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // required because a signal handler accesses it

void on_interrupt(int) { g_seen.store(true, std::memory_order_relaxed); }

}  // namespace

void watch_interrupts() {
  struct sigaction before {};
  // If SIGINT is ignored, it remains so. `nohup`, and shells that start background programs, make it ignored.
  if (::sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
}

struct InterruptScope::Handler {
  struct sigaction action;
};

InterruptScope::InterruptScope() {
  struct sigaction before {};
  if (::sigaction(SIGINT, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0) return;
  if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN || before.sa_handler == on_interrupt) return;
  before_ = std::make_unique<Handler>(Handler{before});
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
}

InterruptScope::~InterruptScope() {
  if (!before_) return;
  ::sigaction(SIGINT, &before_->action, nullptr);
  g_seen.store(false, std::memory_order_relaxed);
}

bool interrupted() { return g_seen.load(std::memory_order_relaxed); }

void stop_if_interrupted(std::string_view during) {
  if (interrupted()) throw Interruption{during};
}

}  // namespace ersatz::tools
