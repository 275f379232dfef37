// The same bytes as another element type: `view.dtype`, `view_as_real`, `view_as_complex`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_dtype.h"

namespace ersatz::op_view_dtype {

/// The storage read as `dtype`; the last dim grows or shrinks where the element sizes differ.
/// [view.C4] no conjugate or negated view.
/// [view.C5] different element sizes: at least one dim, the last of stride 1.
/// [view.C6] larger elements: the last size, the offset and all other strides divide by the ratio.
inline constexpr TypedSchema kViewDtype{"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"};
/// Complex as pairs of real numbers: a new last dim of size 2.
/// [view_as_real.C1] a complex dtype (type error).
/// [view_as_real.C2] no conjugate view.
inline constexpr TypedSchema kViewAsReal{"aten::view_as_real(Tensor(a) self) -> Tensor(a)"};
/// Pairs of real numbers as complex.
/// [view_as_complex.C1] f16, f32 or f64 (type error).
/// [view_as_complex.C2] a last dim of size 2.
/// [view_as_complex.C3] its stride is 1.
/// [view_as_complex.C4] the other strides and the offset are even.
inline constexpr TypedSchema kViewAsComplex{"aten::view_as_complex(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_view_dtype
