// What a remembered answer depends on: everything that a rule may read of a call, as words.
//
// Per call: the op, the fallback permission and the whole RuleContext. Per argument: its kind and value (1, 1.0 and
// true differ; lists keep their nesting). Per tensor: the whole metadata with flags, the bytes of its storage, and
// which earlier tensor argument is the same object or has the same storage. Keys are compared word by word, so two
// calls that differ never meet; nothing that may be recycled (an address, say) is a word.
//
// A value type: equal keys of one mode mean equal answers. Any thread.
#pragma once

#include "fake/mode/fake_options.h"
#include "runtime/base/context.h"

namespace ersatz {

class CacheKey {
 public:
  /// The most words a key may have: a call with more arguments is not worth remembering.
  static constexpr size_t kMostWords = 4096;

  /// Makes this the key of a call. Returns why it has none (a bypass reason of dispatch_cache.h), empty where it has.
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
