// Products of vectors: vdot, inner, linalg_vecdot, addr; and addbmm, which sums the products of a batch.
//
// vdot(self, other)             sum of conj(self) * other of two vectors
// inner(self, other)            sums over the last dims of both; with a 0-d operand the product
// linalg_vecdot(x, y, dim)      sum over `dim` of conj(x) * y, broadcast
// addr(self, vec1, vec2)        beta * self + alpha * vec1 (x) vec2
// addbmm(self, batch1, batch2)  beta * self + alpha * the sum of the batch's products
//
// [vdot.C1] operands have one dtype if one is real and the other complex. Other refusals have the labels `dot.C1` to
//           `dot.C3`.
// [inner.C1] the last dims have one size.
// [linalg_vecdot.C2] x and y have one dtype; it is a float or complex one.
// [addr.C1] vec1 and vec2 have one dim. [addr.C2] self expands to the product; in place it has its sizes. [addr.C3]
// beta and alpha fit the dtype: no float for integers, no complex for reals.
// [addbmm.C1] both batches are 3-d. [addbmm.C2] they fit. [addbmm.C3] self expands to one product.
// Source: the ATen ops of these names.
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
