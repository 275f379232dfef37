// Average pooling on cuDNN 9: a graph with one operation. Each thread caches plans for each problem.
#include <array>
#include <cstdint>

#include "runtime/cuda/dnn_graph.h"

namespace ersatz::cuda_module {
namespace {

using Key = std::array<int64_t, 15>;

Key key_of(int device, const AveragePool& p) {
  return {device,
          static_cast<int64_t>(p.dtype),
          p.counts_padding ? 1 : 0,
          p.images,
          p.channels,
          p.in[0],
          p.in[1],
          p.out[0],
          p.out[1],
          p.window[0],
          p.window[1],
          p.stride[0],
          p.stride[1],
          p.padding[0],
          p.padding[1]};
}

}  // namespace

DnnGraph dnn_graph(const AveragePool& p) {
  DnnGraph graph;
  const auto image = [&](const int64_t(&points)[2]) {
    const int64_t c = p.channels, h = points[0], w = points[1];
    const int64_t sizes[] = {p.images, c, h, w}, strides[] = {c * h * w, 1, w * c, c};
    return graph.memory(dnn_type(p.dtype), sizes, strides);
  };
  const auto input = image(p.in), output = image(p.out);
  graph.average(p, input, output);
  return graph;
}

bool run(int device, const AveragePool& p) {
  for (const void* address : {p.input, static_cast<const void*>(p.output)}) {
    if (!on_packet(address)) return false;
  }
  void* const addresses[] = {const_cast<void*>(p.input), p.output};
  return run_graph(device, p, key_of(device, p), {}, addresses);
}

}  // namespace ersatz::cuda_module
