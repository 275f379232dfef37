// `im2col` makes columns of image patches, and `col2im` adds columns up to images. torch.nn.Unfold and Fold call them.
//
// A patch has kernel_size positions, `dilation` apart. Patches begin `stride` apart in an image with `padding` zeros
// around it. The input is one image or a batch. Results are row-major. For an empty batch, `out` may have any dtype.
// Constraints, where `op` is the op's name:
//
// [op.C1]  each list has two numbers; sizes, dilation and stride are positive, and padding is not negative.
// [op.C2]  self has three or four dims (col2im: two or three), and only the batch may have size 0.
// [op.C3]  there is at least one patch.
// [col2im.C4]  self has the sizes that im2col returns for an image of output_size.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/conv/patches.h"

namespace ersatz::op_patches {

/// Converts [batch, channels, height, width] to [batch, channels * kernel height * kernel width, patches].
inline constexpr TypedSchema kIm2col{
    "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"};
/// The reverse of im2col: converts columns to images. Elements of overlapping patches are added.
inline constexpr TypedSchema kCol2im{
    "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
    "stride) "
    "-> Tensor"};

}  // namespace ersatz::op_patches
