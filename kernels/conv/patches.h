// Patches of images as columns, and their sums back: `im2col` and `col2im`, behind torch.nn.Unfold and Fold.
//
// A patch is kernel_size positions, `dilation` apart; patches begin `stride` apart in an image with `padding` zeros
// around it. With one image, or a batch of them. Results are row-major; those of an empty batch may be written to an
// output of any dtype. Constraints, where `op` is the op's name:
//
// [op.C1]  Each list has two numbers; sizes, dilation and stride are positive, padding is not negative.
// [op.C2]  self has three or four dims (two or three of columns), none of size 0 but the batch.
// [op.C3]  There is a patch.
// [col2im.C4]  The columns are those of patches of an image of output_size.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/patches.h"

namespace ersatz::op_patches {

/// [batch, channels, height, width] to [batch, channels * kernel height * kernel width, patches].
inline constexpr TypedSchema kIm2col{
    "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"};
/// The reverse; where patches overlap their elements are added.
inline constexpr TypedSchema kCol2im{
    "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
    "stride) "
    "-> Tensor"};

}  // namespace ersatz::op_patches
