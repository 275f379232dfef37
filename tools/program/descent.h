// Looking into composite nodes: their parts under crosscheck, one by one.
//
// A composite is judged as the program wrote it: by what it returns. When that is wrong, or to be sure of the kernels
// inside, a descent runs its body once more on copies of the real arguments, with each part checked as a call of its
// own. What the parts return was not recorded, so most of them are `unwitnessed`; what they write, leave unwritten or
// share is looked at. Parts count in a report of their own.
#pragma once

#include <optional>

#include "fake/crosscheck/crosscheck_mode.h"

namespace ersatz::tools {

class Descent {
 public:
  explicit Descent(CrosscheckOptions options) : options_(std::move(options)) {}

  /// REQUIRES: a composite op. Findings get the node's name. What the body raises is left to the check of the node
  /// itself.
  void into(const OpEntry& op, std::string_view node, std::span<const Value> real_args);
  Report finish() { return mode_ ? mode_->finish() : Report(); }

 private:
  CrosscheckOptions options_;
  std::optional<CrosscheckMode> mode_;  ///< made for the first composite
};

}  // namespace ersatz::tools
