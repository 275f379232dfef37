// Average pooling on the emulated device.
#include <algorithm>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/error.h"
#include "runtime/cuda/dnn.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz::cuda_module {
namespace {

template <class T>
void average(const AveragePool& p) {
  for (int64_t n = 0; n < p.images; ++n) {
    const T* image = static_cast<const T*>(p.input) + n * p.in[0] * p.in[1] * p.channels;
    T* out = static_cast<T*>(p.output) + n * p.out[0] * p.out[1] * p.channels;
    for (int64_t i = 0; i < p.out[0]; ++i) {
      for (int64_t j = 0; j < p.out[1]; ++j) {
        const int64_t top = i * p.stride[0] - p.padding[0], left = j * p.stride[1] - p.padding[1];
        for (int64_t c = 0; c < p.channels; ++c) {
          double sum = 0;
          int64_t seen = 0;
          for (int64_t y = std::max<int64_t>(top, 0); y < std::min(top + p.window[0], p.in[0]); ++y) {
            for (int64_t x = std::max<int64_t>(left, 0); x < std::min(left + p.window[1], p.in[1]); ++x) {
              sum += double(image[(y * p.in[1] + x) * p.channels + c]);
              ++seen;
            }
          }
          *out++ = T(sum / double(p.counts_padding ? p.window[0] * p.window[1] : seen));
        }
      }
    }
  }
}

}  // namespace

bool run(int device, const AveragePool& p) {
  ERSATZ_ASSERT(device == 0, "device {}", device);
  emulated::Work work(device, "average pooling");
  work.reads(p.input);
  work.writes(p.output);
  dispatch_dtype<DTypeSet{DType::F16, DType::F32}>(p.dtype, [&]<class T>() { average<T>(p); });
  return true;
}

}  // namespace ersatz::cuda_module
