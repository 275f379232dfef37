// Describes the entries and counts of a fake mode's dispatch cache (dispatch_cache.h) for users.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ersatz {

struct CacheEntryInfo {
  std::string op;
  std::string answer;  ///< the results' metadata; `in0` is tensor argument 0 itself, `~in0` means that a result shares
                       ///< its storage
  uint64_t hits = 0;
};

/// A snapshot of the counts since the cache was made or cleared.
struct CacheInfo {
  uint64_t hits = 0, misses = 0;
  std::map<std::string, uint64_t, std::less<>> bypasses;
  size_t size = 0;  ///< number of entries
};

}  // namespace ersatz
