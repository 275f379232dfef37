// DDP's warning: "Grad strides do not match bucket view strides".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ersatz {

/// Lists as the text has them: `[64, 3, 1, 1]`; empty where it does not say.
struct GradientStrides {
  std::string sizes, strides, bucket_sizes, bucket_strides;
  size_t at = 0;  ///< which line of the text
};

std::optional<GradientStrides> gradient_strides(const std::vector<std::string>& lines);

}  // namespace ersatz
