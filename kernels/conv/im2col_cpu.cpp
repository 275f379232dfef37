#include <algorithm>
#include <complex>
#include <memory>

#include "kernels/conv/conv_problem.h"
#include "kernels/linalg/gemm.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"

namespace ersatz {
namespace {

/// Calls f(row, channel, kd, kh, kw) for each channel of the group and each kernel point. `row` counts the calls from
/// 0.
template <class F>
void for_each_kernel_point(const ConvProblem& p, int64_t channels, F&& f) {
  int64_t row = 0;
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t kd = 0; kd < p.kernel[0]; ++kd) {
      for (int64_t kh = 0; kh < p.kernel[1]; ++kh) {
        for (int64_t kw = 0; kw < p.kernel[2]; ++kw) f(row++, c, kd, kh, kw);
      }
    }
  }
}

/// The range [begin, end) of positions o in [0, count) for which o * stride + shift is in [0, limit).
struct Span {
  int64_t begin, end;
};
Span inside(int64_t count, int64_t stride, int64_t shift, int64_t limit) {
  const int64_t begin = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  const int64_t end = limit - shift <= 0 ? 0 : (limit - shift + stride - 1) / stride;
  return {std::min(begin, count), std::max(std::min(end, count), std::min(begin, count))};
}

/// Finds the pairs of positions that one kernel point connects. A position of the small grid (sizes `count`)
/// corresponds to position * stride - padding + k * dilation in the large grid (sizes `limit`). Calls run(small index,
/// large offset, n) for each run of n positions.
template <class Run>
void walk(const ConvProblem& p, const int64_t (&count)[3], const int64_t (&limit)[3], const int64_t* large_strides,
          const int64_t (&k)[3], Run&& run) {
  int64_t shift[3];
  Span span[3];
  for (int d = 0; d < 3; ++d) {
    shift[d] = k[d] * p.dilation[d] - p.padding[d];
    span[d] = inside(count[d], p.stride[d], shift[d], limit[d]);
  }
  if (span[2].begin == span[2].end) return;
  for (int64_t i = span[0].begin; i < span[0].end; ++i) {
    for (int64_t j = span[1].begin; j < span[1].end; ++j) {
      const int64_t large = (i * p.stride[0] + shift[0]) * large_strides[0] +
                            (j * p.stride[1] + shift[1]) * large_strides[1] +
                            (span[2].begin * p.stride[2] + shift[2]) * large_strides[2];
      run((i * count[1] + j) * count[2] + span[2].begin, large, span[2].end - span[2].begin);
    }
  }
}

template <class T>
MatrixView matrix(const T* data, int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride) {
  return {reinterpret_cast<std::byte*>(const_cast<T*>(data)), rows, cols, row_stride, col_stride, false};
}

/// Returns the distance in memory between neighbouring points of one channel.
int64_t point_stride(const int64_t (&size)[3], const int64_t* strides) {
  for (int d = 2; d >= 0; --d) {
    if (size[d] > 1) return strides[2 + d];
  }
  return 1;
}

/// The weights of a group as a matrix [dim 0, dim 1 * kernel points]. They are copied to `packed` if their strides do
/// not have this layout.
template <class T>
struct GroupWeights {
  std::unique_ptr<T[]> packed;
  const T* data;
};
template <class T>
GroupWeights<T> group_weights(const ConvProblem& p, int64_t first_row, int64_t rows, int64_t channels) {
  const int64_t* s = p.weight_strides;
  const T* from = reinterpret_cast<const T*>(p.weight) + first_row * s[0];
  const int64_t points = p.kernel_points();
  GroupWeights<T> w{std::unique_ptr<T[]>(new T[std::max<int64_t>(rows * channels * points, 1)]), nullptr};
  T* to = w.packed.get();
  for (int64_t r = 0; r < rows; ++r) {
    for_each_kernel_point(p, channels, [&](int64_t k, int64_t c, int64_t kd, int64_t kh, int64_t kw) {
      to[r * channels * points + k] = from[r * s[0] + c * s[1] + kd * s[2] + kh * s[3] + kw * s[4]];
    });
  }
  w.data = to;
  return w;
}

template <class T>
void fill_with_bias(const ConvProblem& p, T* out, int64_t channels, int64_t first_channel) {
  const T* bias = reinterpret_cast<const T*>(p.bias);
  const int64_t step = point_stride(p.out, p.output_strides), points = p.out_points();
  for (int64_t c = 0; c < channels; ++c) {
    const T value = bias ? bias[(first_channel + c) * p.bias_stride] : T(0);
    T* to = out + c * p.output_strides[1];
    for (int64_t i = 0; i < points; ++i) to[i * step] = value;
  }
}

/// Computes out[oc, points] += weights[oc, patch] @ patches[patch, points] for one image and one group.
template <class T>
void convolve(const ConvProblem& p, int64_t image, int64_t group) {
  const int64_t in_channels = p.in_channels / p.groups, out_channels = p.out_channels / p.groups;
  const int64_t patch = in_channels * p.kernel_points(), points = p.out_points();
  const T* in =
      reinterpret_cast<const T*>(p.input) + image * p.input_strides[0] + group * in_channels * p.input_strides[1];
  T* out = reinterpret_cast<T*>(p.output) + image * p.output_strides[0] + group * out_channels * p.output_strides[1];
  std::unique_ptr<T[]> patches(new T[patch * points]());
  for_each_kernel_point(p, in_channels, [&](int64_t row, int64_t c, int64_t kd, int64_t kh, int64_t kw) {
    walk(p, p.out, p.in, p.input_strides + 2, {kd, kh, kw}, [&](int64_t small, int64_t large, int64_t n) {
      const T* from = in + c * p.input_strides[1] + large;
      T* to = patches.get() + row * points + small;
      const int64_t step = p.stride[2] * p.input_strides[4];
      for (int64_t i = 0; i < n; ++i) to[i] = from[i * step];
    });
  });
  const GroupWeights<T> w = group_weights<T>(p, group * out_channels, out_channels, in_channels);
  fill_with_bias(p, out, out_channels, group * out_channels);
  matrix_product(p.dtype, matrix(w.data, out_channels, patch, patch, 1),
                 matrix(patches.get(), patch, points, points, 1),
                 matrix(out, out_channels, points, p.output_strides[1], point_stride(p.out, p.output_strides)),
                 int64_t(1), int64_t(1));
}

/// Computes patches[patch, in points] = weights[in, patch]^T @ in[in, points] for one image and one group, then adds
/// each element of a patch to its output point.
template <class T>
void convolve_transposed(const ConvProblem& p, int64_t image, int64_t group) {
  const int64_t in_channels = p.in_channels / p.groups, out_channels = p.out_channels / p.groups;
  const int64_t patch = out_channels * p.kernel_points(), points = p.in_points();
  const T* in =
      reinterpret_cast<const T*>(p.input) + image * p.input_strides[0] + group * in_channels * p.input_strides[1];
  T* out = reinterpret_cast<T*>(p.output) + image * p.output_strides[0] + group * out_channels * p.output_strides[1];
  std::unique_ptr<T[]> patches(new T[patch * points]);
  const GroupWeights<T> w = group_weights<T>(p, group * in_channels, in_channels, out_channels);
  matrix_product(p.dtype, matrix(w.data, patch, in_channels, 1, patch),
                 matrix(in, in_channels, points, p.input_strides[1], point_stride(p.in, p.input_strides)),
                 matrix(patches.get(), patch, points, points, 1));
  fill_with_bias(p, out, out_channels, group * out_channels);
  for_each_kernel_point(p, out_channels, [&](int64_t row, int64_t c, int64_t kd, int64_t kh, int64_t kw) {
    walk(p, p.in, p.out, p.output_strides + 2, {kd, kh, kw}, [&](int64_t small, int64_t large, int64_t n) {
      T* to = out + c * p.output_strides[1] + large;
      const T* from = patches.get() + row * points + small;
      const int64_t step = p.stride[2] * p.output_strides[4];
      for (int64_t i = 0; i < n; ++i) to[i * step] = T(to[i * step] + from[i]);
    });
  });
}

}  // namespace

void convolve_by_products(const ConvProblem& p) {
  dispatch_dtype<kReals.without({DType::F16, DType::BF16})>(p.dtype, [&]<class T>() {
    parallel_for(p.images * p.groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        p.transposed ? convolve_transposed<T>(p, i / p.groups, i % p.groups)
                     : convolve<T>(p, i / p.groups, i % p.groups);
      }
    });
  });
}

}  // namespace ersatz
