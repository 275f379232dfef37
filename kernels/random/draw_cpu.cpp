#include <numbers>

#include "kernels/dense_operand.h"
#include "kernels/random/draw.h"
#include "kernels/random/draw_loops.h"
#include "runtime/dtype_switch.h"

namespace ersatz {
namespace {

/// The elements of a dense tensor: of a complex one, its real numbers.
DrawTarget target_of(const Tensor& dense) {
  const DType t = dense.dtype();
  const int64_t n = dense.numel().as_int();
  return {dense.device(), real_dtype(t), dense.raw_data(), is_complex(t) ? 2 * n : n};
}

int64_t reals_per_block(DType t) { return t == DType::F64 ? 2 : 4; }

}  // namespace

DeviceDraws& device_draws() {
  static DeviceDraws draws;
  return draws;
}

void draw_uniform(const Tensor& out, Generator& generator, double from, double to) {
  if (out.numel().as_int() == 0) return;  // of any dtype
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  if (t.device.is_cuda()) {
    device_draws().uniform(t, reserve_for(t.n, reals_per_block(t.dtype), generator), from, to);
  } else {
    dispatch_dtype<kFloats>(
        t.dtype, [&]<class T>() { draw_elements(static_cast<T*>(t.data), t.n, generator, DrawUniform<T>(from, to)); });
  }
  rows.finish();
}

void draw_normal(const Tensor& out, Generator& generator, double mean, double std) {
  if (out.numel().as_int() == 0) return;  // of any dtype
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  // A complex normal number has variance 1 in all: half of it in each part. The mean is that of the real part.
  const bool complex = is_complex(out.dtype());
  const double part = complex ? std * std::numbers::sqrt2 / 2 : std, odd_mean = complex ? 0 : mean;
  if (t.device.is_cuda()) {
    device_draws().normal(t, reserve_for(t.n, reals_per_block(t.dtype), generator), part, mean, odd_mean);
  } else {
    dispatch_dtype<kFloats>(t.dtype, [&]<class T>() {
      draw_elements(static_cast<T*>(t.data), t.n, generator, DrawNormal<T>(part, mean, odd_mean));
    });
  }
  rows.finish();
}

void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high) {
  if (out.numel().as_int() == 0) return;  // of any dtype
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  if (t.device.is_cuda()) {
    device_draws().integers(t, reserve_for(t.n, 2, generator), low, high);
  } else {
    dispatch_dtype<kReals | kBool>(t.dtype, [&]<class T>() {
      draw_elements(static_cast<T*>(t.data), t.n, generator, DrawIntegers<T>(low, high));
    });
  }
  rows.finish();
}

namespace {
void draw_bernoulli(const Tensor& out, Generator& generator, const double* p, double all) {
  if (out.numel().as_int() == 0) return;  // of any dtype
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  if (t.device.is_cuda()) {
    device_draws().bernoulli(t, reserve_for(t.n, 4, generator), p, all);
  } else {
    dispatch_dtype<kReals | kBool>(t.dtype, [&]<class T>() {
      draw_elements(static_cast<T*>(t.data), t.n, generator, DrawBernoulli<T>{p, all});
    });
  }
  rows.finish();
}
}  // namespace

void draw_bernoulli(const Tensor& out, Generator& generator, double p) { draw_bernoulli(out, generator, nullptr, p); }
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p) {
  draw_bernoulli(out, generator, reinterpret_cast<const double*>(p.raw_data()), 0);
}

}  // namespace ersatz
