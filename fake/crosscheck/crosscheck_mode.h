// Crosscheck for C++ code: each op that is called under the mode has a fake and a real run.
//
//   CrosscheckMode mode;
//   {
//     ModeGuard guard(mode);
//     Tensor y = my_model(x);        // the real result, as without the mode
//   }
//   Report report = mode.finish();
//
// The ops that a composite op calls are checked in its place. For each call the mode makes new fakes, with the metadata
// and the storage sharing of the real arguments. So a wrong op does not affect the check of the next one, and the mode
// keeps no tensor alive. A call with a tensor that cannot be fake is not checked.
//
// The mode belongs to the thread of its first call until `finish`. RAISES: InvalidArgument for calls of another thread.
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
  /// Makes the call. Returns the real results, and raises the error of the real call, or MetadataMismatch with
  /// stop_at_first.
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  /// Sets the node name of findings about later calls.
  void set_node(std::string name);
  /// Returns the report and starts an empty one. Another thread may use the mode from then on.
  Report finish();
  const Report& report() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
