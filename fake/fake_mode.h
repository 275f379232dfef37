// Fake mode: ops answer metadata, nothing is computed and no byte is allocated.
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
// Threads: a mode may be used by one thread at a time; the converter's memo alone is guarded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/fake_converter.h"
#include "fake/fallback_event.h"
#include "runtime/mode.h"

namespace ersatz {

/// Read once, when the mode is made.
struct FakeOptions {
  /// For ops without a rule. `Rule`: as each op declares; `Zeros`: they run their kernel on made-up inputs unless the
  /// op refuses that; `Refuse`: none does, whatever it declares.
  FallbackPolicy fallback = FallbackPolicy::Rule;
  /// What made-up inputs hold; empty: as the op declares.
  std::optional<Fill> fill;
  /// The most that made-up inputs of one call may take, checked before anything is allocated.
  int64_t fallback_bytes = int64_t(1) << 30;
  /// Real tensors among the arguments are converted instead of refused.
  bool allow_non_fake_inputs = false;
  /// May fakes live on the meta device?
  bool allow_meta = true;
};

/// What a mode is; held by its handles and by each of its fakes.
class FakeModeState final : public FakeOwner, public Mode {
 public:
  explicit FakeModeState(FakeOptions options);

  ModeOrder order() const override { return ModeOrder::Fake; }
  std::string_view mode_name() const override { return "fake"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;
  void call_owned(const OpEntry& op, std::span<const Value> args, Values& results) override { call(op, args, results); }

  const FakeOptions options;
  FakeConverter converter;
  FallbackLog fallbacks;

 private:
  void call_own(const OpEntry& op, std::span<const Value> args, Values& results);
  void call_with_foreign(const OpEntry& op, std::span<const Value> args, Values& results);
  void call_without_rule(const OpEntry& op, std::span<const Value> args, Values& results);
  void refuse_meta(const OpEntry& op, const RuleResult& rule) const;
};

class FakeMode {
 public:
  explicit FakeMode(FakeOptions options = {}) : state_(make_ref<FakeModeState>(std::move(options))) {}
  explicit FakeMode(Ref<FakeModeState> state) : state_(std::move(state)) {}

  /// The fake of a tensor, the same object each time while both live. Views of one storage become views of one fake
  /// storage of the same size. A fake of this mode is answered as it is; one of another mode is converted like a real
  /// tensor. What cannot be fake raises UnsupportedFakeTensor and leaves nothing behind.
  Tensor from_tensor(const Tensor& t) const { return state_->converter.convert(t); }
  /// The fake, on `device`, of a meta tensor. Another tensor is an InvalidArgument.
  Tensor from_meta(const Tensor& meta_tensor, Device device) const {
    return state_->converter.convert_meta(meta_tensor, device);
  }
  /// A fake with a storage of its own, of the metadata's extent or of `storage_bytes`.
  Tensor make(TensorMeta meta, std::optional<SymInt> storage_bytes = std::nullopt) const;
  /// A fake view of an existing fake storage.
  Tensor make_on(const Ref<Storage>& storage, TensorMeta meta) const;

  bool owns(const Tensor& t) const { return t && t.impl()->fake_mode == state_; }
  const FakeOptions& options() const { return state_->options; }
  /// Every fallback that the mode ran, oldest first.
  const FallbackLog& fallbacks() const { return state_->fallbacks; }
  /// Live entries of the converter's memo.
  size_t tensor_memo_size() const { return state_->converter.tensor_memo_size(); }
  size_t storage_memo_size() const { return state_->converter.storage_memo_size(); }

  FakeModeState& state() const { return *state_; }
  bool operator==(const FakeMode&) const = default;

 private:
  Ref<FakeModeState> state_;
};

/// The mode that a fake belongs to; empty for a real tensor.
std::optional<FakeMode> mode_of(const Tensor& t);

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
