// Pools on CUDA. One thread computes one output element: it reads the element's box from an input of any strides.
// Threads are numbered in the memory order of the output, so adjacent threads read adjacent boxes, or the channels of
// one box.
#pragma once

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/pooling/avg_pool2d.h"
#include "kernels/pooling/boxes.h"
#include "kernels/pooling/max_pool2d.h"
#include "kernels/pooling/volume.h"
#include "kernels/pooling/window.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// Returns the lowest number of type C, which is -infinity if C has infinities.
template <class C>
ERSATZ_HD constexpr C lowest_of() {
  if constexpr (std::numeric_limits<C>::has_infinity) return -std::numeric_limits<C>::infinity();
  return std::numeric_limits<C>::lowest();
}

/// Returns the box of an output element. `boxes` is called with the whole point if boxes differ between planes,
/// otherwise with the point's last three indices.
template <class Boxes>
ERSATZ_DEVICE Box box_of(const Boxes& boxes, const ImagePoint& p) {
  if constexpr (requires { boxes(p); }) {
    return boxes(p);
  } else {
    return boxes(p.at[2], p.at[3], p.at[4]);
  }
}

/// Computes the largest element of each box, and its index in the volume. If a box has NaNs, its last NaN counts as
/// largest.
template <class T, class Boxes>
struct MaxOfBoxes {
  ImageOrder order;
  ImageShape in, out, where;
  const T* x;
  T* y;
  int64_t* index;  ///< null if the indices are not needed
  Boxes boxes;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    using C = Compute_t<T>;
    const ImagePoint p = order.point(i);
    const Box b = box_of(boxes, p);
    const T* const plane = x + in.plane(p);
    C best = lowest_of<C>();
    int64_t at = (b.begin[0] * in.size[3] + b.begin[1]) * in.size[4] + b.begin[2];
    for (int64_t d = b.begin[0]; d < b.end[0]; d += b.step[0]) {
      for (int64_t h = b.begin[1]; h < b.end[1]; h += b.step[1]) {
        const T* const line = plane + d * in.stride[2] + h * in.stride[3];
        for (int64_t w = b.begin[2]; w < b.end[2]; w += b.step[2]) {
          const C value = static_cast<C>(line[w * in.stride[4]]);
          if (value > best || value != value) {
            best = value;
            at = (d * in.size[3] + h) * in.size[4] + w;
          }
        }
      }
    }
    y[out.offset(p)] = T(best);
    if (index) index[where.offset(p)] = at;
  }
};

template <class T, class Boxes>
struct AverageOfBoxes {
  static constexpr int kFewestBlocks = std::is_same_v<T, double> ? 2 : 0;
  ImageOrder order;
  ImageShape in, out;
  const T* x;
  T* y;
  Boxes boxes;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    using Acc = Compute_t<T>;
    const ImagePoint p = order.point(i);
    const Box b = boxes(p.at[2], p.at[3], p.at[4]);
    const T* const plane = x + in.plane(p);
    Acc sum = 0;
    for (int64_t d = b.begin[0]; d < b.end[0]; ++d) {
      for (int64_t h = b.begin[1]; h < b.end[1]; ++h) {
        const T* const line = plane + d * in.stride[2] + h * in.stride[3];
        for (int64_t w = b.begin[2]; w < b.end[2]; ++w) sum += Acc(line[w * in.stride[4]]);
      }
    }
    y[out.offset(p)] = T(sum / Acc(boxes.divisor(p.at[2], p.at[3], p.at[4])));
  }
};

/// Writes the maxima to outputs[0], and their indices to outputs[1] if the call has outputs[1]. REQUIRES: outputs are
/// not empty.
template <DTypeSet kDTypes, class Boxes>
void pool_max(KernelCall& call, int spatial, const Boxes& boxes) {
  const Tensor& out = call.outputs[0];
  const Tensor in = plain_input(call.tensor(kWindowed["self"]));
  const ImageShape to(out, spatial);
  const ImageOrder order(to);
  const bool indexed = call.outputs.size() > 1;
  const ImageShape where = indexed ? ImageShape(call.outputs[1], spatial) : ImageShape();
  int64_t* const index = indexed ? reinterpret_cast<int64_t*>(call.outputs[1].raw_data()) : nullptr;
  dispatch_dtype<kDTypes>(in.dtype(), [&]<class T>() {
    cuda_module::launch_each(
        out.device().index, order.count(),
        MaxOfBoxes<T, Boxes>{order, ImageShape(in, spatial), to, where, reinterpret_cast<const T*>(in.raw_data()),
                             reinterpret_cast<T*>(out.raw_data()), index, boxes});
  });
}

template <DTypeSet kDTypes, class Boxes>
void pool_average(KernelCall& call, int spatial, const Boxes& boxes) {
  const Tensor& out = call.outputs[0];
  const Tensor in = plain_input(call.tensor(kWindowed["self"]));
  const ImageShape to(out, spatial);
  const ImageOrder order(to);
  dispatch_dtype<kDTypes>(in.dtype(), [&]<class T>() {
    cuda_module::launch_each(
        out.device().index, order.count(),
        AverageOfBoxes<T, Boxes>{order, ImageShape(in, spatial), to, reinterpret_cast<const T*>(in.raw_data()),
                                 reinterpret_cast<T*>(out.raw_data()), boxes});
  });
}

/// Reads the window from arguments 1 to 3, and the dilation from argument 4 if `dilated` is true. Each is one int or
/// `spatial` ints; stride may be empty.
inline Window3d device_window(const KernelCall& call, int spatial, bool dilated) {
  Window3d w = volume_window(call.ints(kWindowed["kernel_size"]), call.ints(kWindowed["stride"]),
                             call.ints(kWindowed["padding"]), spatial);
  if (dilated) spread_triple(call.ints(op_max_pool2d::kMaxPool2dWithIndices["dilation"]), w.dilation, spatial);
  return w;
}

/// Runs a max pool with `spatial` pooled dims. `dilation` is argument 4.
inline void max_windows(KernelCall& call, int spatial) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(kWindowed["self"]), spatial);
  pool_max<kFloats>(call, spatial, MaxBoxes{device_window(call, spatial, true), {in.size[2], in.size[3], in.size[4]}});
}
inline void adaptive_max(KernelCall& call, int spatial) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(kWindowed["self"]), spatial), out(call.outputs[0], spatial);
  pool_max<kFloats>(call, spatial,
                    AdaptiveBoxes{{in.size[2], in.size[3], in.size[4]}, {out.size[2], out.size[3], out.size[4]}});
}
inline void average_windows(KernelCall& call, int spatial) {
  using op_avg_pool2d::kAvgPool2d;
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(kWindowed["self"]), spatial);
  pool_average<kFloats>(
      call, spatial,
      AverageBoxes{device_window(call, spatial, false),
                   {in.size[2], in.size[3], in.size[4]},
                   call.boolean(kAvgPool2d["count_include_pad"]),
                   call.has(kAvgPool2d["divisor_override"]) ? call.integer(kAvgPool2d["divisor_override"]) : 0});
}
inline void adaptive_average(KernelCall& call, int spatial) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const ImageShape in(call.tensor(kWindowed["self"]), spatial), out(call.outputs[0], spatial);
  pool_average<kFloats>(call, spatial,
                        AdaptiveBoxes{{in.size[2], in.size[3], in.size[4]}, {out.size[2], out.size[3], out.size[4]}});
}

}  // namespace ersatz
