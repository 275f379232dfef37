#include "kernels/pointwise/nextafter.h"
#include "runtime/base/half.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_nextafter {
namespace {

template <class T>
struct Next {
  const T *x, *y;
  T* out;
  ERSATZ_DEVICE void operator()(int64_t i) const { out[i].bits = next_bits(x[i].bits, y[i].bits, x[i], y[i]); }
};

template <class T>
void run(int device, const void* x, const void* y, void* out, int64_t n) {
  cuda_module::launch_each(device, n,
                           Next<T>{static_cast<const T*>(x), static_cast<const T*>(y), static_cast<T*>(out)});
}

void nextafter(int device, DType dtype, const void* x, const void* y, void* out, int64_t n) {
  dtype == DType::F16 ? run<half>(device, x, y, out, n) : run<bfloat16>(device, x, y, out, n);
}

}  // namespace

void attach_cuda(Registry&) { device_nextafter() = nextafter; }

}  // namespace ersatz::op_nextafter
