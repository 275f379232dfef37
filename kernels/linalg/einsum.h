// Sums of products over named dims: einsum, tensordot, trilinear and bilinear forms.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/einsum.h"

namespace ersatz::op_einsum {

/// The equation names each operand's dims by letters. Dims that the result does not name are summed. `...` names dims
/// that broadcast. A letter that occurs twice in an operand takes its diagonal.
/// Without `->` the result has the dims of the ellipsis, then the letters that occur once, capitals first. `path` names
/// two operands for each product, which is appended to the list. Without `path` operands are multiplied in order, and a
/// product goes to the front of the list.
/// [einsum.C1] one operand at least.
/// [einsum.C2] only letters, spaces, commas, `->` and one ellipsis per operand; as many operands as in the equation.
/// [einsum.C3] each operand has the dims that it names, and dims with one letter broadcast.
/// [einsum.C4] the result names only letters of operands, each once.
/// [einsum.C5] `path` names two different operands for each product.
inline constexpr TypedSchema kEinsum{"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"};

/// Multiplies and sums over pairs of dims, dims_self[i] of self with dims_other[i] of other. If one of a pair has size
/// 1, the other is summed.
/// [tensordot.C1] both lists have one length.
/// [tensordot.C2] one dtype.
/// [tensordot.C3] the sizes of a pair are equal, or one is 1.
inline constexpr TypedSchema kTensordot{
    "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"};

/// The product of three operands, unsqueezed at expand1, expand2 and expand3, summed over sumdim. It is computed for
/// each position of unroll_dim.
/// [_trilinear.C1] unroll_dim is a dim of the unsummed result.
/// [_trilinear.C2] the operands' sizes in a dim are equal or 1.
inline constexpr TypedSchema kTrilinear{
    "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int "
    "unroll_dim=1) -> Tensor"};
/// input1 [..., n] and input2 [..., m] with weight [out, n, m]: the sum of input1[i] weight[o, i, j] input2[j], plus
/// bias.
/// [bilinear.C1] the inputs have equal sizes except in the last dim, whose sizes are those of weight.
/// [bilinear.C2] bias has weight's first size.
/// [bilinear.C3] inputs and weight have one dtype.
inline constexpr TypedSchema kBilinear{
    "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"};

}  // namespace ersatz::op_einsum
