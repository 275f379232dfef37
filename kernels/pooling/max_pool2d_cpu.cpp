#include <limits>
#include <memory>

#include "kernels/dense_operand.h"
#include "kernels/pooling/boxes.h"
#include "kernels/pooling/max_pool2d.h"
#include "kernels/pooling/window.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_max_pool2d {
namespace {

struct Extent {
  int64_t images, channels, in[2], out[2];
};

/// Returns the part of a window along dim `d` that is inside the image. Its elements are `dilation` apart.
Reach reach(const Window2d& w, int d, int64_t position, int64_t limit) {
  return max_reach(position, w.size[d], w.stride[d], w.padding[d], w.dilation[d], limit);
}

template <class T>
auto comparable(T v) {
  if constexpr (is_reduced_float(dtype_of<T>)) {
    return float(v);
  } else {
    return v;
  }
}

template <class C>
C lowest() {
  return std::numeric_limits<C>::has_infinity ? -std::numeric_limits<C>::infinity() : std::numeric_limits<C>::lowest();
}

template <class C>
bool wins(C v, C best) {
  return v > best || v != v;
}

template <class T>
void pool_planes(const Extent& e, const Window2d& w, const T* in, T* out, int64_t* indices) {
  using C = decltype(comparable(T()));
  const int64_t work = e.out[0] * e.out[1] * w.size[0] * w.size[1];
  parallel_for(e.images * e.channels, std::max<int64_t>(1, (1 << 15) / (work + 1)), [&](int64_t b, int64_t end) {
    for (int64_t plane = b; plane < end; ++plane) {
      const T* x = in + plane * e.in[0] * e.in[1];
      int64_t o = plane * e.out[0] * e.out[1];
      for (int64_t oh = 0; oh < e.out[0]; ++oh) {
        const Reach h = reach(w, 0, oh, e.in[0]);
        for (int64_t ow = 0; ow < e.out[1]; ++ow, ++o) {
          const Reach v = reach(w, 1, ow, e.in[1]);
          C best = lowest<C>();
          int64_t index = h.begin * e.in[1] + v.begin;
          for (int64_t i = h.begin; i < h.end; i += w.dilation[0]) {
            for (int64_t j = v.begin; j < v.end; j += w.dilation[1]) {
              const C value = comparable(x[i * e.in[1] + j]);
              if (wins(value, best)) {
                best = value;
                index = i * e.in[1] + j;
              }
            }
          }
          out[o] = T(best);
          indices[o] = index;
        }
      }
    }
  });
}

/// Pools a channels-last image. All channels of a window are compared together.
template <class T>
void pool_channels(const Extent& e, const Window2d& w, const T* in, T* out, int64_t* indices) {
  using C = decltype(comparable(T()));
  const int64_t work = e.channels * w.size[0] * w.size[1], points = e.images * e.out[0] * e.out[1];
  parallel_for(points, std::max<int64_t>(1, (1 << 15) / (work + 1)), [&](int64_t b, int64_t end) {
    std::unique_ptr<C[]> best(new C[e.channels]);
    for (int64_t point = b; point < end; ++point) {
      const int64_t ow = point % e.out[1], oh = point / e.out[1] % e.out[0], image = point / e.out[1] / e.out[0];
      const Reach h = reach(w, 0, oh, e.in[0]), v = reach(w, 1, ow, e.in[1]);
      int64_t* index = indices + point * e.channels;
      std::fill_n(best.get(), e.channels, lowest<C>());
      std::fill_n(index, e.channels, h.begin * e.in[1] + v.begin);
      for (int64_t i = h.begin; i < h.end; i += w.dilation[0]) {
        for (int64_t j = v.begin; j < v.end; j += w.dilation[1]) {
          const int64_t here = i * e.in[1] + j;
          const T* x = in + (image * e.in[0] * e.in[1] + here) * e.channels;
          for (int64_t c = 0; c < e.channels; ++c) {
            const C value = comparable(x[c]);
            const bool better = wins(value, best[c]);
            best[c] = better ? value : best[c];
            index[c] = better ? here : index[c];
          }
        }
      }
      T* y = out + point * e.channels;
      for (int64_t c = 0; c < e.channels; ++c) y[c] = T(best[c]);
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const MemoryFormat format = image_format(call.outputs[0]);
  const Tensor in = dense_input(call.tensor(kMaxPool2dWithIndices["self"]), format);
  DenseOutput out(call.outputs[0], format), indices(call.outputs[1], format);
  Window2d w;
  read_pair(call.ints(kMaxPool2dWithIndices["kernel_size"]), w.size);
  read_pair(call.ints(kMaxPool2dWithIndices["stride"]).empty() ? call.ints(kMaxPool2dWithIndices["kernel_size"])
                                                               : call.ints(kMaxPool2dWithIndices["stride"]),
            w.stride);
  read_pair(call.ints(kMaxPool2dWithIndices["padding"]), w.padding);
  read_pair(call.ints(kMaxPool2dWithIndices["dilation"]), w.dilation);
  const size_t d = in.sizes().size();
  auto size = [](const Tensor& t, size_t i) { return t.sizes()[i].as_int(); };
  const Extent e{d == 4 ? size(in, 0) : 1,
                 size(in, d - 3),
                 {size(in, d - 2), size(in, d - 1)},
                 {size(out.tensor, d - 2), size(out.tensor, d - 1)}};
  dispatch_dtype<kReals>(in.dtype(), [&]<class T>() {
    const T* x = reinterpret_cast<const T*>(in.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    int64_t* at = reinterpret_cast<int64_t*>(indices.tensor.raw_data());
    format == MemoryFormat::Contiguous ? pool_planes<T>(e, w, x, y, at) : pool_channels<T>(e, w, x, y, at);
  });
  out.finish();
  indices.finish();
}

}  // namespace ersatz::op_max_pool2d
