// When a call on CUDA raises an error for a value that it cannot take: an index out of range, a zero divisor.
//
// Work on a CUDA device is not waited for. By default a call returns without waiting. Its launch skips values that it
// cannot take, and notes them. The error, a DeferredError, comes when the host next waits for the device or makes its
// next call there (runtime/cuda/deferred_failure.h). While a ChecksAtOnce lives on a thread, its calls wait for their
// checks and raise the error themselves. They have then written nothing. Code that judges a call by its error needs
// that. `RuleContext::deterministic` and the environment variable ERSATZ_CUDA_CHECK_AT_ONCE=1 ask for the same.
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

/// Must calls of this thread wait for their checks and raise those errors themselves?
bool checks_at_once();

/// The error of an earlier call. `op` and `source` describe that earlier call; its arguments are no longer known. The
/// call or copy that raises the DeferredError is not at fault.
class DeferredError : public Error {
 public:
  using Error::Error;
};

}  // namespace ersatz
