// Values on a CUDA device that a kernel cannot take: looked for before anything is written, or noted by the launches
// that read them (runtime/cuda/deferred_failure.h). Included by *_cuda.cu files.
#pragma once

#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/scratch.h"
#include "runtime/op/value_checks.h"

namespace ersatz {

/// Where calls check at once (`now`): `look(flag)` launches what raises the flag (atomic_or) for such a value, and
/// `refuse()` raises the error, with a copy on the host, in the words of the CPU's kernel. Waits; the note is empty
/// then. Else the note that launches take, in `words`.
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
