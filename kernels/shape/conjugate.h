// Conjugates and negatives as bits of a view, and the real and imaginary parts of a complex tensor.
//
// A conjugate view has the memory of its source. Ops that read the numbers resolve the bit by copying.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/conjugate.h"

namespace ersatz::op_conjugate {

/// A view of a complex tensor with the conjugate bit flipped.
/// [_conj.C1] the tensor is complex.
inline constexpr TypedSchema kConj{"aten::_conj(Tensor(a) self) -> Tensor(a)"};
/// A view with the negative bit flipped; of any dtype.
inline constexpr TypedSchema kNegView{"aten::_neg_view(Tensor(a) self) -> Tensor(a)"};
/// conj: `_conj`, or the tensor itself if it is real.
/// resolve_conj: the tensor itself if its conjugate bit is not set, else a copy with conjugated elements.
/// resolve_neg: the tensor itself if its negative bit is not set, else a copy with negated elements.
/// real: a view of the real parts, or the tensor itself if it is real.
inline constexpr TypedSchema kConjugate{"aten::{}(Tensor(a) self) -> Tensor(a)", "conj", "resolve_conj", "resolve_neg",
                                        "real"};
/// A view of the imaginary parts; its negative bit is set if the source is a conjugate view.
/// [imag.C1] the tensor is complex.
inline constexpr TypedSchema kImag{"aten::imag(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_conjugate
