// Compares what autograd recorded for results of a live run with ersatz's autograd: requires_grad, leaves, nodes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ersatz::tools {

/// Counts of calls by two names: a reason or class, then the operator.
using CallCounts = std::map<std::string, std::map<std::string, int64_t>>;

struct GradientCounts {
  int64_t compared = 0;  ///< calls whose results' flags were compared
  CallCounts left_out;   ///< calls with gradients that were not compared, by reason

  void add(const GradientCounts& other);
  /// `gradients: 41 calls compared, 3 not`, and a line for each reason.
  std::string text() const;
};

}  // namespace ersatz::tools
