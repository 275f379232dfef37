// The dispatch cache: a fake mode's answers to earlier calls.
//
// FakeOptions::cache selects the ops whose answers are cached. cache_key.h describes the keys, cached_answer.h the
// answers. If a call of these ops bypasses the cache, or its answer cannot be cached, a bypass is counted with one of
// these reasons:
//
//   `not our fake`, `non-fake tensor`           an argument was converted to a fake of the mode
//   `constant attribute`                        the value of an argument or result is known
//   `symbolic shape`, `symbolic nbytes`         an argument or result has symbols
//   `data dependent output`, `dynamic output shape`, `inplace view`, `lift`, `CompositeImplicitAutograd`
//                                               the op has this property; calls in a composite's body may be cached
//   `non-builtin`                               the op of a plugin lacks the flag ERSATZ_LASTING_ANSWERS
//   the op's own name                           the op only writes, and has no result
//   `random kernel`, `sample fill`              a second run of the kernel on synthetic inputs could differ
//   `one tensor returned twice`                 a kernel returned one tensor as two results
//   `too many arguments`
//
// Invariants
// D1  Each call of an op whose answers are cached counts as one hit, miss or bypass, unless it raises an error.
// D2  The cache has at most `capacity` entries. A full cache drops the least recently used one.
// D3  An entry owns no tensor, storage or mode.
//
// Any thread may use a cache.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>

#include "fake/mode/cache_info.h"
#include "fake/mode/cache_key.h"
#include "fake/mode/cached_answer.h"

namespace ersatz {

class DispatchCache {
 public:
  explicit DispatchCache(size_t capacity) : capacity_(capacity) {}

  /// Returns the answer for the key and counts a hit. If there is no answer, returns null and counts nothing.
  Ref<const CachedAnswer> find(const CacheKey& key);
  /// Stores an answer and counts a miss. If another thread has stored an answer for the key, that answer stays.
  void insert(const OpEntry& op, const CacheKey& key, Ref<const CachedAnswer> answer);
  void note_bypass(std::string_view reason);

  uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }
  CacheInfo info() const;
  /// Returns the entries, most recently used first.
  std::vector<CacheEntryInfo> entries() const;
  /// Removes all entries and counts.
  void clear();

 private:
  struct Entry {
    CacheKey key;
    const OpEntry* op;
    Ref<const CachedAnswer> answer;
    uint64_t hits = 0;
  };
  struct Hash {
    size_t operator()(const CacheKey* k) const { return k->hash(); }
  };
  struct Equal {
    bool operator()(const CacheKey* a, const CacheKey* b) const { return *a == *b; }
  };

  const size_t capacity_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;                                                             // most recently used first
  std::unordered_map<const CacheKey*, std::list<Entry>::iterator, Hash, Equal> by_key_;  // keys of the entries
  CacheInfo counts_;  // misses and bypasses; `info` adds `hits` and `size`
  std::atomic<uint64_t> hits_{0};
};

}  // namespace ersatz
