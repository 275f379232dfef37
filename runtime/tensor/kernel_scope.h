// Counts the kernels that this thread is running.
#pragma once

#include <utility>

#include "runtime/base/context.h"

namespace ersatz::detail {

/// The number of kernels that this thread is running, nested ones included. Outside of kernels, Tensor::raw_data treats
/// its caller as a writer and gives a lazy copy bytes of its own. Inside a kernel it does not, because a kernel writes
/// only the arguments that its op declares, and Storage::prepare_write was called for these.
extern thread_local constinit int t_kernel_depth;

/// Marks the scope of a kernel. Autograd records no call that a kernel makes, so a kernel's result is no view of its
/// temporary tensors.
class KernelScope {
 public:
  KernelScope() : autograd_excluded_(std::exchange(t_autograd_excluded, true)) { ++t_kernel_depth; }
  ~KernelScope() {
    --t_kernel_depth;
    t_autograd_excluded = autograd_excluded_;
  }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

 private:
  bool autograd_excluded_;
};

}  // namespace ersatz::detail
