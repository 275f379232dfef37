// Attention on the emulated device: one row of scores at a time, in double.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/error.h"
#include "runtime/cuda/dnn.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz::cuda_module {
namespace {

int64_t at(const int64_t (&strides)[4], int64_t b, int64_t h, int64_t i) {
  return b * strides[0] + h * strides[1] + i * strides[2];
}

template <class T>
class Rows {
 public:
  explicit Rows(const Attention& problem) : p_(problem), scores_(static_cast<size_t>(problem.keys)) {}

  void run(int64_t b, int64_t h, int64_t i) {
    const int64_t held = h / (p_.heads / p_.key_heads), seen = p_.causal ? std::min(i + 1, p_.keys) : p_.keys;
    const T* query = static_cast<const T*>(p_.query) + at(p_.query_strides, b, h, i);
    for (int64_t j = 0; j < seen; ++j) {
      const T* key = static_cast<const T*>(p_.key) + at(p_.key_strides, b, held, j);
      double dot = 0;
      for (int64_t d = 0; d < p_.features; ++d) {
        dot += double(query[d * p_.query_strides[3]]) * double(key[d * p_.key_strides[3]]);
      }
      scores_[size_t(j)] = p_.scale * dot + bias(b, h, i, j);
    }
    const double top = *std::max_element(scores_.begin(), scores_.begin() + seen);
    double sum = 0;
    for (int64_t j = 0; j < seen; ++j) sum += scores_[size_t(j)] = std::exp(scores_[size_t(j)] - top);
    T* out = static_cast<T*>(p_.output) + at(p_.output_strides, b, h, i);
    for (int64_t d = 0; d < p_.value_features; ++d) {
      double total = 0;
      for (int64_t j = 0; j < seen; ++j) {
        const T* value = static_cast<const T*>(p_.value) + at(p_.value_strides, b, held, j);
        total += scores_[size_t(j)] * double(value[d * p_.value_strides[3]]);
      }
      out[d * p_.output_strides[3]] = T(total / sum);
    }
    if (p_.sums) p_.sums[(b * p_.heads + h) * p_.queries + i] = static_cast<float>(top + std::log(sum));
  }

 private:
  double bias(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (!p_.bias) return 0;
    return double(static_cast<const T*>(p_.bias)[at(p_.bias_strides, b, h, i) + j * p_.bias_strides[3]]);
  }

  const Attention& p_;
  std::vector<double> scores_;
};

}  // namespace

bool run(int device, const Attention& p) {
  ERSATZ_ASSERT(device == 0 && p.heads % p.key_heads == 0, "{} heads of {} and keys of {}", p.heads, p.key_heads,
                device);
  // cuDNN takes only sizes that it can read in packets of 16 bytes, so this replacement also refuses other sizes.
  if (p.features % 8 != 0 || p.value_features % 8 != 0) return false;
  emulated::Work work(device, "an attention");
  work.reads(p.query);
  work.reads(p.key);
  work.reads(p.value);
  work.reads(p.bias);
  work.writes(p.output);
  work.writes(p.sums);
  dispatch_dtype<DTypeSet{DType::F16, DType::BF16}>(p.dtype, [&]<class T>() {
    Rows<T> rows(p);
    for (int64_t b = 0; b < p.batches; ++b) {
      for (int64_t h = 0; h < p.heads; ++h) {
        for (int64_t i = 0; i < p.queries; ++i) rows.run(b, h, i);
      }
    }
  });
  return true;
}

}  // namespace ersatz::cuda_module
