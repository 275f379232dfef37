// Filling tensors with random numbers: which words of the generator an element takes is written in docs/random.md. The
// CPU and CUDA take the same ones.
#pragma once

#include "runtime/generator.h"
#include "runtime/tensor.h"

namespace ersatz {

/// Uniform in [0, 1), scaled to [from, to). The elements' numbers do not depend on strides, threads or the device.
void draw_uniform(const Tensor& out, Generator& generator, double from = 0, double to = 1);
/// Normal with that mean and standard deviation.
void draw_normal(const Tensor& out, Generator& generator, double mean = 0, double std = 1);
/// Integers in [low, high). REQUIRES: low < high.
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
/// The draws of draw_elements.h on CUDA, from the block `start` on; null until the CUDA module is attached.
struct DeviceDraws {
  void (*uniform)(const DrawTarget& to, GeneratorState start, double low, double high) = nullptr;
  void (*normal)(const DrawTarget& to, GeneratorState start, double std, double even_mean, double odd_mean) = nullptr;
  void (*integers)(const DrawTarget& to, GeneratorState start, int64_t low, int64_t high) = nullptr;
  void (*bernoulli)(const DrawTarget& to, GeneratorState start, const double* p, double all) = nullptr;
};
DeviceDraws& device_draws();

}  // namespace ersatz
