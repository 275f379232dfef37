// Sums of products over named dims: einsum, tensordot, trilinear and bilinear forms.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/einsum.h"

namespace ersatz::op_einsum {

/// The equation names the dims of each operand by letters. Dims that the result does not name are summed. `...` names
/// dims that broadcast. A letter that occurs twice in an operand selects the diagonal of the two dims.
///
/// Without `->`, the result has the dims of the ellipsis, then the letters that occur once, capitals first. `path`
/// names two operands for each product, and the product is appended to the list of operands. Without `path`, the first
/// two operands are multiplied until one is left, and each product becomes the first operand.
/// [einsum.C1] there is at least one operand.
/// [einsum.C2] the equation has only letters, spaces, commas, `->` and one ellipsis per operand, and names as many
/// operands as there are tensors.
/// [einsum.C3] each operand has as many dims as the equation names for it, and dims with one letter broadcast.
/// [einsum.C4] the result names only letters of the operands, each at most once.
/// [einsum.C5] `path` names two different operands for each product.
inline constexpr TypedSchema kEinsum{"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"};

/// Multiplies self and other, and sums over pairs of dims: dims_self[i] of self and dims_other[i] of other. If one dim
/// of a pair has size 1, the other dim of the pair is summed.
/// [tensordot.C1] dims_self and dims_other have one length.
/// [tensordot.C2] self and other have one dtype.
/// [tensordot.C3] the two dims of a pair have equal sizes, or one of them has size 1.
inline constexpr TypedSchema kTensordot{
    "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"};

/// The elementwise product of three operands, unsqueezed at the dims expand1, expand2 and expand3, and summed over the
/// dims sumdim. The sum is computed for one position of unroll_dim after the other.
/// [_trilinear.C1] unroll_dim is a dim of the unsummed result.
/// [_trilinear.C2] the operands' sizes in each dim are equal or 1.
inline constexpr TypedSchema kTrilinear{
    "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int "
    "unroll_dim=1) -> Tensor"};
/// Result [..., o] is the sum over i and j of input1[..., i] weight[o, i, j] input2[..., j], plus bias[o]. The sizes
/// are input1 [..., n], input2 [..., m] and weight [out, n, m].
/// [bilinear.C1] input1 and input2 have equal sizes except in the last dim, whose sizes are n and m of weight.
/// [bilinear.C2] bias has as many elements as the first dim of weight.
/// [bilinear.C3] inputs and weight have one dtype.
inline constexpr TypedSchema kBilinear{
    "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"};

}  // namespace ersatz::op_einsum
