// Convolutions on the emulated device: direct loops over the problem that the descriptor describes.
#include "runtime/cuda/dnn.h"

#include "runtime/base/dtype_switch.h"
#include "runtime/base/error.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz::cuda_module {
namespace {

/// Offsets of elements (outer, channel, d, h, w) of a dense tensor.
struct Dense {
  int64_t channels;
  const int64_t* size;
  bool channels_last;
  int64_t at(int64_t outer, int64_t channel, const int64_t (&x)[3]) const {
    const int64_t point = (x[0] * size[1] + x[1]) * size[2] + x[2], points = size[0] * size[1] * size[2];
    return channels_last ? (outer * points + point) * channels + channel
                         : (outer * channels + channel) * points + point;
  }
};

/// Returns whether the convolution computes the small side of dim `d` from the large one, which cuDNN requires.
bool sizes_fit(const Convolution& p, int d) {
  const int64_t large = p.transposed ? p.out[d] : p.in[d], small = p.transposed ? p.in[d] : p.out[d];
  return (large + 2 * p.padding[d] - p.dilation[d] * (p.kernel[d] - 1) - 1) / p.stride[d] + 1 == small;
}

/// Returns the input position that kernel point `k` multiplies for output position `o`, or -1.
int64_t source(const Convolution& p, int d, int64_t o, int64_t k) {
  int64_t at;
  if (p.transposed) {
    const int64_t reach = o + p.padding[d] - k * p.dilation[d];
    if (reach < 0 || reach % p.stride[d] != 0) return -1;
    at = reach / p.stride[d];
  } else {
    at = o * p.stride[d] - p.padding[d] + k * p.dilation[d];
  }
  return at >= 0 && at < p.in[d] ? at : -1;
}

template <class T>
double sum_at(const Convolution& p, int64_t image, int64_t channel, const int64_t (&o)[3]) {
  const int64_t in_each = p.in_channels / p.groups, out_each = p.out_channels / p.groups, group = channel / out_each;
  const Dense input{p.in_channels, p.in, p.channels_last};
  const Dense weight{p.transposed ? out_each : in_each, p.kernel, p.channels_last};
  double sum = 0;
  int64_t k[3], x[3];
  for (k[0] = 0; k[0] < p.kernel[0]; ++k[0]) {
    if ((x[0] = source(p, 0, o[0], k[0])) < 0) continue;
    for (k[1] = 0; k[1] < p.kernel[1]; ++k[1]) {
      if ((x[1] = source(p, 1, o[1], k[1])) < 0) continue;
      for (k[2] = 0; k[2] < p.kernel[2]; ++k[2]) {
        if ((x[2] = source(p, 2, o[2], k[2])) < 0) continue;
        for (int64_t c = 0; c < in_each; ++c) {
          const int64_t from = group * in_each + c;
          const int64_t w = p.transposed ? weight.at(from, channel - group * out_each, k) : weight.at(channel, c, k);
          sum += double(static_cast<const T*>(p.input)[input.at(image, from, x)]) *
                 double(static_cast<const T*>(p.weight)[w]);
        }
      }
    }
  }
  return sum;
}

template <class T>
void convolve(const Convolution& p) {
  const Dense output{p.out_channels, p.out, p.channels_last};
  const T* const bias = static_cast<const T*>(p.bias);
  int64_t o[3];
  for (int64_t n = 0; n < p.images; ++n) {
    for (int64_t c = 0; c < p.out_channels; ++c) {
      for (o[0] = 0; o[0] < p.out[0]; ++o[0]) {
        for (o[1] = 0; o[1] < p.out[1]; ++o[1]) {
          for (o[2] = 0; o[2] < p.out[2]; ++o[2]) {
            T& to = static_cast<T*>(p.output)[output.at(n, c, o)];
            to = T(sum_at<T>(p, n, c, o) + (p.accumulates ? double(to) : 0.0) + (bias ? double(bias[c]) : 0.0));
          }
        }
      }
    }
  }
}

}  // namespace

int dnn_version() { return 0; }

bool run(int device, const Convolution& p) {
  ERSATZ_ASSERT(device == 0 && (p.spatial == 3 || (p.spatial == 2 && p.in[0] == 1 && p.kernel[0] == 1)),
                "a convolution of {} dims", p.spatial);
  ERSATZ_ASSERT(p.in_channels % p.groups == 0 && p.out_channels % p.groups == 0, "{} groups of {} and {} channels",
                p.groups, p.in_channels, p.out_channels);
  for (int d = 0; d < 3; ++d) {
    ERSATZ_ASSERT(sizes_fit(p, d), "cuDNN takes no {} points from {} in dim {}", p.out[d], p.in[d], d);
  }
  if (p.bias && p.transposed) return false;  // most engines of cuDNN refuse this call
  emulated::Work work(device, "a convolution");
  work.reads(p.input);
  work.reads(p.weight);
  work.reads(p.bias);
  work.writes(p.output);
  dispatch_dtype<kFloats>(p.dtype, [&]<class T>() { convolve<T>(p); });
  return true;
}

}  // namespace ersatz::cuda_module
