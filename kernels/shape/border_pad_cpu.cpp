#include <complex>
#include <memory>
#include <vector>

#include "kernels/dense_operand.h"
#include "kernels/shape/border_pad.h"
#include "kernels/shape/border_source.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_border_pad {
namespace {

using Offsets = std::vector<int64_t>;

/// Copies one plane: a channel of an image. `sources[k]` has the input offset for each output index of dim k.
template <class T>
void gather(const T* from, T* to, const Offsets (&sources)[3], const int64_t* to_strides) {
  for (size_t i = 0; i < sources[0].size(); ++i) {
    for (size_t j = 0; j < sources[1].size(); ++j) {
      const T* line = from + sources[0][i] + sources[1][j];
      T* out = to + int64_t(i) * to_strides[0] + int64_t(j) * to_strides[1];
      for (size_t k = 0; k < sources[2].size(); ++k) out[int64_t(k) * to_strides[2]] = line[sources[2][k]];
    }
  }
}

/// Pads self. `source(i, size)` returns the input index for output index i, which may be outside of [0, size).
template <class Source>
void pad(KernelCall& call, Source&& source) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  Tensor in = call.tensor(kBorderPad["self"]);
  if (in.meta().conj || in.meta().neg) in = dense_input(in);
  const auto padding = call.ints(kBorderPad["padding"]);
  const size_t spatial = padding.size() / 2, lead = in.sizes().size() - spatial;
  const auto in_sizes = as_ints(in.sizes()), in_strides = as_ints(in.strides());
  const auto out_sizes = as_ints(out.sizes()), out_strides = as_ints(out.strides());
  Offsets sources[3] = {{0}, {0}, {0}};
  int64_t steps[3] = {0, 0, 0};
  for (size_t d = 0; d < spatial; ++d) {
    const size_t at = 3 - spatial + d, dim = lead + d;
    steps[at] = out_strides[dim];
    sources[at].clear();
    for (int64_t o = 0; o < out_sizes[dim]; ++o) {
      sources[at].push_back(source(o - padding[2 * (spatial - 1 - d)], in_sizes[dim]) * in_strides[dim]);
    }
  }
  const int64_t channels = in_sizes[lead - 1], planes = channels * (lead == 2 ? in_sizes[0] : 1);
  const int64_t points = out.numel().as_int() / planes;
  auto run = [&]<class T>(T) {
    const T* from = reinterpret_cast<const T*>(in.raw_data());
    T* to = reinterpret_cast<T*>(out.raw_data());
    parallel_for(planes, 1 + (1 << 15) / points, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t image = p / channels, channel = p % channels;
        const int64_t a = channel * in_strides[lead - 1] + (lead == 2 ? image * in_strides[0] : 0);
        const int64_t b = channel * out_strides[lead - 1] + (lead == 2 ? image * out_strides[0] : 0);
        gather(from + a, to + b, sources, steps);
      }
    });
  };
  switch (item_size(in.dtype())) {
    case 1:
      return run(uint8_t());
    case 2:
      return run(uint16_t());
    case 4:
      return run(uint32_t());
    case 8:
      return run(uint64_t());
    default:
      return run(std::complex<double>());
  }
}

}  // namespace

void reflect_cpu(KernelCall& call) { pad(call, ReflectedSource()); }
void replicate_cpu(KernelCall& call) { pad(call, ReplicatedSource()); }

}  // namespace ersatz::op_border_pad
