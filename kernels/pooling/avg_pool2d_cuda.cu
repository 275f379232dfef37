// Average pools with two spatial dims on CUDA.
//
// cuDNN computes channels-last f16 inputs if it supports the windows, because it reads packets of 16 bytes. The kernel
// here supports every call, but reads one element at a time.
#include <climits>

#include "kernels/pooling/avg_pool2d.h"
#include "kernels/pooling/device_pool.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/dnn.h"

namespace ersatz::op_avg_pool2d {
namespace {

/// Averages with cuDNN. RETURNS: false if cuDNN is missing, is not faster than the kernel here, or does not support the
/// call.
bool average_by_library(const KernelCall& call) {
  const Tensor &in = call.tensor(kWindowed["self"]), &out = call.outputs[0];
  const auto channels_last = [](const Tensor& t) {
    return t.dim() == 4 && is_contiguous(t.meta(), MemoryFormat::ChannelsLast) && !is_contiguous(t.meta());
  };
  if (in.dtype() != DType::F16 || in.meta().neg || !channels_last(in) || !channels_last(out) ||
      call.has(kAvgPool2d["divisor_override"]))
    return false;
  const ImageShape from(in, 2), to(out, 2);
  const Window3d w = device_window(call, 2, false);
  cuda_module::AveragePool p;
  p.dtype = in.dtype();
  p.images = from.size[0];
  p.channels = from.size[1];
  p.counts_padding = call.boolean(kAvgPool2d["count_include_pad"]);
  p.input = in.raw_data();
  p.output = out.raw_data();
  for (int d = 0; d < 2; ++d) {
    p.in[d] = from.size[3 + d];
    p.out[d] = to.size[3 + d];
    p.window[d] = w.size[1 + d];
    p.stride[d] = w.stride[1 + d];
    p.padding[d] = w.padding[1 + d];
    // If ceil_mode is true, a window can extend beyond the padding. The divisor of this window is smaller than its
    // size, which cuDNN does not support.
    if ((p.out[d] - 1) * p.stride[d] + p.window[d] > p.in[d] + 2 * p.padding[d]) return false;
  }
  if (p.channels % 8 != 0 || p.images * p.channels * p.in[0] * p.in[1] > INT_MAX) return false;
  return cuda_module::run_where_there(out.device().index, p);
}

void run_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0 || average_by_library(call)) return;
  average_windows(call, 2);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.avg_pool2d.default", run_cuda); }

}  // namespace ersatz::op_avg_pool2d
