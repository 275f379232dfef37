// Filling CPU tensors with random numbers: which words of the generator an element takes is written in docs/random.md.
#pragma once

#include "runtime/generator.h"
#include "runtime/tensor.h"

namespace ersatz {

/// Uniform in [0, 1), scaled to [from, to). The elements' numbers do not depend on strides or threads.
void draw_uniform(const Tensor& out, Generator& generator, double from = 0, double to = 1);
/// Normal with that mean and standard deviation.
void draw_normal(const Tensor& out, Generator& generator, double mean = 0, double std = 1);
/// Integers in [low, high). REQUIRES: low < high.
void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high);
/// 1 with probability p, else 0; an f32 uniform number below p is a 1.
void draw_bernoulli(const Tensor& out, Generator& generator, double p);
/// The same with a probability for each element. REQUIRES: `p` is f64, row-major, of out's sizes.
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p);

/// The generator argument of a call, else the default one of the CPU.
inline Generator& generator_or_default(Generator* given) { return given ? *given : default_generator(kCPU); }

}  // namespace ersatz
