// Parses DDP's warning: "Grad strides do not match bucket view strides".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ersatz {

/// Sizes and strides in the text's spelling, `[64, 3, 1, 1]`; empty if the text does not give them.
struct GradientStrides {
  std::string sizes, strides, bucket_sizes, bucket_strides;
  size_t at = 0;  ///< index of the warning's line in the text
};

std::optional<GradientStrides> gradient_strides(const std::vector<std::string>& lines);

}  // namespace ersatz
