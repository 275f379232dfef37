// Where plugins' kernels get the memory that they ask ersatz for (`allocate` of runtime/plugin/plugin.h).
//
// From the device's allocator; while a PluginMemory lives, from its function, for the calls of this thread. The
// innermost one holds. Crosscheck hands out guarded and filled memory this way (fake/watch/kernel_memory.h).
#pragma once

#include <functional>

#include "runtime/tensor/storage.h"

namespace ersatz {

class PluginMemory {
 public:
  /// Uninitialised memory at an address of its own, also where no bytes are asked for.
  using Allocate = std::function<Ref<Storage>(int64_t nbytes, Device device)>;

  explicit PluginMemory(Allocate allocate);
  ~PluginMemory();
  PluginMemory(const PluginMemory&) = delete;
  PluginMemory& operator=(const PluginMemory&) = delete;

  /// Memory for a plugin's call: of the innermost PluginMemory, else of the device's allocator.
  static Ref<Storage> allocate(int64_t nbytes, Device device);

 private:
  const Allocate allocate_;
  const PluginMemory* const outer_;
};

}  // namespace ersatz
