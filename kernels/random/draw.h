// Filling tensors with random numbers: which words of the generator an element takes is written in docs/random.md. The
// CPU and CUDA take the same ones.
#pragma once

#include "runtime/tensor/generator.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Uniform in [0, 1), scaled to [from, to). The elements' numbers do not depend on strides, threads or the device.
void draw_uniform(const Tensor& out, Generator& generator, double from = 0, double to = 1);
/// Normal with that mean and standard deviation.
void draw_normal(const Tensor& out, Generator& generator, double mean = 0, double std = 1);
/// Integers in [low, high). REQUIRES: low < high, where the most negative number stands for 2^63 if low is above it.
void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high);
/// 1 with probability p, else 0; an f32 uniform number below p is a 1.
void draw_bernoulli(const Tensor& out, Generator& generator, double p);
/// The same with a probability for each element. REQUIRES: `p` is f64, row-major, of out's sizes, on its device.
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p);

/// The generator argument of a call, else the default one of the device.
inline Generator& generator_or_default(Generator* given, Device device) {
  return given ? *given : default_generator(device);
}

/// Memory that a draw fills: n elements, one after another.
struct DrawTarget {
  Device device;
  DType dtype;
  void* data;
  int64_t n;
};
/// The elements of a dense tensor: of a complex one, its real numbers.
inline DrawTarget target_of(const Tensor& dense) {
  const DType t = dense.dtype();
  const int64_t n = dense.numel().as_int();
  return {dense.device(), real_dtype(t), dense.raw_data(), is_complex(t) ? 2 * n : n};
}
/// Takes the blocks of n elements.
inline GeneratorState reserve_for(int64_t n, int64_t per_block, Generator& generator) {
  return generator.reserve(static_cast<uint64_t>((n + per_block - 1) / per_block));
}
/// The draws of draw_elements.h on a device, from the block `start` on.
struct DrawTable {
  void (*uniform)(const DrawTarget& to, GeneratorState start, double low, double high) = nullptr;
  void (*normal)(const DrawTarget& to, GeneratorState start, double std, double even_mean, double odd_mean) = nullptr;
  void (*integers)(const DrawTarget& to, GeneratorState start, int64_t low, int64_t high) = nullptr;
  void (*bernoulli)(const DrawTarget& to, GeneratorState start, const double* p, double all) = nullptr;
};
const DrawTable& host_draws();
/// Null until the CUDA module is attached.
DrawTable& device_draws();

}  // namespace ersatz
