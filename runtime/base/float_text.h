// The spelling of floats in all output: the shortest digits that read back to the same double.
#pragma once

#include <string>

namespace ersatz {

/// Returns `2.0`, `0.1`, `1e+30`, `nan` or `-inf`. The text never reads as an integer.
std::string float_text(double value);

}  // namespace ersatz
