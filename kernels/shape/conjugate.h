// Conjugates and negatives as bits of a view, and the real and imaginary parts of a complex tensor.
//
// A conjugate or negative view shares the memory of its source. An op that reads elements applies the bit in a copy.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/conjugate.h"

namespace ersatz::op_conjugate {

/// Returns a view of a complex tensor with the conjugate bit flipped.
/// [_conj.C1] the tensor is complex.
inline constexpr TypedSchema kConj{"aten::_conj(Tensor(a) self) -> Tensor(a)"};
/// Returns a view with the negative bit flipped. `self` may have any dtype.
inline constexpr TypedSchema kNegView{"aten::_neg_view(Tensor(a) self) -> Tensor(a)"};
/// conj: returns `_conj(self)`, or `self` if it is real.
/// resolve_conj: returns `self` if its conjugate bit is not set, else a copy with conjugated elements.
/// resolve_neg: returns `self` if its negative bit is not set, else a copy with negated elements.
/// real: returns a view of the real parts, or `self` if it is real.
inline constexpr TypedSchema kConjugate{"aten::{}(Tensor(a) self) -> Tensor(a)", "conj", "resolve_conj", "resolve_neg",
                                        "real"};
/// Returns a view of the imaginary parts. Its negative bit is set if `self` is a conjugate view.
/// [imag.C1] the tensor is complex.
inline constexpr TypedSchema kImag{"aten::imag(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_conjugate
