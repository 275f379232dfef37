// The types of running sums and products: f32 for halves, f64 for f32, rounded once for each element. Integers wrap
// around.
#pragma once

#include "kernels/compute_type.h"

namespace ersatz {

template <class T>
using Running_t = std::conditional_t<std::is_same_v<Compute_t<T>, T>, Total_t<T>, Compute_t<T>>;

}  // namespace ersatz
