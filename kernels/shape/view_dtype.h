// Views with another element type: `view.dtype`, `view_as_real`, `view_as_complex`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_dtype.h"

namespace ersatz::op_view_dtype {

/// Reads the storage as `dtype`. If element sizes differ, the last dim grows or shrinks.
/// [view.C4] self has no lazy conjugate or negation bit.
/// [view.C5] for different element sizes: self has at least one dim, and the last has stride 1.
/// [view.C6] for larger elements: the ratio divides the last size, the offset and all other strides.
inline constexpr TypedSchema kViewDtype{"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"};
/// Views complex numbers as pairs of real numbers: adds a last dim of size 2.
/// [view_as_real.C1] the dtype is complex (TypeError).
/// [view_as_real.C2] self is not a conjugate view.
inline constexpr TypedSchema kViewAsReal{"aten::view_as_real(Tensor(a) self) -> Tensor(a)"};
/// Views pairs of real numbers as complex numbers.
/// [view_as_complex.C1] the dtype is f16, f32 or f64 (TypeError).
/// [view_as_complex.C2] the last dim has size 2.
/// [view_as_complex.C3] its stride is 1.
/// [view_as_complex.C4] the other strides and the offset are even.
inline constexpr TypedSchema kViewAsComplex{"aten::view_as_complex(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_view_dtype
