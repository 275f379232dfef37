// How a float is spelled everywhere: the shortest digits that read back to the same double.
#pragma once

#include <string>

namespace ersatz {

/// `2.0`, `0.1`, `1e+30`, `nan`, `-inf`: always recognisable as a float.
std::string float_text(double value);

}  // namespace ersatz
