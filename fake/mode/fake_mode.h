// Fake mode: ops return fakes, tensors with metadata and no data; nothing is computed and no byte is allocated.
//
//   FakeMode mode;
//   Tensor x = mode.from_tensor(real);            // same metadata, no data
//   {
//     FakeScope scope(mode);
//     Tensor y = ops::relu(x);                    // fake
//     Tensor z = ops::zeros({8}, ..., cuda(0));   // fake too: no GPU and no driver needed
//   }
//   y.is_fake();                                  // still; ops on y go to `mode` without a scope
//
// Ownership: a `FakeMode` is a handle. Every fake keeps its mode's state alive; the state never keeps a tensor alive
// (its memo is weak), so there is no cycle to leak.
// Threads: any number may share a mode, each with scopes of its own; what the mode keeps is guarded. Two threads that
// change one tensor have to order themselves, as for real tensors.
// The state itself, for authors of modes, is in fake_mode_state.h.
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

  /// The fake of a tensor, the same object each time while both live. Views of one storage become views of one fake
  /// storage of the same size. A fake of this mode is returned as it is; one of another mode is converted like a real
  /// tensor. What cannot be fake raises UnsupportedFakeTensor and leaves nothing behind. With a ShapeEnv sizes become
  /// symbols (fake/mode/symbolic_context.h); InvalidArgument where `asked` contradicts itself, the tensor or what the
  /// tensor was converted with before.
  Tensor from_tensor(const Tensor& t, const FromTensorOptions& asked = {}) const;
  /// The fake, on `device`, of a meta tensor. Another tensor is an InvalidArgument.
  Tensor from_meta(const Tensor& meta_tensor, Device device) const;
  /// A fake that knows its value: `value` is a real CPU tensor of one element, copied. Parameters are refused.
  Tensor from_constant(const Tensor& value) const;
  /// A fake with a storage of its own, of the metadata's extent or of `storage_bytes`.
  Tensor make(TensorMeta meta, std::optional<SymInt> storage_bytes = std::nullopt) const;
  /// A fake view of an existing fake storage.
  Tensor make_on(const Ref<Storage>& storage, TensorMeta meta) const;

  bool owns(const Tensor& t) const { return t && t.impl()->fake_mode == owner_; }
  const FakeOptions& options() const;
  /// Where the mode was made: text, one call a line, put together when it is first asked for.
  const std::string& stack() const;
  /// Every fallback that the mode ran, oldest first.
  std::vector<FallbackEvent> fallbacks() const;
  // With propagate_real (docs/real-values.md):
  /// Gives a fake that was made without one a value: a copy of `real`, which has its metadata.
  void attach_real(const Tensor& fake, const Tensor& real) const;
  /// Where values were lost, data was read and rules were wrong so far.
  RealReport real_report() const;
  /// Frees every real tensor that a fake carries.
  void drop_real() const;
  /// Real storages that fakes carry, and the bytes that they take.
  size_t real_copies() const;
  int64_t real_bytes() const;
  /// Which source answered each op, and how often; empty without `count_sources`.
  Coverage coverage() const;
  /// `calls.mode` (made in a scope, or parts of composites), `calls.tensor` (routed by a fake outside of one),
  /// `answered.rule`, `answered.cache` and so on for each source that answered; all 0 without `count_sources`.
  std::map<std::string, int64_t> counters() const;
  /// Live entries of the converter's memo.
  size_t tensor_memo_size() const;
  size_t storage_memo_size() const;
  /// What the dispatch cache did so far; its entries, most recently used first; forgetting both.
  CacheInfo cache_info() const;
  std::vector<CacheEntryInfo> cache_entries() const;
  void cache_clear() const;

  /// For authors of modes (fake_mode_state.h).
  FakeModeState& state() const;
  bool operator==(const FakeMode&) const = default;

 private:
  Ref<FakeOwner> owner_;  // the FakeModeState
};

/// The mode that a fake belongs to; empty for a real tensor.
std::optional<FakeMode> mode_of(const Tensor& t);

/// The real tensor that a fake carries beside it, or undefined.
Tensor real_value(const Tensor& fake);

/// The known value of a fake: a real tensor, or undefined.
Tensor known_value(const Tensor& fake);

/// Where a fake was made, if its mode keeps stacks; else empty.
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

/// `aten.select.int(f32[4]@cpu, 0, 0)`: a call as messages and reports show it.
std::string render_call(const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
