// In a fake mode, ops return fakes: tensors with metadata and without data. Nothing is computed, and no memory for data
// is allocated.
//
//   FakeMode mode;
//   Tensor x = mode.from_tensor(real);            // same metadata, no data
//   {
//     FakeScope scope(mode);
//     Tensor y = ops::relu(x);                    // fake
//     Tensor z = ops::zeros({8}, ..., cuda(0));   // fake too: no GPU and no driver needed
//   }
//   y.is_fake();                                  // true; ops on y go to `mode` also without a scope
//
// Ownership: a `FakeMode` is a handle. Every fake keeps its mode's state alive. The state keeps no tensor alive,
// because its memo has weak references, so there is no cycle.
// Threads: several threads may share a mode, each with its own scopes; locks guard the mode's state. Threads that write
// one tensor must synchronise, as for real tensors.
// Authors of modes use the state in fake_mode_state.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fake/mode/cache_info.h"
#include "fake/mode/coverage.h"
#include "fake/mode/fake_options.h"
#include "fake/mode/fallback_event.h"
#include "fake/mode/real_report.h"
#include "runtime/op/mode.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class FakeModeState;

class FakeMode {
 public:
  explicit FakeMode(FakeOptions options = {});
  explicit FakeMode(Ref<FakeModeState> state);

  /// Returns the fake of a tensor. Each call returns the same object while the tensor and the fake live. Views of one
  /// storage become views of one fake storage. A fake of this mode is returned unchanged; a fake of another mode is
  /// converted like a real tensor. With a ShapeEnv, sizes may become symbols (fake/mode/symbolic_context.h).
  /// Raises UnsupportedFakeTensor if the tensor cannot be fake. Raises InvalidArgument if `asked` contradicts itself,
  /// the tensor, or the tensor's earlier conversion.
  Tensor from_tensor(const Tensor& t, const FromTensorOptions& asked = {}) const;
  /// Returns the fake of a meta tensor on `device`. Raises InvalidArgument if the tensor is not on the meta device.
  Tensor from_meta(const Tensor& meta_tensor, Device device) const;
  /// Returns a fake with a known value: a copy of `value`, a real CPU tensor of at most one element. Raises
  /// InvalidArgument for other tensors and for parameters.
  Tensor from_constant(const Tensor& value) const;
  /// Makes a fake with its own storage. Nullopt for `storage_bytes`: the storage has the bytes that `meta` needs.
  Tensor make(TensorMeta meta, std::optional<SymInt> storage_bytes = std::nullopt) const;
  /// Makes a fake view of an existing fake storage.
  Tensor make_on(const Ref<Storage>& storage, TensorMeta meta) const;

  bool owns(const Tensor& t) const { return t && t.impl()->fake_mode == owner_; }
  const FakeOptions& options() const;
  /// Returns the call stack that made the mode, one call per line.
  const std::string& stack() const;
  /// Returns the fallbacks that the mode has run, oldest first.
  std::vector<FallbackEvent> fallbacks() const;
  // With propagate_real (docs/real-values.md):
  /// Gives a fake without a value a copy of `real` as its value. Raises InvalidArgument if the fake has a value or
  /// belongs to another mode, or if the metadata differ.
  void attach_real(const Tensor& fake, const Tensor& real) const;
  /// Returns the lost values, the reads of data and the wrong rules up to now.
  RealReport real_report() const;
  /// Frees every real tensor that a fake carries.
  void drop_real() const;
  /// Return the number and the bytes of the real storages that fakes carry.
  size_t real_copies() const;
  int64_t real_bytes() const;
  /// Returns how often each source answered calls of each op. Empty if FakeOptions::count_sources is false.
  Coverage coverage() const;
  /// Returns counts by name if FakeOptions::count_sources. `calls.mode` counts calls in a scope or in a composite op's
  /// body, `calls.tensor` other calls with a fake argument. `answered.rule`, `answered.cache` and so on count the
  /// sources.
  std::map<std::string, int64_t> counters() const;
  /// Return the number of live entries in the converter's memo: of tensors, and of storages.
  size_t tensor_memo_size() const;
  size_t storage_memo_size() const;
  /// Returns the counts of the dispatch cache. `cache_entries` returns the cache's entries, most recently used first,
  /// and `cache_clear` removes entries and counts.
  CacheInfo cache_info() const;
  std::vector<CacheEntryInfo> cache_entries() const;
  void cache_clear() const;

  /// For authors of modes (fake_mode_state.h).
  FakeModeState& state() const;
  bool operator==(const FakeMode&) const = default;

 private:
  Ref<FakeOwner> owner_;  // the FakeModeState
};

/// Returns the mode of a fake; nullopt for a real tensor.
std::optional<FakeMode> mode_of(const Tensor& t);

/// Returns the real tensor that a fake carries (propagate_real); undefined if there is none.
Tensor real_value(const Tensor& fake);

/// Returns the known value of a fake as a real tensor; undefined if the value is unknown.
Tensor known_value(const Tensor& fake);

/// Returns the call stack that made a fake, if its mode keeps stacks; else an empty text.
std::string creation_stack(const Tensor& t);

/// Makes a fake mode active on this thread until the end of the scope. Entering the active mode again does nothing.
class FakeScope {
 public:
  explicit FakeScope(const FakeMode& mode);
  FakeScope(const FakeScope&) = delete;
  FakeScope& operator=(const FakeScope&) = delete;

 private:
  FakeMode mode_;
  std::optional<ModeGuard> guard_;
};

/// Returns the text of a call for messages and reports: `aten.select.int(f32[4]@cpu, 0, 0)`.
std::string render_call(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
