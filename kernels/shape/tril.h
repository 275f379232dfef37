// The lower and the upper triangle of matrices: `tril`, `triu`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/tril.h"

namespace ersatz::op_tril {

/// A row-major copy with zeros above the diagonal that lies `diagonal` columns to the right of the main one.
/// [tril.C1] two dims at least.
/// The same with zeros below it.
/// [triu.C1] two dims at least.
inline constexpr TypedSchema kTril{"aten::{}(Tensor self, SymInt diagonal=0) -> Tensor", kAndInplace, "tril", "triu"};

}  // namespace ersatz::op_tril
