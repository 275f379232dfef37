// Whether this thread is inside a kernel.
#pragma once

namespace ersatz::detail {

/// Number of kernels that this thread is running, nested ones included. Outside of kernels, reading a data pointer
/// counts as a write and gives lazy copies bytes of their own. Inside a kernel it does not: a kernel writes only what
/// its op declares, and those arguments got bytes of their own before it ran.
extern thread_local constinit int t_kernel_depth;

struct KernelScope {
  KernelScope() { ++t_kernel_depth; }
  ~KernelScope() { --t_kernel_depth; }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;
};

}  // namespace ersatz::detail
