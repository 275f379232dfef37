// Gradients of a convolution, computed as convolutions. First and second derivatives use these functions.
#pragma once

#include "kernels/conv/attributes.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/transpose.h"

namespace ersatz::op_convolution {

/// Returns the first sizes[d] positions of each spatial dim d of `t`.
inline Tensor cropped(Tensor t, std::span<const SymInt> sizes) {
  for (size_t d = 2; d < sizes.size(); ++d) t = ops::slice(t, static_cast<int64_t>(d), SymInt(0), sizes[d]);
  return t;
}
/// Returns the channels of group `group`. `dim` is the dim of the channels.
inline Tensor group_of(const Tensor& t, int64_t dim, int64_t group, int64_t groups) {
  const SymInt each = floor_div(t.sizes()[static_cast<size_t>(dim)], SymInt(groups));
  return ops::slice(t, dim, each * SymInt(group), each * SymInt(group + 1));
}

/// Returns the gradient of the input, given `grad`, the gradient of the convolution's result. It is a convolution of
/// `grad` with the weight: transposed if the original convolution is ordinary, and ordinary if the original is
/// transposed. `a` has the attributes of the original convolution. output_padding is computed from `input_sizes`.
inline Tensor gradient_of_input(const Tensor& grad, const Tensor& weight, std::span<const SymInt> input_sizes,
                                Attributes a) {
  a.output_padding = DimVec(input_sizes.size() - 2, SymInt(0));
  const auto each = [](const DimVec& v, size_t d) { return v[v.size() == 1 ? 0 : d]; };
  // output_padding adds the positions at the end of each dim that no window of the original convolution reached
  if (!a.transposed) {
    for (size_t d = 0; d + 2 < input_sizes.size(); ++d) {
      const SymInt reach = each(a.dilation, d) * (weight.sizes()[d + 2] - 1) + 1;
      const SymInt covered = (grad.sizes()[d + 2] - 1) * each(a.stride, d) - 2 * each(a.padding, d) + reach;
      a.output_padding[d] = input_sizes[d + 2] - covered;
    }
  }
  a.transposed = !a.transposed;
  return cropped(convolve(grad, weight, Tensor(), a), input_sizes);
}

/// Returns the gradient of one group's weight, as a convolution. Element [i, o, k] is the sum over images n and
/// positions y:
///
///     low[n, o, y] * high[n, i, y * stride + k * dilation - padding]
///
/// Here o is a channel of `low`, and i a channel of `high`. For an ordinary convolution `high` is the input and `low`
/// the gradient of the result. For a transposed convolution `high` is the gradient and `low` the input. The result may
/// have more positions k than the weight.
inline Tensor gradient_of_group(const Tensor& high, const Tensor& low, const Attributes& a) {
  return convolve(ops::transpose(high, 0, 1), ops::transpose(low, 0, 1), Tensor(),
                  {a.dilation, a.padding, a.stride, DimVec(high.sizes().size() - 2, SymInt(0))});
}

}  // namespace ersatz::op_convolution
