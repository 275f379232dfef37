// The key of a cached answer: everything that a rule may read of a call, as 64-bit words.
//
// Per call: the op, the fallback permission and the whole RuleContext. Per argument: its kind and value (1, 1.0 and
// true differ; lists keep their nesting). Per tensor: the whole metadata with flags, the bytes of its storage, and the
// first tensor argument that is the same object or has the same storage. Keys are compared word by word, so different
// calls have different keys. No word is the address of a tensor or storage, which could be reused.
//
// In one mode, calls with equal keys have equal answers.
#pragma once

#include "fake/mode/fake_options.h"
#include "runtime/base/context.h"

namespace ersatz {

class CacheKey {
 public:
  /// The most words of a key. A call that needs more is not cached.
  static constexpr size_t kMostWords = 4096;

  /// Stores the key of a call in this object. Returns an empty text, or the reason why the call has no key (a bypass
  /// reason of dispatch_cache.h).
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
