// Checks the parts of composite nodes, call by call.
//
// Normally only the results of a composite node are compared. A descent runs its body again on copies of the real
// arguments, with each part crosschecked as a call of its own. Results of most parts were not recorded and are
// `unwitnessed`. Their writes, unwritten elements and shared memory are checked. Parts have a separate report.
#pragma once

#include <optional>

#include "fake/crosscheck/crosscheck_mode.h"

namespace ersatz::tools {

class Descent {
 public:
  explicit Descent(CrosscheckOptions options) : options_(std::move(options)) {}

  /// Checks the parts of `op`. Findings get the name `node`. Errors of the body are ignored: the check of the node
  /// reports them. REQUIRES: a composite op.
  void into(const OpEntry& op, std::string_view node, std::span<const Value> real_args);
  Report finish() { return mode_ ? mode_->finish() : Report(); }

 private:
  CrosscheckOptions options_;
  std::optional<CrosscheckMode> mode_;  ///< made for the first composite
};

}  // namespace ersatz::tools
