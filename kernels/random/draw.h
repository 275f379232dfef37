// Fills tensors with random numbers. docs/random.md defines which words of the generator an element uses; they are
// equal on the CPU and CUDA.
#pragma once

#include "runtime/tensor/generator.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Uniform numbers in [0, 1), scaled to [from, to). The numbers do not depend on strides, threads or the device.
void draw_uniform(const Tensor& out, Generator& generator, double from = 0, double to = 1);
/// Normal numbers with that mean and standard deviation.
void draw_normal(const Tensor& out, Generator& generator, double mean = 0, double std = 1);
/// Integers in [low, high). REQUIRES: low < high; a `high` of INT64_MIN means 2^63 if `low` is greater.
void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high);
/// 1 with probability p, else 0: it is 1 if an f32 uniform number is below p.
void draw_bernoulli(const Tensor& out, Generator& generator, double p);
/// draw_bernoulli with a probability for each element. REQUIRES: `p` is f64, row-major, has out's sizes and is on its
/// device.
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p);

/// Returns the generator argument of a call, or the default generator of the device if it is null.
inline Generator& generator_or_default(Generator* given, Device device) {
  return given ? *given : default_generator(device);
}

/// The memory that a draw fills: n adjacent elements.
struct DrawTarget {
  Device device;
  DType dtype;
  void* data;
  int64_t n;
};
/// The elements of a dense tensor; for a complex tensor, its real numbers.
inline DrawTarget target_of(const Tensor& dense) {
  const DType t = dense.dtype();
  const int64_t n = dense.numel().as_int();
  return {dense.device(), real_dtype(t), dense.raw_data(), is_complex(t) ? 2 * n : n};
}
/// Reserves the blocks of random words for n elements.
inline GeneratorState reserve_for(int64_t n, int64_t per_block, Generator& generator) {
  return generator.reserve(static_cast<uint64_t>((n + per_block - 1) / per_block));
}
/// The draws of draw_elements.h on a device; they use the blocks from `start` on.
struct DrawTable {
  void (*uniform)(const DrawTarget& to, GeneratorState start, double low, double high) = nullptr;
  void (*normal)(const DrawTarget& to, GeneratorState start, double std, double even_mean, double odd_mean) = nullptr;
  void (*integers)(const DrawTarget& to, GeneratorState start, int64_t low, int64_t high) = nullptr;
  void (*bernoulli)(const DrawTarget& to, GeneratorState start, const double* p, double all) = nullptr;
};
const DrawTable& host_draws();
/// Its entries are null until the CUDA module is attached.
DrawTable& device_draws();

}  // namespace ersatz
