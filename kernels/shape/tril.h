// The lower and the upper triangle of matrices: `tril`, `triu`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_tril {

inline constexpr Schema kTril{"aten::{}(Tensor self, SymInt diagonal=0) -> Tensor"};

}  // namespace ersatz::op_tril

namespace ersatz::ops {

/// A row-major copy with zeros above the diagonal that lies `diagonal` columns to the right of the main one.
/// [tril.C1] two dims at least.
Tensor tril(const Tensor& self, SymInt diagonal = 0);
/// The same with zeros below it.
/// [triu.C1] two dims at least.
Tensor triu(const Tensor& self, SymInt diagonal = 0);
Tensor tril_(const Tensor& self, SymInt diagonal = 0);
Tensor triu_(const Tensor& self, SymInt diagonal = 0);

}  // namespace ersatz::ops
