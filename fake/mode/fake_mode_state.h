// The state of a fake mode, for authors of modes. All FakeMode handles and all fakes of the mode share its ownership.
//
// The hot path is `FakeModeState::call` (fake_call.cpp): if the rule answers a call on fakes of this mode, the call
// takes less than 100 ns. Each stack frame, each copy of a small vector and each function with arguments by reference
// adds about 10 ns. So the hot path loops over the arguments by hand, makes the results itself and makes no Answer. All
// other calls are answered by `answer` with a FakeCall (fake_call.h).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "fake/mode/answer.h"
#include "fake/mode/fake_mode.h"

namespace ersatz {

class Constants;      // fake/mode/constants.h
class DispatchCache;  // fake/mode/dispatch_cache.h
class FakeConverter;  // fake/mode/fake_converter.h
class FallbackLog;    // fake/mode/fallback_log.h
class RealValues;     // fake/mode/real_values.h

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

  /// Answers a call, and stores the results and their source in `answer`. If the call raises an error, `answer` keeps
  /// the fields that were set before.
  void answer(const OpEntry& op, std::span<const Value> args, Answer& answer);
  /// Like `answer`, for callers that count sources themselves (`count_answer`).
  void answer_uncounted(const OpEntry& op, std::span<const Value> args, Answer& answer);

  bool allows_data_pointer() const override { return options.allow_data_pointer; }

  /// While the epoch does not change, a tensor keeps its symbols for sizes and numbers that depend on data. Each run of
  /// a program starts a new epoch.
  uint64_t epoch() const { return epoch_.load(std::memory_order_relaxed); }
  void advance_epoch() { epoch_.fetch_add(1, std::memory_order_relaxed); }

  /// Makes a fake with its own storage and a copy of `value` as its known value. REQUIRES: Constants::qualifies(value).
  Tensor make_known(const Tensor& value);
  /// Returns `fake`. If the mode keeps stacks and the fake has no creation stack, stores the current stack in the fake.
  Tensor note_made(Tensor fake) const;
  /// Stores the current stack in each result without a creation stack. REQUIRES: the mode keeps stacks.
  static void note_stacks(std::span<const Value> results);

  /// Returns whether the mode's policy caches the op's answers. With propagate_real, no answers are cached.
  bool keeps_answers(const OpEntry& op) const {
    return keeps_all_ || (keeps_costly_ && (op.costly_rule || (!op.rule && !op.composite)));
  }
  /// Counts a call that the mode starts to answer.
  void count_call() { watched_.fetch_add(1, std::memory_order_relaxed); }

  const FakeOptions options;
  /// logs_calls: calls are logged (debug level). watches_calls: they are logged or counted. The constructor sets both.
  const bool logs_calls, watches_calls;
  const Ref<CallStack> made_at;
  /// The real values that the fakes carry; null without propagate_real.
  const Ref<RealValues> reals;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;

 public:
  // Parts of the state, which live as long as the state:
  FakeConverter& converter;
  FallbackLog& fallbacks;
  Constants& constants;
  DispatchCache& cache;

  /// Returns the counts of sources up to now; empty if FakeOptions::count_sources is false. Any thread may call it.
  Coverage coverage() const;
  /// Returns counts by name (FakeMode::counters).
  std::map<std::string, int64_t> counters() const;
  /// Returns the counts of sources and resets them.
  Coverage take_coverage();

 private:
  void count(const OpEntry& op, const Answer& answer);
  const bool keeps_all_, keeps_costly_;
  std::atomic<uint64_t> epoch_{0};
  std::atomic<int64_t> watched_{0}, routed_by_tensor_{0};
};

}  // namespace ersatz
