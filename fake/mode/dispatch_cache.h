// The dispatch cache: what a mode remembers of calls that it answered before.
//
// Which calls are looked up is the mode's policy (FakeOptions::cache); what a key and an answer are is said in
// cache_key.h and cached_answer.h. A call that could be looked up but is not is counted with the reason:
//
//   `not our fake`, `non-fake tensor`           an argument was converted
//   `constant attribute`                        an argument's or result's value is known
//   `symbolic shape`, `symbolic nbytes`         an argument's or result's
//   `data dependent output`, `dynamic output shape`, `inplace view`, `lift`, `CompositeImplicitAutograd`
//                                               by the op; the parts of a composite are calls of their own
//   `non-builtin`                               a plugin's op that does not declare that its answers last
//   the op's own name                           it only writes: there is no answer
//   `random kernel`, `sample fill`              a run of the kernel on made-up inputs that another would not repeat
//   `one tensor returned twice`                 by a kernel
//   `too many arguments`
//
// Invariants
// D1  Every call of a mode that keeps answers, and that does not raise, is exactly one of hit, miss and bypass.
// D2  At most `capacity` entries: the one used longest ago makes room.
// D3  No entry holds a tensor, a storage or a mode.
// Any thread.
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

  /// The answer, counted as a hit; null if there is none, not counted.
  Ref<const CachedAnswer> find(const CacheKey& key);
  /// Remembers an answer, counted as a miss. Where another thread was quicker, its answer stays.
  void insert(const OpEntry& op, const CacheKey& key, Ref<const CachedAnswer> answer);
  void note_bypass(std::string_view reason);

  uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }
  CacheInfo info() const;
  /// Most recently used first.
  std::vector<CacheEntryInfo> entries() const;
  /// Forgets entries and counts.
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
  CacheInfo counts_;  // `hits` and `size` are not kept here
  std::atomic<uint64_t> hits_{0};
};

}  // namespace ersatz
