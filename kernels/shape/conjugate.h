// Conjugates and negatives that are bits of a view, and the real and imaginary parts of a complex tensor.
//
// A conjugate view reads the memory of its source; ops that need the numbers resolve the bit by copying.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/conjugate.h"

namespace ersatz::op_conjugate {

/// A view of a complex tensor that reads as its conjugate; of a conjugate view, one that reads as it was.
/// [_conj.C1] a complex tensor.
inline constexpr TypedSchema kConj{"aten::_conj(Tensor(a) self) -> Tensor(a)"};
/// A view that reads as the negative; the elements may be of any dtype.
inline constexpr TypedSchema kNegView{"aten::_neg_view(Tensor(a) self) -> Tensor(a)"};
/// The same, and a real tensor itself.
/// The tensor itself if it is no conjugate view, else a copy of what it reads as.
/// The same for negative views.
/// The real parts as a view; a real tensor itself.
inline constexpr TypedSchema kConjugate{"aten::{}(Tensor(a) self) -> Tensor(a)", "conj", "resolve_conj", "resolve_neg",
                                        "real"};
/// The imaginary parts as a view, negative if the source is a conjugate view.
/// [imag.C1] a complex tensor.
inline constexpr TypedSchema kImag{"aten::imag(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_conjugate
