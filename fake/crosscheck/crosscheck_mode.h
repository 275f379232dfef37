// Crosscheck under C++ calls: every op that is called while the mode is active runs fake beside real.
//
//   CrosscheckMode mode;
//   {
//     ModeGuard guard(mode);
//     Tensor y = my_model(x);        // the real result, as without the mode
//   }
//   Report report = mode.finish();
//
// Composite ops are taken apart: their parts are checked. Nothing is carried from call to call: each one gets fakes of
// its own, with the metadata and the sharing that its real arguments have at that moment, so no failure of one op can
// reach the next, and the mode keeps no tensor alive. A tensor that cannot be fake leaves its calls unchecked.
//
// Threads: the mode belongs to the thread of its first call until `finish`; a call of another thread is refused.
#pragma once

#include <memory>

#include "fake/crosscheck/crosscheck.h"

namespace ersatz {

class CrosscheckMode final : public Mode {
 public:
  explicit CrosscheckMode(CrosscheckOptions options = {});
  ~CrosscheckMode() override;

  ModeOrder order() const override { return ModeOrder::Fake; }
  std::string_view mode_name() const override { return "crosscheck"; }
  /// Returns the real results; raises what the real call raises, or MetadataMismatch with stop_at_first.
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  /// Findings of the calls from now on carry this name, as those of a program's node do.
  void set_node(std::string name);
  /// What was found so far; the mode starts afresh, on any thread.
  Report finish();
  const Report& report() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
