// Gradients of reflection and replication pads on CUDA: one thread for each input element sums the gradient over the
// padded places that the element was copied to.
#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/shape/border_pad_backward.h"
#include "kernels/shape/border_source.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_border_pad_backward {
namespace {

/// Iterates over the places in one padded dim that input element `i` was copied to, in ascending order. Places are in
/// [-before, end). After the last one, `next` returns `end` or more.
struct Places {
  int64_t before, end;
  bool reflected;
  ERSATZ_DEVICE int64_t next(int64_t place, int64_t i, int64_t size) const {
    return reflected ? ReflectedSource::next(place, i, size) : ReplicatedSource::next(place, i, size);
  }
  ERSATZ_DEVICE int64_t first(int64_t i, int64_t size) const { return next(-before - 1, i, size); }
};

template <class T>
struct SumPlaces {
  ImageOrder order;
  ImageShape in, padded;
  T* to;
  const T* from;
  Places places[3];

  ERSATZ_DEVICE void operator()(int64_t index) const {
    const ImagePoint p = order.point(index);
    const Places &depth = places[0], &height = places[1], &width = places[2];
    const T* const plane = from + padded.plane(p);
    Compute_t<T> sum(0);
    for (int64_t i = depth.first(p.at[2], in.size[2]); i < depth.end; i = depth.next(i, p.at[2], in.size[2])) {
      for (int64_t j = height.first(p.at[3], in.size[3]); j < height.end; j = height.next(j, p.at[3], in.size[3])) {
        const T* const line = plane + (i + depth.before) * padded.stride[2] + (j + height.before) * padded.stride[3];
        for (int64_t k = width.first(p.at[4], in.size[4]); k < width.end; k = width.next(k, p.at[4], in.size[4])) {
          sum = sum + Compute_t<T>(line[(k + width.before) * padded.stride[4]]);
        }
      }
    }
    to[in.offset(p)] = T(sum);
  }
};

void run(KernelCall& call, bool reflected) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;  // PyTorch checks no dtype if the result is empty
  const Tensor grad = plain_input(call.tensor(kBorderPadBackward["grad_output"]));
  const auto padding = call.ints(kBorderPadBackward["padding"]);
  const int spatial = static_cast<int>(padding.size()) / 2;
  const ImageShape in(out, spatial), padded(grad, spatial);
  const ImageOrder order(in);
  dispatch_dtype<kFloatsAndComplexes>(out.dtype(), [&]<class Host>() {
    using T = DeviceType_t<Host>;
    SumPlaces<T> sum{order,
                     in,
                     padded,
                     reinterpret_cast<T*>(out.raw_data()),
                     reinterpret_cast<const T*>(grad.raw_data()),
                     {{0, 1, reflected}, {0, 1, reflected}, {0, 1, reflected}}};
    for (int d = 0; d < spatial; ++d) {
      Places& places = sum.places[2 - d];
      places.before = padding[static_cast<size_t>(2 * d)];
      places.end = padded.size[4 - d] - places.before;
    }
    cuda_module::launch_each(out.device().index, order.count(), sum);
  });
}

void reflect_cuda(KernelCall& call) { run(call, true); }
void replicate_cuda(KernelCall& call) { run(call, false); }

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.reflection_pad1d_backward.default", "aten.reflection_pad2d_backward.default",
                           "aten.reflection_pad3d_backward.default"}) {
    cuda_module::attach(registry, name, reflect_cuda);
  }
  for (const char* name : {"aten.replication_pad1d_backward.default", "aten.replication_pad2d_backward.default",
                           "aten.replication_pad3d_backward.default"}) {
    cuda_module::attach(registry, name, replicate_cuda);
  }
}

}  // namespace ersatz::op_border_pad_backward
