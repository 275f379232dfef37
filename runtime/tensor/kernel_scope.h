// Whether this thread is inside a kernel.
#pragma once

#include <utility>

#include "runtime/base/context.h"

namespace ersatz::detail {

/// Number of kernels that this thread is running, nested ones included. Outside of kernels, reading a data pointer
/// counts as a write and gives lazy copies bytes of their own. Inside a kernel it does not: a kernel writes only what
/// its op declares, and those arguments got bytes of their own before it ran.
extern thread_local constinit int t_kernel_depth;

/// Autograd follows no call that a kernel makes: what the kernel returns is no view of its temporary tensors.
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
