// Modes: handlers for the operator calls of a thread, which run before any kernel.
//
// A mode handles each operator call that its thread makes while the mode is active. To pass a call on, the handler
// calls `dispatch` again: while a handler runs, its mode and all modes outside of it are inactive. Modes have one fixed
// order, outermost first: user interceptors, pre-dispatch tracer, autocast, autograd, tracer, and then fake, crosscheck
// or propagate. Among modes with the same ModeOrder, the newest is outermost. Guards are RAII objects that nest; they
// restore the former state when an exception is thrown. Each thread has its own stack of modes.
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
  /// Handles one call. `args` are complete and were checked. Appends one Value per schema return to `results`.
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
  ModeGuard* inner() const { return inner_; }  ///< the guard of the next mode inwards; null if there is none

 private:
  friend class SuspendModes;
  Mode& mode_;
  ModeOrder order_;
  ModeGuard* inner_ = nullptr;
};

namespace detail {
/// The guard of this thread's outermost active mode. A ModeGuard is an object on the stack that points to the next one
/// inwards.
extern thread_local constinit ModeGuard* t_outermost_mode;
}  // namespace detail

/// Makes modes inactive until the end of the scope. A ModeGuard that is made inside the scope must end before the scope
/// does.
class SuspendModes {
 public:
  SuspendModes();                         ///< suspends all modes, so that calls run real kernels
  explicit SuspendModes(ModeOrder only);  ///< suspends only the modes of this order
  ~SuspendModes();
  SuspendModes(const SuspendModes&) = delete;
  SuspendModes& operator=(const SuspendModes&) = delete;

 private:
  ModeGuard* outermost_;
  /// The guards that are still active, each with its `inner_` pointer from before the scope.
  struct Link {
    ModeGuard* guard;
    ModeGuard* inner;
  };
  std::vector<Link> links_;
};

/// Returns the active modes of this thread, outermost first.
std::vector<Mode*> active_modes();

/// Returns the innermost active mode of `order`; null if there is none.
Mode* active_mode(ModeOrder order);

}  // namespace ersatz
