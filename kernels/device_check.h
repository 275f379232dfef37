// Checks for values on a CUDA device that a kernel cannot use. Either a check runs before anything is written, or the
// kernel that reads the values records a bad one for the host (runtime/cuda/deferred_failure.h). Included by *_cuda.cu
// files.
#pragma once

#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/scratch.h"
#include "runtime/op/value_checks.h"

namespace ersatz {

/// If `now`, runs the check and waits for the device. `look(flag)` launches a kernel that sets the flag (atomic_or) for
/// a bad value. If the flag is set, `refuse()` raises the CPU kernel's error, from a copy on the host. RETURNS: an
/// empty note if `now`; else a note that kernels fill in, with the error text `words`.
template <class Look, class Refuse>
cuda_module::FailureNote checked_or_noted(int device, const cuda_module::FailureWords& words, Look&& look,
                                          Refuse&& refuse, bool now = checks_at_once()) {
  if (!now) return cuda_module::note_for(device, words);
  const cuda_module::DeviceFlag flag(device);
  look(flag.address());
  if (flag.read() != 0) refuse();
  return {};
}

}  // namespace ersatz
