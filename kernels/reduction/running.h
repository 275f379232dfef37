// What running sums and products are kept in: halves in f32, f32 in f64, rounded once per element; integers wrap
// around.
#pragma once

#include "kernels/compute_type.h"

namespace ersatz {

template <class T>
using Running_t = std::conditional_t<std::is_same_v<Compute_t<T>, T>, Total_t<T>, Compute_t<T>>;

}  // namespace ersatz
