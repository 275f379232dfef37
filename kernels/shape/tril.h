// `tril` and `triu`: the lower and the upper triangle of matrices.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/tril.h"

namespace ersatz::op_tril {

/// tril: returns a row-major copy with zeros above the diagonal number `diagonal` (0 is the main one; a positive number
/// counts columns to the right).
/// [tril.C1] self has at least two dims.
/// triu: returns a row-major copy with zeros below that diagonal.
/// [triu.C1] self has at least two dims.
inline constexpr TypedSchema kTril{"aten::{}(Tensor self, SymInt diagonal=0) -> Tensor", kAndInplace, "tril", "triu"};

}  // namespace ersatz::op_tril
