// The memory that a plugin's kernel asks ersatz for, watched for one call: guarded on both sides, and filled.
//
// Memory that a kernel gets elsewhere (its own malloc) is not seen.
#pragma once

#include <string>
#include <vector>

#include "fake/watch/guard_zones.h"
#include "fake/watch/poison.h"
#include "runtime/plugin/plugin_memory.h"

namespace ersatz {

/// While one lives, what plugins' kernels on this thread allocate through ersatz comes from it.
class KernelMemory {
 public:
  /// With guard zones if `guards`; with every byte at `fill` if there is one.
  explicit KernelMemory(bool guards, std::optional<Poison> fill = std::nullopt);

  /// Does the tensor lie in memory that was given here?
  bool gave(const Tensor& t) const;
  /// Damaged guard zones, as far as the kernel has written. Blocks that became no result are looked at too.
  std::vector<GuardZones::Damage> find_damage() const { return zones_.find_damage(); }

 private:
  Ref<Storage> allocate(int64_t nbytes, Device device);

  const bool guards_;
  const std::optional<Poison> fill_;
  GuardZones zones_;
  std::vector<Ref<Storage>> given_;
  const PluginMemory memory_;
};

/// Where a damaged byte lies: `byte 3 before its buffer`, `byte 1 behind its buffer`.
std::string to_string(const GuardZones::Damage& damage);

}  // namespace ersatz
