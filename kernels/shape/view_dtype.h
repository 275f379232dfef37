// Views with another dtype: `view.dtype`, `view_as_real`, `view_as_complex`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_dtype.h"

namespace ersatz::op_view_dtype {

/// Returns a view of self's memory as elements of `dtype`. If the element sizes differ, the last dim grows or shrinks.
/// [view.C4] self has no lazy conjugate or negation bit.
/// [view.C5] if the element sizes differ, self is not 0-d and its last dim has stride 1.
/// [view.C6] if elements become larger, the ratio divides the last size, the offset and all other strides.
inline constexpr TypedSchema kViewDtype{"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"};
/// Returns a view of complex numbers as pairs of real numbers: a new last dim has size 2.
/// [view_as_real.C1] the dtype is complex (TypeError).
/// [view_as_real.C2] self is not a conjugate view.
inline constexpr TypedSchema kViewAsReal{"aten::view_as_real(Tensor(a) self) -> Tensor(a)"};
/// Returns a view of pairs of real numbers as complex numbers; the last dim is removed.
/// [view_as_complex.C1] the dtype is f16, f32 or f64 (TypeError).
/// [view_as_complex.C2] the last dim has size 2.
/// [view_as_complex.C3] the last dim has stride 1.
/// [view_as_complex.C4] all other strides and the offset are even.
inline constexpr TypedSchema kViewAsComplex{"aten::view_as_complex(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_view_dtype
