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
// The hot path is `FakeModeState::call` (fake_call.cpp): a call on fakes of this mode that an op's rule answers costs
// less than a hundred nanoseconds, and each frame, each copy of a small vector and each function that is handed
// arguments by reference costs a tenth of that. So this one loop over the arguments is written by hand, `finish` is put
// into it, and it makes no Answer. Everything else takes the way of `answer`, which looks at the arguments as `call`
// does and then says in words what happens.
//
// Ownership: a `FakeMode` is a handle. Every fake keeps its mode's state alive; the state never keeps a tensor alive
// (its memo is weak), so there is no cycle to leak.
// Threads: any number may share a mode, each with scopes of its own; what the mode keeps is guarded. Two threads that
// change one tensor have to order themselves, as for real tensors.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fake/mode/answer.h"
#include "fake/mode/constants.h"
#include "fake/mode/coverage.h"
#include "fake/mode/dispatch_cache.h"
#include "fake/mode/fake_converter.h"
#include "fake/mode/fake_options.h"
#include "fake/mode/fallback_event.h"
#include "fake/mode/real_values.h"
#include "runtime/op/mode.h"
#include "runtime/tensor/fake_owner.h"

namespace ersatz {

/// What a mode is; held by its handles and by each of its fakes.
class FakeModeState final : public FakeOwner, public Mode {
 public:
  explicit FakeModeState(FakeOptions options);
  ~FakeModeState() override;

  ModeOrder order() const override { return ModeOrder::Fake; }
  std::string_view mode_name() const override { return "fake"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;
  void call_owned(const OpEntry& op, std::span<const Value> args, Values& results) override {
    if (watches_calls) [[unlikely]]
      routed_by_tensor_.fetch_add(1, std::memory_order_relaxed);
    call(op, args, results);
  }

  /// The same call, with how it was answered. Where it raises, `answer` holds what was known until then.
  void answer(const OpEntry& op, std::span<const Value> args, Answer& answer);
  /// The same for a caller who counts sources for itself (`count_answer`).
  void answer_uncounted(const OpEntry& op, std::span<const Value> args, Answer& answer);

  bool allows_data_pointer() const override { return options.allow_data_pointer; }

  /// Advances where symbols for sizes and numbers that depend on data are to be made anew: with each run of a program.
  uint64_t epoch() const { return epoch_.load(std::memory_order_relaxed); }
  void advance_epoch() { epoch_.fetch_add(1, std::memory_order_relaxed); }

  /// A fake of its own storage that knows the value, of which it keeps a copy. REQUIRES: Constants::qualifies(value).
  Tensor make_known(const Tensor& value);
  /// The fake, which remembers the caller as its maker if the mode keeps stacks and it remembers none.
  Tensor note_made(Tensor fake) const;

  const FakeOptions options;
  /// Calls are logged at debug level, or counted: asked once, so that silent modes do not pay.
  const bool logs_calls, watches_calls;
  const Ref<CallStack> made_at;
  /// With propagate_real: the values that the fakes carry; else null.
  const Ref<RealValues> reals;
  FakeConverter converter;
  FallbackLog fallbacks;
  Constants constants;
  DispatchCache cache;

  /// Which sources answered so far, with `count_sources`. Any thread.
  Coverage coverage() const;
  /// Named counters of the same: how calls reached the mode, and which sources answered them.
  std::map<std::string, int64_t> counters() const;
  /// The same, and counting starts afresh.
  Coverage take_coverage();

 private:
  friend class PropagatedCall;
  class Parts;
  /// What decides, before anything else, which source answers a call.
  struct Operands {
    bool any = false, foreign = false;  ///< tensors; tensors that are not the mode's
    bool extra = false;                 ///< they carry something beside their metadata
  };
  Operands look(std::span<const Value> args) const;
  void call_slowly(const OpEntry& op, std::span<const Value> args, Operands operands, Values& results);
  void answer(const OpEntry& op, std::span<const Value> args, Operands operands, Answer& answer);
  void answer_uncounted(const OpEntry& op, std::span<const Value> args, Operands operands, Answer& answer);
  /// Are the op's answers cached, by the mode's policy? Never under propagate-real.
  bool keeps_answers(const OpEntry& op) const {
    return keeps_all_ || (keeps_costly_ && (op.costly_rule || (!op.rule && !op.composite)));
  }
  /// A call whose tensors are all the mode's.
  void answer_on_fakes(const OpEntry& op, std::span<const Value> args, Operands operands, bool may_look_up,
                       Answer& answer);
  void answer_afresh(const OpEntry& op, std::span<const Value> args, Answer& answer);
  /// `makes_symbols`: for what depends on data, where the mode has a ShapeEnv.
  void ask_rule(const OpEntry& op, std::span<const Value> args, Answer& answer, bool makes_symbols = true);
  /// Makes the results of a rule's answer.
  void finish(const OpEntry& op, std::span<const Value> args, RuleResult& rule, Values& results, bool values_known);
  void finish_by_rule(const OpEntry& op, std::span<const Value> args, Answer& answer, bool values_known);
  void note_writes(const OpEntry& op, std::span<const Value> args, const RuleResult& rule, bool values_known);
  // cached_call.cpp
  void answer_cached(const OpEntry& op, std::span<const Value> args, Answer& answer);
  void answer_again(const OpEntry& op, std::span<const Value> args, const CachedAnswer& known, Answer& answer);
  void note_bypass(const OpEntry& op, std::string_view reason);
  /// Are there nothing but known values among the tensors, and does the op work on values?
  static bool works_on_known_values(const OpEntry& op, std::span<const Value> args);
  /// Known values live on the CPU: does a result not?
  static bool leaves_cpu(const RuleResult& rule);
  /// False: not all arguments are known, or the op does not work on values.
  bool answer_on_known_values(const OpEntry& op, std::span<const Value> args, Answer& answer);
  /// The arguments as the mode's own, for a call with tensors that are not. Raises where they may not be converted.
  std::vector<Value> adopt(const OpEntry& op, std::span<const Value> args);
  bool holds_other_mode(std::span<const Value> args) const;
  void answer_without_rule(const OpEntry& op, std::span<const Value> args, Answer& answer);
  void answer_by_parts(const OpEntry& op, std::span<const Value> args, Answer& answer);
  [[noreturn]] void refuse_foreign(const OpEntry& op, std::span<const Value> args) const;
  void refuse_meta(const OpEntry& op, const RuleResult& rule) const;
  void answer_with_values(const OpEntry& op, std::span<const Value> args, Answer& answer);
  void note_stacks(std::span<const Value> results);

  const bool keeps_all_, keeps_costly_;
  std::atomic<uint64_t> epoch_{0};
  std::atomic<int64_t> watched_{0}, routed_by_tensor_{0};
  mutable std::mutex coverage_mutex_;
  Coverage coverage_;
};

class FakeMode {
 public:
  explicit FakeMode(FakeOptions options = {}) : state_(make_ref<FakeModeState>(std::move(options))) {}
  explicit FakeMode(Ref<FakeModeState> state) : state_(std::move(state)) {}

  /// The fake of a tensor, the same object each time while both live. Views of one storage become views of one fake
  /// storage of the same size. A fake of this mode is returned as it is; one of another mode is converted like a real
  /// tensor. What cannot be fake raises UnsupportedFakeTensor and leaves nothing behind. With a ShapeEnv sizes become
  /// symbols (fake/mode/symbolic_context.h); InvalidArgument where `asked` contradicts itself, the tensor or what the
  /// tensor was converted with before.
  Tensor from_tensor(const Tensor& t, const FromTensorOptions& asked = {}) const {
    return state_->note_made(state_->converter.convert(t, asked, state_->epoch()));
  }
  /// The fake, on `device`, of a meta tensor. Another tensor is an InvalidArgument.
  Tensor from_meta(const Tensor& meta_tensor, Device device) const {
    return state_->note_made(state_->converter.convert_meta(meta_tensor, device));
  }
  /// A fake that knows its value: `value` is a real CPU tensor of one element, copied. Parameters are refused.
  Tensor from_constant(const Tensor& value) const;
  /// A fake with a storage of its own, of the metadata's extent or of `storage_bytes`.
  Tensor make(TensorMeta meta, std::optional<SymInt> storage_bytes = std::nullopt) const;
  /// A fake view of an existing fake storage.
  Tensor make_on(const Ref<Storage>& storage, TensorMeta meta) const;

  bool owns(const Tensor& t) const { return t && t.impl()->fake_mode == state_; }
  const FakeOptions& options() const { return state_->options; }
  /// Where the mode was made: text, one call a line, put together when it is first asked for.
  const std::string& stack() const { return state_->made_at->text(); }
  /// Every fallback that the mode ran, oldest first.
  std::vector<FallbackEvent> fallbacks() const { return state_->fallbacks.events(); }
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
  Coverage coverage() const { return state_->coverage(); }
  /// `calls.mode` (made in a scope, or parts of composites), `calls.tensor` (routed by a fake outside of one),
  /// `answered.rule`, `answered.cache` and so on for each source that answered; all 0 without `count_sources`.
  std::map<std::string, int64_t> counters() const { return state_->counters(); }
  /// Live entries of the converter's memo.
  size_t tensor_memo_size() const { return state_->converter.tensor_memo_size(); }
  size_t storage_memo_size() const { return state_->converter.storage_memo_size(); }
  /// What the dispatch cache did so far; its entries, most recently used first; forgetting both.
  CacheInfo cache_info() const { return state_->cache.info(); }
  std::vector<CacheEntryInfo> cache_entries() const { return state_->cache.entries(); }
  void cache_clear() const { state_->cache.clear(); }

  FakeModeState& state() const { return *state_; }
  bool operator==(const FakeMode&) const = default;

 private:
  Ref<FakeModeState> state_;
};

/// The mode that a fake belongs to; empty for a real tensor.
std::optional<FakeMode> mode_of(const Tensor& t);

/// The real tensor that a fake carries beside it, or undefined.
Tensor real_value(const Tensor& fake);

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
