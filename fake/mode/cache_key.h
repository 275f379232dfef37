// The key of a cached answer: all that a rule may read of a call, as 64-bit words.
//
// A key has the op, the fallback permission and the whole RuleContext. For each argument it has the kind and value: 1,
// 1.0 and true differ, and lists keep their nesting. For each tensor it has the whole metadata with flags and the bytes
// of its storage. It also has the numbers of the first tensor argument that is the same object, and of the first on the
// same storage. Keys are compared word by word, so different calls have different keys. No word is the address of a
// tensor or storage, because addresses are reused.
//
// In one mode, calls with equal keys have equal answers.
#pragma once

#include "fake/mode/fake_options.h"
#include "runtime/base/context.h"

namespace ersatz {

class CacheKey {
 public:
  /// The largest number of words in a key. A call that needs more is not cached.
  static constexpr size_t kMostWords = 4096;

  /// Stores the key of a call in this object and returns an empty text. If the call has no key, returns the reason,
  /// which is a bypass reason of dispatch_cache.h.
  std::string_view make(const OpEntry& op, std::span<const Value> args, const RuleContext& context,
                        const FakeOptions& options);

  bool operator==(const CacheKey& o) const { return hash_ == o.hash_ && words_ == o.words_; }
  size_t hash() const { return hash_; }

 private:
  friend class KeyWriter;
  InlineVec<uint64_t, 40> words_;
  size_t hash_ = 0;
};

}  // namespace ersatz
