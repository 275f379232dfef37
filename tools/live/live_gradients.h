// What autograd says of the results of a live run, compared with the engine of ersatz: requires_grad, leaves, nodes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ersatz::tools {

/// Numbers of calls by two names: a reason or class, then the operator.
using CallCounts = std::map<std::string, std::map<std::string, int64_t>>;

struct GradientCounts {
  int64_t compared = 0;  ///< calls of which the flags of results were compared
  CallCounts left_out;   ///< calls that gradients go through and that were not compared, by reason

  void add(const GradientCounts& other);
  /// `gradients: 41 calls compared, 3 not`, and a line for each reason.
  std::string text() const;
};

}  // namespace ersatz::tools
