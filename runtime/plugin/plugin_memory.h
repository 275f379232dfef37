// Memory for plugins' kernels (`allocate` of runtime/plugin/plugin.h).
//
// The memory comes from the device's allocator. While a PluginMemory is alive on this thread, its function returns the
// memory instead; if several are alive, the function of the innermost one does. Crosscheck uses this to give kernels
// memory with guard zones and a fill (fake/watch/kernel_memory.h).
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

  /// Returns memory for a plugin's call: from the innermost PluginMemory, else from the device's allocator.
  static Ref<Storage> allocate(int64_t nbytes, Device device);

 private:
  const Allocate allocate_;
  const PluginMemory* const outer_;
};

}  // namespace ersatz
