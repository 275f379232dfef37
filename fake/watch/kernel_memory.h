// The memory that a plugin's kernel allocates through ersatz during one call, with guard zones and a fill.
//
// Memory from another allocator (the kernel's own malloc) is not watched.
#pragma once

#include <string>
#include <vector>

#include "fake/watch/guard_zones.h"
#include "fake/watch/poison.h"
#include "runtime/plugin/plugin_memory.h"

namespace ersatz {

/// While a KernelMemory is alive, plugins' kernels on its thread allocate from it.
class KernelMemory {
 public:
  /// If `guards`, each block has guard zones. If `fill` is set, each byte of a block starts as `fill`.
  explicit KernelMemory(bool guards, std::optional<Poison> fill = std::nullopt);

  /// Returns whether this object allocated the tensor's storage.
  bool gave(const Tensor& t) const;
  /// Returns the guard zones that are damaged now, including those of blocks that became no result.
  std::vector<GuardZones::Damage> find_damage() const { return zones_.find_damage(); }

 private:
  Ref<Storage> allocate(int64_t nbytes, Device device);

  const bool guards_;
  const std::optional<Poison> fill_;
  GuardZones zones_;
  std::vector<Ref<Storage>> given_;
  const PluginMemory memory_;
};

/// Returns the position of a damaged byte: `byte 3 before its buffer`, `byte 1 behind its buffer`.
std::string to_string(const GuardZones::Damage& damage);

}  // namespace ersatz
