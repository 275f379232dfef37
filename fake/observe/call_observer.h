// A mode that watches calls without changing them: the base of counters.
//
// It is outside of fake mode, crosscheck and the kernels, so the same counter works in each of them. Composite ops are
// taken apart, so that their parts are seen, but for those that autograd gives a node. Where the mode below would
// refuse or convert an argument, the call is passed on whole: it is refused in the words that it has without observer.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/mode.h"

namespace ersatz {

class CallObserver : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Interceptor; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) final;

 protected:
  /// A call has succeeded; `results` are its own.
  virtual void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) = 0;
};

}  // namespace ersatz
