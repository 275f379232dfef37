// The lower and the upper triangle of matrices: `tril`, `triu`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/tril.h"

namespace ersatz::op_tril {

/// tril: a row-major copy with zeros above a diagonal, which is `diagonal` columns to the right of the main one.
/// [tril.C1] the input has at least two dims.
/// triu: a row-major copy with zeros below that diagonal.
/// [triu.C1] the input has at least two dims.
inline constexpr TypedSchema kTril{"aten::{}(Tensor self, SymInt diagonal=0) -> Tensor", kAndInplace, "tril", "triu"};

}  // namespace ersatz::op_tril
