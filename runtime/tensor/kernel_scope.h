// Whether this thread is inside a kernel.
#pragma once

namespace ersatz::detail {

/// How many kernels this thread is running, nested ones included. Outside of kernels, asking for a data pointer counts
/// as a write and parts lazy copies. Inside it does not: a kernel writes only what its op declares, and lazy copies of
/// that were parted before it ran.
extern thread_local constinit int t_kernel_depth;

struct KernelScope {
  KernelScope() { ++t_kernel_depth; }
  ~KernelScope() { --t_kernel_depth; }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;
};

}  // namespace ersatz::detail
