// Crosscheck for C++ code: each op that is called under the mode runs fake and for real.
//
//   CrosscheckMode mode;
//   {
//     ModeGuard guard(mode);
//     Tensor y = my_model(x);        // the real result, as without the mode
//   }
//   Report report = mode.finish();
//
// Composite ops are decomposed, and their parts are checked. Each call has new fakes, with the metadata and the storage
// sharing that its real arguments have now. So no failure of one op affects the next, and the mode keeps no tensor
// alive. Calls with a tensor that cannot be fake are not checked.
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
  /// Returns the real results; raises what the real call raises, or MetadataMismatch with stop_at_first.
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  /// Sets the node name that findings of later calls get.
  void set_node(std::string name);
  /// Returns the report. Then the mode starts with an empty report, on any thread.
  Report finish();
  const Report& report() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
