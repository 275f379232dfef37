// Another shape, as a view where strides allow it, else as a copy.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_reshape {

inline constexpr Schema kReshape{"aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)"};
inline constexpr Schema kReshapeAs{"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)"};
inline constexpr Schema kFlattenUsingInts{
    "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"};
inline constexpr Schema kRavel{"aten::ravel(Tensor(a) self) -> Tensor(a)"};

}  // namespace ersatz::op_reshape

namespace ersatz::ops {

/// The same elements in row-major order as `shape`; one dim may be -1.
/// [reshape.C1] at most one size is -1, none is less.
/// [reshape.C2] the sizes hold as many elements as the input has.
Tensor reshape(const Tensor& self, std::span<const SymInt> shape);
/// `reshape` to the sizes of `other`.
Tensor reshape_as(const Tensor& self, const Tensor& other);
/// Dims `start_dim` to `end_dim` as one; `self` itself if they are the same dim. A 0-d tensor becomes 1-d.
/// [flatten.C1] start_dim does not come after end_dim.
Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1);
/// One dimension; `self` itself if it is contiguous and 1-d already.
Tensor ravel(const Tensor& self);

}  // namespace ersatz::ops
