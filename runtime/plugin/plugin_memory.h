// Memory for plugins' kernels (`allocate` of runtime/plugin/plugin.h).
//
// It comes from the device's allocator, or, while a PluginMemory lives on this thread, from its function. The innermost
// one counts. Crosscheck passes guarded and poisoned memory this way (fake/watch/kernel_memory.h).
#pragma once

#include <functional>

#include "runtime/tensor/storage.h"

namespace ersatz {

class PluginMemory {
 public:
  /// Returns uninitialised memory with a unique address, even for 0 bytes.
  using Allocate = std::function<Ref<Storage>(int64_t nbytes, Device device)>;

  explicit PluginMemory(Allocate allocate);
  ~PluginMemory();
  PluginMemory(const PluginMemory&) = delete;
  PluginMemory& operator=(const PluginMemory&) = delete;

  /// Memory for a plugin's call, from the innermost PluginMemory, else from the device's allocator.
  static Ref<Storage> allocate(int64_t nbytes, Device device);

 private:
  const Allocate allocate_;
  const PluginMemory* const outer_;
};

}  // namespace ersatz
