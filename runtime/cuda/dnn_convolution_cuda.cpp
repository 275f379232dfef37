// Convolutions on cuDNN 9: a graph with one operation and, if there is a bias, its addition. Each thread caches plans
// for each problem.
//
// A transposed convolution uses cuDNN's gradient with respect to the data. f32 is multiplied as f32 unless TF32 is
// allowed. Half types and their bias are summed in f32.
#include <array>
#include <cstdint>

#include "runtime/base/error.h"
#include "runtime/cuda/dnn_graph.h"

namespace ersatz::cuda_module {
namespace {

/// Returns the alignment in bytes that all operands have: 16 if each address is a multiple of 16, else the element's
/// size.
int64_t alignment_of(const Convolution& p) {
  const bool packets = on_packet(p.input) && on_packet(p.weight) && on_packet(p.bias) && on_packet(p.output);
  return packets ? 16 : item_size(p.dtype);
}

using Key = std::array<int64_t, 27>;

Key key_of(int device, const Convolution& p) {
  Key key{device,
          static_cast<int64_t>(p.dtype),
          alignment_of(p),
          (p.transposed ? 1 : 0) + (p.channels_last ? 2 : 0) + (p.deterministic ? 4 : 0) + (p.allow_tf32 ? 8 : 0) +
              (p.bias ? 16 : 0) + (p.accumulates ? 32 : 0),
          p.spatial,
          p.images,
          p.groups,
          p.in_channels,
          p.out_channels};
  size_t i = 9;
  for (const auto* values : {&p.in, &p.out, &p.kernel, &p.stride, &p.padding, &p.dilation}) {
    for (int64_t v : *values) key[i++] = v;
  }
  return key;
}

/// Sizes in the order [outer, channels, spatial...], whatever the layout, and the strides of the layout.
struct Shape {
  std::array<int64_t, 5> sizes{}, strides{};
  size_t dims;

  Shape(const Convolution& p, int64_t outer, int64_t channels, const int64_t (&spatial)[3])
      : dims(static_cast<size_t>(p.spatial) + 2) {
    sizes[0] = outer;
    sizes[1] = channels;
    for (size_t d = 2; d < dims; ++d) sizes[d] = spatial[3 - dims + d];
    int64_t step = p.channels_last ? channels : 1;
    for (size_t d = dims; d-- > 2;) {
      strides[d] = step;
      step *= sizes[d];
    }
    strides[1] = p.channels_last ? 1 : step;
    strides[0] = p.channels_last ? step : step * channels;
  }
  DnnGraph::Tensor memory(DnnGraph& graph, cudnnDataType_t type, int64_t alignment) const {
    return graph.memory(type, std::span(sizes).first(dims), std::span(strides).first(dims), alignment);
  }
  DnnGraph::Tensor inner(DnnGraph& graph, cudnnDataType_t type) const {
    return graph.inner(type, std::span(sizes).first(dims), std::span(strides).first(dims));
  }
};

}  // namespace

DnnGraph dnn_graph(const Convolution& p) {
  ERSATZ_ASSERT(!(p.bias && p.accumulates), "a bias and an output to add to");
  const cudnnDataType_t type = dnn_type(p.dtype), sum = p.dtype == DType::F64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  const Shape result(p, p.images, p.out_channels, p.out);
  const int64_t alignment = alignment_of(p);
  DnnGraph graph;
  const auto input = Shape(p, p.images, p.in_channels, p.in).memory(graph, type, alignment);
  const auto weight = Shape(p, p.transposed ? p.in_channels : p.out_channels,
                            (p.transposed ? p.out_channels : p.in_channels) / p.groups, p.kernel)
                          .memory(graph, type, alignment);
  const auto output = result.memory(graph, type, alignment);
  if (!p.bias) {
    graph.convolve(p, input, weight, output);
    return graph;
  }
  const auto sums = result.inner(graph, sum);
  const auto bias = Shape(p, 1, p.out_channels, {1, 1, 1}).memory(graph, type, alignment);
  graph.convolve(p, input, weight, sums);
  graph.pointwise({.mode = CUDNN_POINTWISE_ADD, .x = sums, .b = bias, .computed_in = sum}, output);
  return graph;
}

bool run(int device, const Convolution& p) {
  std::vector<void*> addresses = {const_cast<void*>(p.input), const_cast<void*>(p.weight), p.output};
  if (p.bias) addresses.push_back(const_cast<void*>(p.bias));
  return run_graph(device, p, key_of(device, p), {p.deterministic, p.dtype == DType::F32 && !p.allow_tf32}, addresses);
}

}  // namespace ersatz::cuda_module
