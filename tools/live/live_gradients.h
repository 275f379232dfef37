// Compares autograd's state for results of a live run (requires_grad, is_leaf, grad_fn) with ersatz's autograd.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ersatz::tools {

/// Counts of calls by two names: a reason or class, then the operator.
using CallCounts = std::map<std::string, std::map<std::string, int64_t>>;

struct GradientCounts {
  int64_t compared = 0;  ///< calls whose results' flags were compared
  CallCounts left_out;   ///< calls with gradients that were not compared: reason -> operator -> count

  void add(const GradientCounts& other);
  /// For example `gradients: 41 calls compared, 3 not`, and a line for each reason.
  std::string text() const;
};

}  // namespace ersatz::tools
