// Sums of products over named dims: Einstein's notation, contraction over lists of dims, and trilinear forms.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/einsum.h"

namespace ersatz::op_einsum {

/// The equation names each operand's dims by letters; those that the result does not name are summed over. `...` stands
/// for dims that broadcast; a letter twice in an operand takes its diagonal. Without `->` the result has the dims of
/// the ellipsis and the letters that stand once, capitals first. Operands are multiplied in their order, or by
/// `path`, which names two at a time; a product goes to the front, with a path to the end.
/// [einsum.C1] one operand at least.
/// [einsum.C2] letters, spaces, one ellipsis an operand, commas, `->`; as many operands as the equation has.
/// [einsum.C3] each operand has the dims that it names, those of one letter fit.
/// [einsum.C4] the result names letters of operands, each once.
/// [einsum.C5] `path` names two different operands for each product.
inline constexpr TypedSchema kEinsum{"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"};

/// Sums over dims_self of self and dims_other of other, two by two; of a dim of size 1 the other one is summed.
/// [tensordot.C1] as many dims of both.
/// [tensordot.C2] one dtype.
/// [tensordot.C3] their sizes are equal, or 1.
inline constexpr TypedSchema kTensordot{
    "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"};

/// The product of three operands, which get dims of size 1 at expand1, expand2 and expand3, summed over sumdim; made of
/// products for each position of unroll_dim.
/// [_trilinear.C1] unroll_dim is a dim of the result with the summed ones.
/// [_trilinear.C2] dims of the operands have one size, or 1.
inline constexpr TypedSchema kTrilinear{
    "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int "
    "unroll_dim=1) -> Tensor"};
/// input1 [..., n] and input2 [..., m] with weight [out, n, m]: the sum of input1[i] weight[o, i, j] input2[j], plus
/// bias.
/// [bilinear.C1] the inputs have the same sizes but for the last, which are weight's.
/// [bilinear.C2] bias has weight's first size.
/// [bilinear.C3] inputs and weight have one dtype.
inline constexpr TypedSchema kBilinear{
    "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"};

}  // namespace ersatz::op_einsum
