// What a fake mode is, for authors of modes: what its handles and its fakes hold, and how it answers calls.
//
// The hot path is `FakeModeState::call` (fake_call.cpp): a call on fakes of this mode that an op's rule answers costs
// less than a hundred nanoseconds, and each frame, each copy of a small vector and each function that is handed
// arguments by reference costs a tenth of that. So this one loop over the arguments is written by hand, the results are
// made in it, and it makes no Answer. All other calls go through `answer`, whose steps a FakeCall (fake_call.h) takes.
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

/// The state of a mode; its handles and each of its fakes hold it.
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
  /// The results of a call remember its caller. REQUIRES: the mode keeps stacks.
  static void note_stacks(std::span<const Value> results);

  /// Are the op's answers cached, by the mode's policy? Never under propagate-real.
  bool keeps_answers(const OpEntry& op) const {
    return keeps_all_ || (keeps_costly_ && (op.costly_rule || (!op.rule && !op.composite)));
  }
  /// Counts a call that the mode has begun to answer.
  void count_call() { watched_.fetch_add(1, std::memory_order_relaxed); }

  const FakeOptions options;
  /// Calls are logged at debug level, or counted: asked once, so that silent modes do not pay.
  const bool logs_calls, watches_calls;
  const Ref<CallStack> made_at;
  /// With propagate_real: the values that the fakes carry; else null.
  const Ref<RealValues> reals;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;

 public:
  // Parts of the state, which live as long as it:
  FakeConverter& converter;
  FallbackLog& fallbacks;
  Constants& constants;
  DispatchCache& cache;

  /// Which sources answered so far, with `count_sources`. Any thread.
  Coverage coverage() const;
  /// Named counters of the same: how calls reached the mode, and which sources answered them.
  std::map<std::string, int64_t> counters() const;
  /// The same, and counting starts afresh.
  Coverage take_coverage();

 private:
  void count(const OpEntry& op, const Answer& answer);
  const bool keeps_all_, keeps_costly_;
  std::atomic<uint64_t> epoch_{0};
  std::atomic<int64_t> watched_{0}, routed_by_tensor_{0};
};

}  // namespace ersatz
