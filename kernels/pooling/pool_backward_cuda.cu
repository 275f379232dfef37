// Gradients of averages on CUDA. One thread computes one input element: it adds the shares of all windows that contain
// the element, in their order. No element has two writers, so equal calls return equal bits.
#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/pooling/average_gradient.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"

namespace ersatz::op_pool_backward {
namespace {

template <class T, class Windows>
struct SumOfShares {
  ImageOrder order;
  ImageShape grad, out;
  const T* g;
  T* x;
  Windows windows;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    using Acc = Compute_t<T>;
    const ImagePoint p = order.point(i);
    const Box b = windows.viewers(p.at[2], p.at[3], p.at[4]);
    const T* const plane = g + grad.plane(p);
    Acc sum = 0;
    ERSATZ_ROLLED
    for (int64_t d = b.begin[0]; d < b.end[0]; ++d) {
      ERSATZ_ROLLED
      for (int64_t h = b.begin[1]; h < b.end[1]; ++h) {
        const T* const line = plane + d * grad.stride[2] + h * grad.stride[3];
        ERSATZ_ROLLED
        for (int64_t w = b.begin[2]; w < b.end[2]; ++w) {
          sum += Acc(line[w * grad.stride[4]]) / Acc(windows.divisor(d, h, w));
        }
      }
    }
    x[out.offset(p)] = T(sum);
  }
};

struct DeviceSpread {
  template <class Windows>
  static void spread(KernelCall& call, int spatial, const Windows& windows) {
    const Tensor grad = plain_input(call.tensor(kEach["grad_output"])), &out = call.outputs[0];
    const ImageShape to(out, spatial);
    const ImageOrder order(to);
    dispatch_dtype<kFloats>(grad.dtype(), [&]<class T>() {
      cuda_module::launch_each(
          out.device().index, order.count(),
          SumOfShares<T, Windows>{order, ImageShape(grad, spatial), to, reinterpret_cast<const T*>(grad.raw_data()),
                                  reinterpret_cast<T*>(out.raw_data()), windows});
    });
  }
};

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.avg_pool2d_backward.default", average<DeviceSpread, 2>);
  cuda_module::attach(registry, "aten.avg_pool3d_backward.default", average<DeviceSpread, 3>);
  cuda_module::attach(registry, "aten._adaptive_avg_pool2d_backward.default", adaptive_average<DeviceSpread, 2>);
  cuda_module::attach(registry, "aten._adaptive_avg_pool3d_backward.default", adaptive_average<DeviceSpread, 3>);
}

}  // namespace ersatz::op_pool_backward
