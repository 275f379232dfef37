// The base class of modes that observe calls without changing them, for example counters.
//
// An observer receives a call before fake mode, crosscheck and the kernels do, so one counter works with each of them.
// It runs the bodies of composite ops itself, to see the ops that they call, unless autograd gives the op a node of its
// own. If the tensor arguments do not all belong to the active fake mode, the whole call is passed on, so that the mode
// can refuse or convert the tensors.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/mode.h"

namespace ersatz {

class CallObserver : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Interceptor; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) final;

 protected:
  /// Called after each call that raised no error, with the results of this call.
  virtual void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) = 0;
};

}  // namespace ersatz
