#include "kernels/random/draw.h"
#include "kernels/random/draw_device.h"
#include "runtime/dtype_switch.h"
#include "runtime/registry.h"

namespace ersatz::op_draw {
namespace {

constexpr DTypeSet kCounted = kReals | kBool;

void uniform(const DrawTarget& to, GeneratorState start, double low, double high) {
  dispatch_dtype<kFloats>(to.dtype, [&]<class T>() {
    draw_on_device(to.device.index, static_cast<T*>(to.data), to.n, start, DrawUniform<T>(low, high));
  });
}
void normal(const DrawTarget& to, GeneratorState start, double std, double even_mean, double odd_mean) {
  dispatch_dtype<kFloats>(to.dtype, [&]<class T>() {
    draw_on_device(to.device.index, static_cast<T*>(to.data), to.n, start, DrawNormal<T>(std, even_mean, odd_mean));
  });
}
void integers(const DrawTarget& to, GeneratorState start, int64_t low, int64_t high) {
  dispatch_dtype<kCounted>(to.dtype, [&]<class T>() {
    draw_on_device(to.device.index, static_cast<T*>(to.data), to.n, start, DrawIntegers<T>(low, high));
  });
}
void bernoulli(const DrawTarget& to, GeneratorState start, const double* p, double all) {
  dispatch_dtype<kCounted>(to.dtype, [&]<class T>() {
    draw_on_device(to.device.index, static_cast<T*>(to.data), to.n, start, DrawBernoulli<T>{p, all});
  });
}

}  // namespace

void attach_cuda(Registry&) { device_draws() = {uniform, normal, integers, bernoulli}; }

}  // namespace ersatz::op_draw
