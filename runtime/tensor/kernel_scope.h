// Whether this thread is inside a kernel.
#pragma once

namespace ersatz::detail {

/// Kernels that this thread is in, nested ones counted. A kernel writes only what its op declares, and lazy copies of
/// that were resolved before it ran: inside one, asking for a data pointer is no sign of a write.
extern thread_local constinit int t_kernel_depth;

struct KernelScope {
  KernelScope() { ++t_kernel_depth; }
  ~KernelScope() { --t_kernel_depth; }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;
};

}  // namespace ersatz::detail
