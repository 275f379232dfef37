// Fills tensors with random numbers. docs/random.md defines which words of the generator each element uses. The numbers
// are equal on the CPU and CUDA.
#pragma once

#include "runtime/tensor/generator.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Fills `out` with uniform numbers in [from, to), which do not depend on strides, the number of threads or the device.
void draw_uniform(const Tensor& out, Generator& generator, double from = 0, double to = 1);
/// Fills `out` with normal numbers of the given mean and standard deviation.
void draw_normal(const Tensor& out, Generator& generator, double mean = 0, double std = 1);
/// Fills `out` with integers in [low, high). REQUIRES: low < high. A `high` of INT64_MIN means 2^63.
void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high);
/// Sets each element to 1 with probability p, else to 0. An element is 1 if a uniform f32 number is less than p.
void draw_bernoulli(const Tensor& out, Generator& generator, double p);
/// draw_bernoulli with one probability for each element. REQUIRES: `p` is f64 and row-major, and has the sizes and the
/// device of `out`.
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p);

/// Returns the generator argument of a call, or the default generator of the device if the argument is null.
inline Generator& generator_or_default(Generator* given, Device device) {
  return given ? *given : default_generator(device);
}

/// The memory that a draw fills, which is n adjacent elements.
struct DrawTarget {
  Device device;
  DType dtype;
  void* data;
  int64_t n;
};
/// Returns the elements of a dense tensor. For a complex tensor, these are the real and imaginary parts.
inline DrawTarget target_of(const Tensor& dense) {
  const DType t = dense.dtype();
  const int64_t n = dense.numel().as_int();
  return {dense.device(), real_dtype(t), dense.raw_data(), is_complex(t) ? 2 * n : n};
}
/// Reserves the blocks of random words for n elements, with `per_block` elements for each block.
inline GeneratorState reserve_for(int64_t n, int64_t per_block, Generator& generator) {
  return generator.reserve(static_cast<uint64_t>((n + per_block - 1) / per_block));
}
/// The draws of draw_elements.h for one kind of device. Each draw uses the blocks of random words from `start` on.
struct DrawTable {
  void (*uniform)(const DrawTarget& to, GeneratorState start, double low, double high) = nullptr;
  void (*normal)(const DrawTarget& to, GeneratorState start, double std, double even_mean, double odd_mean) = nullptr;
  void (*integers)(const DrawTarget& to, GeneratorState start, int64_t low, int64_t high) = nullptr;
  void (*bernoulli)(const DrawTarget& to, GeneratorState start, const double* p, double all) = nullptr;
};
const DrawTable& host_draws();
/// The draws for CUDA. All entries are null until the CUDA module is attached.
DrawTable& device_draws();

}  // namespace ersatz
