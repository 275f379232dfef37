// The types that running sums and products are computed in: f32 for f16 and bf16, f64 for f32. Each element of the
// result is rounded once. Integers wrap around.
#pragma once

#include "kernels/compute_type.h"

namespace ersatz {

template <class T>
using Running_t = std::conditional_t<std::is_same_v<Compute_t<T>, T>, Total_t<T>, Compute_t<T>>;

}  // namespace ersatz
