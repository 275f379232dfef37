// Helpers for tests of the dispatch cache.
#pragma once

#include "fake/mode/fake_mode.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

inline FakeMode caching_mode(FakeOptions options = {}) {
  options.cache = CachePolicy::Always;
  return FakeMode(std::move(options));
}

/// Calls an op with one tensor result. Keyword arguments are passed by position.
inline Tensor call_one(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0].tensor(); }

/// Returns (hits, misses).
inline std::pair<uint64_t, uint64_t> counts(const FakeMode& mode) {
  const CacheInfo info = mode.cache_info();
  return {info.hits, info.misses};
}
using Counts = std::pair<uint64_t, uint64_t>;

/// Returns how many calls bypassed the cache for this reason.
inline uint64_t bypasses(const FakeMode& mode, std::string_view reason) {
  const CacheInfo info = mode.cache_info();
  const auto found = info.bypasses.find(reason);
  return found == info.bypasses.end() ? 0 : found->second;
}

inline std::string spelled(const Tensor& t) { return to_string(t.meta(), MetaStyle::Full); }

}  // namespace ersatz
