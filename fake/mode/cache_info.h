// The dispatch cache of a fake mode, as its user sees it (dispatch_cache.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ersatz {

struct CacheEntryInfo {
  std::string op;
  std::string answer;  ///< the results' metadata; `~in0` shares the storage of tensor argument 0, `in0` is it
  uint64_t hits = 0;
};

/// What a cache holds and has done since it was made or cleared: a snapshot.
struct CacheInfo {
  uint64_t hits = 0, misses = 0;
  std::map<std::string, uint64_t, std::less<>> bypasses;
  size_t size = 0;  ///< entries
};

}  // namespace ersatz
