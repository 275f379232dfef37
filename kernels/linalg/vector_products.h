// Products of vectors: vdot, inner, linalg_vecdot, addr; and addbmm, which sums the products of a batch.
//
// vdot(self, other)             sum of conj(self) * other of two vectors
// inner(self, other)            sums over the last dims of both; self * other if one is 0-d
// linalg_vecdot(x, y, dim)      sum over `dim` of conj(x) * y, where x and y broadcast
// addr(self, vec1, vec2)        beta * self + alpha * vec1 (x) vec2
// addbmm(self, batch1, batch2)  beta * self + alpha * the sum of the batch's products
//
// [vdot.C1] both operands are real, or both are complex. Other errors have the labels `dot.C1` to `dot.C3`.
// [inner.C1] the last dims of self and other have one size.
// [linalg_vecdot.C2] x and y have one dtype, which is a float or complex dtype.
// [addr.C1] vec1 and vec2 have one dim. [addr.C2] self expands to the product. In addr_, self has the product's sizes.
// [addr.C3] beta and alpha fit the dtype: no float for integers, no complex number for real dtypes.
// [addbmm.C1] both batches are 3-d. [addbmm.C2] both batches have equally many matrices, whose inner sizes agree.
// [addbmm.C3] self expands to the sizes of one product.
// All behave like the ATen operators of these names.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/vector_products.h"

namespace ersatz::op_vector_products {

inline constexpr TypedSchema kVdot{"aten::vdot(Tensor self, Tensor other) -> Tensor"};
inline constexpr TypedSchema kInner{"aten::inner(Tensor self, Tensor other) -> Tensor"};
inline constexpr TypedSchema kVecdot{"aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor"};
inline constexpr TypedSchema kAddr{
    "aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};
inline constexpr Schema kAddrInplace{
    "aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)"};
inline constexpr TypedSchema kAddbmm{
    "aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"};
inline constexpr Schema kAddbmmInplace{
    "aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)"};

}  // namespace ersatz::op_vector_products
