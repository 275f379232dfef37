// Modes: handlers for the operator calls of a thread, which run before any kernel.
//
// A mode handles each call that is made while it is active. It passes on a call by calling `dispatch` again: while a
// mode's handler runs, that mode and those outside it are not active. Modes are kept in one fixed order, outermost
// first: user interceptors, pre-dispatch tracer, autocast, autograd, tracer, fake | crosscheck | propagate; among
// equals the newest is outermost. Guards are RAII, nest, and restore the former state when an exception passes. There
// is no process-global state: each thread has its own stack.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

enum class ModeOrder : uint8_t { Fake, Tracer, Autograd, Autocast, PreDispatchTracer, Interceptor };

class Mode {
 public:
  virtual ~Mode() = default;
  virtual ModeOrder order() const = 0;
  virtual std::string_view mode_name() const = 0;
  /// Handles the call. `args` are complete and checked; results are appended.
  virtual void call(const OpEntry& op, std::span<const Value> args, Values& results) = 0;
};

/// Makes a mode active on this thread until the end of the scope. The mode must outlive the guard.
class ModeGuard {
 public:
  explicit ModeGuard(Mode& mode);
  ~ModeGuard();
  ModeGuard(const ModeGuard&) = delete;
  ModeGuard& operator=(const ModeGuard&) = delete;

  Mode& mode() const { return mode_; }
  ModeOrder order() const { return order_; }
  ModeGuard* inner() const { return inner_; }  ///< the next mode inwards; null: none

 private:
  friend class SuspendModes;
  Mode& mode_;
  ModeOrder order_;
  ModeGuard* inner_ = nullptr;
};

namespace detail {
/// The outermost active guard of this thread. Guards live on the stack and link to the next one inwards.
extern thread_local constinit ModeGuard* t_outermost_mode;
}  // namespace detail

/// Makes modes inactive until the end of the scope. Guards made meanwhile must end before it.
class SuspendModes {
 public:
  SuspendModes();                         ///< every mode: calls run for real
  explicit SuspendModes(ModeOrder only);  ///< those of one order
  ~SuspendModes();
  SuspendModes(const SuspendModes&) = delete;
  SuspendModes& operator=(const SuspendModes&) = delete;

 private:
  ModeGuard* outermost_;
  /// The guards that are still active, each with the guard that was the next one inwards before.
  struct Link {
    ModeGuard* guard;
    ModeGuard* inner;
  };
  std::vector<Link> links_;
};

/// The active modes of this thread, outermost first.
std::vector<Mode*> active_modes();

/// The innermost active mode of that order; null if there is none.
Mode* active_mode(ModeOrder order);

}  // namespace ersatz
