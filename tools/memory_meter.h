// Live and peak bytes of a run: views count once, a storage from its first result to its last use.
#pragma once

#include <unordered_set>
#include <vector>

#include "tracer/interpreter.h"

namespace ersatz::tools {

class MemoryMeter {
 public:
  /// The storages of a value (a tensor or a list) are live from now on.
  void see(const Value& v);
  /// Call behind each node, before its last-used values are freed: remembers which storages may end with them.
  void about_to_free(const Interpreter& run, const NodeCall& call);

  int64_t peak_bytes() const { return peak_; }

 private:
  void collect_freed();
  std::unordered_set<uint64_t> live_ids_;
  std::vector<Ref<Storage>> ending_;
  int64_t live_ = 0;
  int64_t peak_ = 0;
};

}  // namespace ersatz::tools
