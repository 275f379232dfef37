// Checks the parts of composite nodes: the operator calls that a composite operator makes.
//
// Normally only the results of a composite node are compared. A descent runs the body of the node again on copies of
// the real arguments, and crosschecks each call in it. The results of most of these calls were not recorded, so they
// count as `unwitnessed`. Their writes, unwritten elements and shared memory are checked. The parts have a separate
// report.
#pragma once

#include <optional>

#include "fake/crosscheck/crosscheck_mode.h"

namespace ersatz::tools {

class Descent {
 public:
  explicit Descent(CrosscheckOptions options) : options_(std::move(options)) {}

  /// Checks the parts of `op`. Findings get the node name `node`. If the body raises, the error is ignored, because the
  /// check of the node reports it. REQUIRES: `op` is composite.
  void into(const OpEntry& op, std::string_view node, std::span<const Value> real_args);
  Report finish() { return mode_ ? mode_->finish() : Report(); }

 private:
  CrosscheckOptions options_;
  std::optional<CrosscheckMode> mode_;  ///< made when the first composite node is checked
};

}  // namespace ersatz::tools
