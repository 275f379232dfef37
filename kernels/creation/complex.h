// Complex tensors from two real ones: `complex`, `polar`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/creation/complex.h"

namespace ersatz::op_complex {

/// Returns real + i * imag. Sizes broadcast; the layout is that of an elementwise operator.
/// [complex.C1] the sizes of the two tensors broadcast.
/// [complex.C2] both tensors have one dtype, f16, f32 or f64.
inline constexpr TypedSchema kComplex{"aten::complex(Tensor real, Tensor imag) -> Tensor"};
/// Returns abs * (cos(angle) + i * sin(angle)).
/// [polar.C1] the sizes of the two tensors broadcast.
/// [polar.C2] both tensors have one dtype, f16, f32 or f64.
inline constexpr TypedSchema kPolar{"aten::polar(Tensor abs, Tensor angle) -> Tensor"};

/// The two arguments of both operators: `real` and `imag`, or `abs` and `angle`.
inline constexpr Schema kPair{"aten::{}(Tensor {0}, Tensor {1}) -> Tensor"};

}  // namespace ersatz::op_complex
