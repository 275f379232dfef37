// Gradients of grid samplers on CUDA. One thread for each place of the grid iterates over the channels, and adds to the
// image's gradient with atomics, like PyTorch's kernel. If deterministic algorithms are on, one thread for each channel
// of an image iterates over the places instead.
#include "kernels/indexing/device_combine.h"
#include "kernels/resize/grid_sampler_backward.h"
#include "kernels/resize/grid_spread.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/quotient.h"

namespace ersatz::op_grid_sampler_backward {
namespace {

using namespace device_index;

template <class Real>
struct AddAtomically {
  Real* to;  ///< null if nothing is to be added
  ERSATZ_DEVICE void operator()(int64_t at, Real amount) const {
    if (to) atomic_sum(to + at, amount);
  }
};
template <class Real>
struct AddAlone {
  Real* to;
  ERSATZ_DEVICE void operator()(int64_t at, Real amount) const { to[at] += amount; }
};

/// The operands of a call, all row-major.
template <class Real>
struct Batch {
  GridSpread<Real> spread;
  int64_t channels, places, points;
  const Real *grad, *in, *grid;
};

template <class Real>
struct GoThroughChannels {
  static constexpr int kFewestBlocks = 2;
  Batch<Real> batch;
  Real *grad_in, *grad_grid;  ///< grad_in is null if the gradient of the input is not requested
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t image = quotient(i, batch.places), place = i - image * batch.places, spatial = batch.spread.spatial;
    const PlaceTaps taps = batch.spread.taps_of(batch.grid + i * spatial);
    Real slope[3] = {0, 0, 0};
    ERSATZ_ROLLED
    for (int64_t plane = image * batch.channels; plane < (image + 1) * batch.channels; ++plane) {
      const AddAtomically<Real> add{grad_in ? grad_in + plane * batch.points : nullptr};
      batch.spread.visit(taps, batch.grad[plane * batch.places + place], batch.in + plane * batch.points, add, slope);
    }
    for (int64_t k = 0; k < spatial; ++k) grad_grid[i * spatial + k] = slope[2 - k];
  }
};

template <class Real>
struct GoThroughPlaces {
  static constexpr int kFewestBlocks = 2;
  Batch<Real> batch;
  Real* grad_in;
  ERSATZ_DEVICE void operator()(int64_t plane) const {
    const int64_t first = quotient(plane, batch.channels) * batch.places;
    const Real* const grad = batch.grad + plane * batch.places;
    Real slope[3] = {0, 0, 0};
    ERSATZ_ROLLED
    for (int64_t place = 0; place < batch.places; ++place) {
      const PlaceTaps taps = batch.spread.taps_of(batch.grid + (first + place) * batch.spread.spatial);
      batch.spread.visit(taps, grad[place], batch.in + plane * batch.points,
                         AddAlone<Real>{grad_in + plane * batch.points}, slope);
    }
  }
};

template <class Real>
void spread(KernelCall& call) {
  constexpr DType dtype = dtype_of<Real>;
  const Tensor grad = dense_as(call.tensor(kEach["grad_output"]), dtype),
               in = dense_as(call.tensor(kEach["input"]), dtype), grid = dense_as(call.tensor(kEach["grid"]), dtype);
  const int64_t images = in.sizes()[0].as_int(), channels = in.sizes()[1].as_int();
  const int device = in.device().index;
  const OutputAs grad_grid(call.outputs[1], dtype);
  std::optional<OutputAs> grad_in;
  if (call.args[kEach["output_mask"]].as_list()[0].as_bool()) {
    grad_in.emplace(call.outputs[0], dtype);
    fill_elements(grad_in->tensor, 0);
  }
  const auto data = [](const Tensor& t) { return reinterpret_cast<const Real*>(t.raw_data()); };
  const GridSpread<Real> spread = grid_spread<Real>(call);
  const Batch<Real> batch{spread, channels, grid_places(grid), spread.points(), data(grad), data(in), data(grid)};
  const bool alone = grad_in && call.context.deterministic;
  cuda_module::launch_each(device, images * batch.places,
                           GoThroughChannels<Real>{batch, grad_in && !alone ? grad_in->template data<Real>() : nullptr,
                                                   grad_grid.template data<Real>()});
  if (alone) {
    cuda_module::launch_each(device, images * channels, GoThroughPlaces<Real>{batch, grad_in->template data<Real>()});
  }
  if (grad_in) grad_in->finish();
  grad_grid.finish();
}

void run_cuda(KernelCall& call) {
  combined_dtype(call.outputs[1].dtype()) == DType::F64 ? spread<double>(call) : spread<float>(call);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.grid_sampler_2d_backward.default", run_cuda);
  cuda_module::attach(registry, "aten.grid_sampler_3d_backward.default", run_cuda);
}

}  // namespace ersatz::op_grid_sampler_backward
