// Complex tensors made of two real ones: `complex`, `polar`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_complex {

inline constexpr Schema kComplex{"aten::complex(Tensor real, Tensor imag) -> Tensor"};
inline constexpr Schema kPolar{"aten::polar(Tensor abs, Tensor angle) -> Tensor"};

/// Both: `real` and `imag`, or `abs` and `angle`.
inline constexpr Schema kPair{"aten::{}(Tensor {0}, Tensor {1}) -> Tensor"};

}  // namespace ersatz::op_complex

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
