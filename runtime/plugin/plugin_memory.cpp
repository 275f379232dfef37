#include "runtime/plugin/plugin_memory.h"

#include <algorithm>

namespace ersatz {

namespace {
thread_local constinit const PluginMemory* t_innermost = nullptr;
}

PluginMemory::PluginMemory(Allocate allocate) : allocate_(std::move(allocate)), outer_(t_innermost) {
  t_innermost = this;
}

PluginMemory::~PluginMemory() { t_innermost = outer_; }

Ref<Storage> PluginMemory::allocate(int64_t nbytes, Device device) {
  if (t_innermost) return t_innermost->allocate_(nbytes, device);
  return Storage::allocate(std::max<int64_t>(nbytes, 1), device);
}

}  // namespace ersatz
