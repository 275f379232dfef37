// Decides when a call on CUDA raises an error for a value that the op cannot use. Examples are an index out of range
// and a zero divisor.
//
// By default, a call on CUDA returns without waiting for the device. Its kernel skips values that it cannot use, and
// notes them for the host. The host raises a DeferredError when it next waits for the device or makes its next call
// there (runtime/cuda/deferred_failure.h). While a ChecksAtOnce exists, each call of its thread waits for its own
// checks. The call then raises the error itself, and has written nothing. Code that has to know which call failed uses
// ChecksAtOnce. `RuleContext::deterministic` and the environment variable ERSATZ_CUDA_CHECK_AT_ONCE=1 have the same
// effect.
#pragma once

#include "runtime/base/error.h"

namespace ersatz {

class ChecksAtOnce {
 public:
  ChecksAtOnce();
  ~ChecksAtOnce();
  ChecksAtOnce(const ChecksAtOnce&) = delete;
  ChecksAtOnce& operator=(const ChecksAtOnce&) = delete;
};

/// Must calls of this thread wait for their own checks and raise the errors themselves?
bool checks_at_once();

/// The error of an earlier call, which `op` and `source` describe; the arguments of that call are unknown by now. The
/// call or copy that raises the DeferredError is not at fault.
class DeferredError : public Error {
 public:
  using Error::Error;
};

}  // namespace ersatz
