// Crosscheck under C++ calls: every op that is called while the mode is active runs fake beside real.
//
//   CrosscheckMode mode;
//   {
//     ModeGuard guard(mode);
//     Tensor y = my_model(x);        // the real result, as without the mode
//   }
//   Report report = mode.finish();
//
// Composite ops are taken apart: their parts are checked. The mode keeps no real tensor alive; it keeps a fake for each
// real tensor that still lives, so that sharing and metadata accumulate on the fake side as on the real one.
#pragma once

#include <unordered_map>

#include "fake/crosscheck.h"

namespace ersatz {

class CrosscheckMode final : public Mode {
 public:
  explicit CrosscheckMode(CrosscheckOptions options = {});

  ModeOrder order() const override { return ModeOrder::Fake; }
  std::string_view mode_name() const override { return "crosscheck"; }
  /// Answers the real results; raises what the real call raises, or MetadataMismatch with stop_at_first.
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  /// What was found so far; the mode starts afresh.
  Report finish();
  const Report& report() const { return check_.report(); }

 private:
  struct Pair {
    WeakRef<TensorImpl> real;
    Tensor fake;
  };
  Value fake_of(const Value& real);
  Tensor fake_of(const Tensor& real);
  void remember(const Value& real, const Value& fake);

  Crosscheck check_;
  std::unordered_map<const void*, Pair> pairs_;  // by weak cell, which the pair keeps: never reused
  size_t purge_at_ = 256;
};

}  // namespace ersatz
