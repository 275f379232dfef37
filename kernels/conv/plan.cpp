#include "kernels/conv/plan.h"

namespace ersatz {
namespace {

/// True if a 3-d tensor, viewed as an image of height 1, has channels-last strides. Like in ATen, the stride of the new
/// dim is size * stride of the last dim.
bool row_is_channels_last(std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  const SymInt image[] = {sizes[0], sizes[1], 1, sizes[2]};
  const SymInt steps[] = {strides[0], strides[1], sizes[2] * strides[2], strides[2]};
  return is_channels_last_strides(image, steps);
}

bool looks_channels_last(const TensorMeta& t) {
  switch (t.dim()) {
    case 4:
      return is_channels_last_strides(t.sizes, t.strides);
    case 5:
      return is_channels_last_3d_strides(t.sizes, t.strides);
    default:
      return row_is_channels_last(t.sizes, t.strides);
  }
}

/// True if the weight has several 1x1 kernels over one channel. Its layout then does not influence the result's layout.
bool scales_one_channel(const TensorMeta& weight, const ConvParams& p) {
  if (p.transposed || p.groups != 1 || size_eq(weight.sizes[0], 1)) return false;
  for (size_t d = 1; d < weight.sizes.size(); ++d) {
    if (size_ne(weight.sizes[d], 1)) return false;
  }
  return true;
}

}  // namespace

bool onednn_takes(const TensorMeta& in, const TensorMeta& weight, const ConvParams& p) {
  if (in.dtype != DType::BF16 && in.dtype != DType::F32) return false;
  for (int d = 0; p.transposed && d < p.spatial; ++d) {
    if (p.output_padding[d] >= p.stride[d]) return false;
  }
  if (in.dtype == DType::BF16) return true;
  // ATen uses its own loops for a single image if the product of its sizes is small. For 3-d images, ATen omits the
  // last dim from this product.
  const bool large_kernel =
      p.spatial > 1 && size_gt(weight.sizes[size_t(p.spatial)], 3) && size_gt(weight.sizes[size_t(p.spatial) + 1], 3);
  if (p.groups > 1 || large_kernel || size_gt(in.sizes[0], 1)) return true;
  SymInt points = 1;
  for (size_t d = 0; d < std::min<size_t>(in.sizes.size(), 4); ++d) points *= in.sizes[d];
  return size_gt(points, 20480);
}

bool format_is_of_machine(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device) {
  if (!device.is_cpu() || p.spatial != 3) return false;
  const bool channels_last =
      (looks_channels_last(weight) && !scales_one_channel(weight, p)) || looks_channels_last(input);
  if (!channels_last || input.dtype != DType::F32) return channels_last && input.dtype == DType::F16;
  bool moves_by_one = true;
  for (int d = 0; d < 3; ++d) moves_by_one = moves_by_one && p.stride[d] == 1 && p.dilation[d] == 1;
  return moves_by_one && onednn_takes(input, weight, p) && !size_gt(input.sizes[0], 15) &&
         size_eq(weight.sizes[3], 1) && size_eq(weight.sizes[4], 1);
}

MemoryFormat convolution_format(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device) {
  bool channels_last = looks_channels_last(weight) && !scales_one_channel(weight, p);
  if (!channels_last) {
    if (p.spatial != 1) {
      channels_last = looks_channels_last(input);
    } else {
      // ATen makes a 1-d input contiguous first. A channels-last 1-d input counts as channels-last only if its
      // contiguous strides are channels-last too.
      channels_last = is_contiguous(input) && row_is_channels_last(input.sizes, input.strides);
      if (!channels_last && !is_contiguous(input)) {
        const DimVec strides = contiguous_strides(input.sizes);
        channels_last = row_is_channels_last(input.sizes, strides);
      }
    }
  }
  if (!channels_last) [[likely]]
    return MemoryFormat::Contiguous;
  if (device.is_cuda()) {
    if (!is_float(input.dtype) || input.dtype == DType::F64) return MemoryFormat::Contiguous;
  } else if (p.spatial == 3 && !onednn_takes(input, weight, p)) {
    return MemoryFormat::Contiguous;
  }
  return p.spatial == 3 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
}

DimVec convolution_strides(std::span<const SymInt> sizes, MemoryFormat format) {
  if (format == MemoryFormat::Contiguous) return contiguous_strides(sizes);
  if (sizes.size() != 3) return strides_for(sizes, format);
  // A 1-d result [n, channels, width] with innermost channels has strides {channels * width, 1, channels}.
  DimVec strides;
  strides.push_back(sizes[1] * sizes[2]);
  strides.push_back(1);
  strides.push_back(sizes[1]);
  return strides;
}

}  // namespace ersatz
