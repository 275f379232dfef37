// Attention on cuDNN 9: builds the graph that cuDNN's fused engines recognise. Each thread caches plans for each
// problem.
//
// scores = query @ key^T, scaled, plus bias, and -inf where causal hides a key. The output is softmax(scores) @ value,
// with the log-sum-exp of each row as a second result. Half types are multiplied on tensor cores and summed in f32.
#include <array>
#include <cstdint>
#include <limits>

#include "runtime/cuda/dnn_graph.h"

namespace ersatz::cuda_module {
namespace {

using Sizes = std::array<int64_t, 4>;

/// Everything that a plan depends on: sizes, strides and switches.
using Key = std::array<int64_t, 32>;

Key key_of(int device, const Attention& p) {
  Key key{device,
          static_cast<int64_t>(p.dtype),
          (p.causal ? 1 : 0) + (p.deterministic ? 2 : 0) + (p.bias ? 4 : 0),
          p.batches,
          p.heads,
          p.key_heads,
          p.queries,
          p.keys,
          p.features,
          p.value_features};
  size_t i = 10;
  for (const auto* strides : {&p.query_strides, &p.key_strides, &p.value_strides, &p.output_strides, &p.bias_strides}) {
    for (int64_t s : *strides) key[i++] = s;
  }
  return key;
}

/// Returns whether features are contiguous and all rows start at multiples of 16 bytes.
bool packed(const int64_t (&strides)[4]) {
  return strides[3] == 1 && strides[0] % 8 == 0 && strides[1] % 8 == 0 && strides[2] % 8 == 0;
}

/// cuDNN before 9.15.1 does not mask keys beyond a length that is no multiple of 128 (pytorch/pytorch#169849). 9.10.0
/// and 9.10.1 have wrong results.
constexpr size_t kFirstRightVersion = 91501;

bool fits(const Attention& p) {
  if (dnn_library().GetVersion() < kFirstRightVersion) return false;
  for (const void* address : {p.query, p.key, p.value, static_cast<const void*>(p.output), p.bias}) {
    if (!on_packet(address)) return false;
  }
  return packed(p.query_strides) && packed(p.key_strides) && packed(p.value_strides) && packed(p.output_strides);
}

/// Returns the scores with -inf for each key j > i of query i.
DnnGraph::Tensor causal(DnnGraph& graph, DnnGraph::Tensor scores, const Sizes& sizes) {
  DnnGraph::Tensor index[2];
  for (int64_t axis = 2; axis <= 3; ++axis) {
    index[axis - 2] = graph.inner(CUDNN_DATA_INT32, sizes);
    graph.pointwise({.mode = CUDNN_POINTWISE_GEN_INDEX, .x = scores, .computed_in = CUDNN_DATA_INT32, .axis = axis},
                    index[axis - 2]);
  }
  const DnnGraph::Tensor seen = graph.inner(CUDNN_DATA_BOOLEAN, sizes), hidden = graph.inner(CUDNN_DATA_FLOAT, sizes);
  graph.pointwise({.mode = CUDNN_POINTWISE_CMP_GE, .x = index[0], .b = index[1], .computed_in = CUDNN_DATA_BOOLEAN},
                  seen);
  graph.pointwise({.mode = CUDNN_POINTWISE_BINARY_SELECT, .x = scores, .b = graph.number(4), .t = seen}, hidden);
  return hidden;
}

/// Sets `weights` to the softmax of each row of `scores`, and `sums` to each row's log-sum-exp.
void softmax(DnnGraph& graph, DnnGraph::Tensor scores, const Sizes& sizes, DnnGraph::Tensor sums,
             DnnGraph::Tensor weights) {
  const Sizes row{sizes[0], sizes[1], sizes[2], 1};
  const auto top = graph.inner(CUDNN_DATA_FLOAT, row), sum = graph.inner(CUDNN_DATA_FLOAT, row),
             logarithm = graph.inner(CUDNN_DATA_FLOAT, row);
  const auto below = graph.inner(CUDNN_DATA_FLOAT, sizes), power = graph.inner(CUDNN_DATA_FLOAT, sizes);
  graph.reduce(CUDNN_REDUCE_TENSOR_MAX, scores, top);
  graph.pointwise({.mode = CUDNN_POINTWISE_SUB, .x = scores, .b = top}, below);
  graph.pointwise({.mode = CUDNN_POINTWISE_EXP, .x = below}, power);
  graph.reduce(CUDNN_REDUCE_TENSOR_ADD, power, sum);
  graph.pointwise({.mode = CUDNN_POINTWISE_LOG, .x = sum}, logarithm);
  graph.pointwise({.mode = CUDNN_POINTWISE_ADD, .x = top, .b = logarithm}, sums);
  graph.pointwise({.mode = CUDNN_POINTWISE_DIV, .x = power, .b = sum}, weights);
}

}  // namespace

DnnGraph dnn_graph(const Attention& p) {
  const cudnnDataType_t type = dnn_type(p.dtype);
  const int64_t *q = p.query_strides, *k = p.key_strides, *v = p.value_strides, *o = p.output_strides,
                *b = p.bias_strides;
  DnnGraph graph;
  const auto memory = [&](const Sizes& sizes, const Sizes& strides, cudnnDataType_t of) {
    return graph.memory(of, sizes, strides);
  };
  const auto query = memory({p.batches, p.heads, p.queries, p.features}, {q[0], q[1], q[2], q[3]}, type);
  const auto key = memory({p.batches, p.key_heads, p.features, p.keys}, {k[0], k[1], k[3], k[2]}, type);  // transposed
  const auto value = memory({p.batches, p.key_heads, p.keys, p.value_features}, {v[0], v[1], v[2], v[3]}, type);
  const auto output = memory({p.batches, p.heads, p.queries, p.value_features}, {o[0], o[1], o[2], o[3]}, type);
  const auto sums =
      memory({p.batches, p.heads, p.queries, 1}, {p.heads * p.queries, p.queries, 1, 1}, CUDNN_DATA_FLOAT);
  const auto scale = graph.number(4);

  const Sizes sizes{p.batches, p.heads, p.queries, p.keys};
  const auto products = graph.inner(CUDNN_DATA_FLOAT, sizes);
  graph.multiply(query, key, products);
  auto scores = graph.inner(CUDNN_DATA_FLOAT, sizes);
  graph.pointwise({.mode = CUDNN_POINTWISE_MUL, .x = products, .b = scale}, scores);
  if (p.bias) {
    Sizes held = sizes, strides{b[0], b[1], b[2], b[3]};
    for (size_t d = 4; d-- > 0;) {
      if (strides[d] != 0) continue;
      held[d] = 1;  // the bias has one value for the whole dim
      strides[d] = d == 3 ? 1 : strides[d + 1] * held[d + 1];
    }
    const auto biased = graph.inner(CUDNN_DATA_FLOAT, sizes);
    graph.pointwise({.mode = CUDNN_POINTWISE_ADD, .x = scores, .b = memory(held, strides, type)}, biased);
    scores = biased;
  }
  if (p.causal) scores = causal(graph, scores, sizes);
  const auto weights = graph.inner(type, sizes);
  softmax(graph, scores, sizes, sums, weights);
  graph.multiply(weights, value, output);
  return graph;
}

bool run(int device, const Attention& p) {
  if (!fits(p)) return false;
  const DeviceScratch unwanted(device, p.sums ? 0 : p.batches * p.heads * p.queries * int64_t(sizeof(float)));
  float scale = static_cast<float>(p.scale), hidden = -std::numeric_limits<float>::infinity();
  std::vector<void*> addresses = {const_cast<void*>(p.query),
                                  const_cast<void*>(p.key),
                                  const_cast<void*>(p.value),
                                  p.output,
                                  p.sums ? p.sums : unwanted.as<float>(),
                                  &scale};
  if (p.bias) addresses.push_back(const_cast<void*>(p.bias));
  if (p.causal) addresses.push_back(&hidden);
  return run_graph(device, p, key_of(device, p), {p.deterministic}, addresses);
}

}  // namespace ersatz::cuda_module
