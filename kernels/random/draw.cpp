#include "kernels/random/draw.h"

#include <numbers>

#include "kernels/dense_operand.h"

namespace ersatz {
namespace {

int64_t reals_per_block(DType t) { return t == DType::F64 ? 2 : 4; }

const DrawTable& draws_on(Device device) { return device.is_cuda() ? device_draws() : host_draws(); }

}  // namespace

DrawTable& device_draws() {
  static DrawTable draws;
  return draws;
}

void draw_uniform(const Tensor& out, Generator& generator, double from, double to) {
  if (out.numel().as_int() == 0) return;  // dtypes are not checked for an empty tensor
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  draws_on(t.device).uniform(t, reserve_for(t.n, reals_per_block(t.dtype), generator), from, to);
  rows.finish();
}

void draw_normal(const Tensor& out, Generator& generator, double mean, double std) {
  if (out.numel().as_int() == 0) return;  // dtypes are not checked for an empty tensor
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  // The variance of a complex normal number is the sum of the variances of its parts, so each part has half of it.
  // `mean` is the mean of the real part.
  const bool complex = is_complex(out.dtype());
  const double part = complex ? std * std::numbers::sqrt2 / 2 : std, odd_mean = complex ? 0 : mean;
  draws_on(t.device).normal(t, reserve_for(t.n, reals_per_block(t.dtype), generator), part, mean, odd_mean);
  rows.finish();
}

void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high) {
  if (out.numel().as_int() == 0) return;  // dtypes are not checked for an empty tensor
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  draws_on(t.device).integers(t, reserve_for(t.n, 2, generator), low, high);
  rows.finish();
}

namespace {
void draw_bernoulli(const Tensor& out, Generator& generator, const double* p, double all) {
  if (out.numel().as_int() == 0) return;  // dtypes are not checked for an empty tensor
  DenseOutput rows(out);
  const DrawTarget t = target_of(rows.tensor);
  draws_on(t.device).bernoulli(t, reserve_for(t.n, 4, generator), p, all);
  rows.finish();
}
}  // namespace

void draw_bernoulli(const Tensor& out, Generator& generator, double p) { draw_bernoulli(out, generator, nullptr, p); }
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p) {
  draw_bernoulli(out, generator, reinterpret_cast<const double*>(p.raw_data()), 0);
}

}  // namespace ersatz
