// Complex tensors made of two real ones: `complex`, `polar`.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// real + i * imag; sizes broadcast, the layout is that of an elementwise op.
/// [complex.C1] sizes that broadcast.
/// [complex.C2] two tensors of one dtype, f32 or f64.
Tensor complex(const Tensor& real, const Tensor& imag);
/// abs * (cos(angle) + i * sin(angle)).
/// [polar.C1] sizes that broadcast.
/// [polar.C2] two tensors of one dtype, f32 or f64.
Tensor polar(const Tensor& abs, const Tensor& angle);

}  // namespace ersatz::ops
