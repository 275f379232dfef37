#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/attention/flash_attention_backward.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_flash_attention_backward {
namespace {

constexpr const Schema& kArgs = kFlashAttentionForCpuBackward;

/// A row-major copy of an operand in the compute dtype. `at` returns the address of a row.
template <class T>
struct Rows {
  Tensor copy;
  int64_t size[4];
  T* at(int64_t batch, int64_t head, int64_t position = 0) const {
    return copy.data<T>() + ((batch * size[1] + head) * size[2] + position) * size[3];
  }
};
template <class T>
Rows<T> rows_of(const Tensor& t, bool zeros = false) {
  Rows<T> rows{make_real_tensor(TensorMeta(dtype_of<T>, t.sizes())), {}};
  for (size_t d = 0; d < 4; ++d) rows.size[d] = t.sizes()[d].as_int();
  if (zeros) {
    fill_elements(rows.copy, 0);
  } else {
    copy_elements(rows.copy, t);
  }
  return rows;
}

/// A copy of the mask in the compute dtype, or nothing if there is no mask. operator() returns the mask's element for a
/// score, or 0 if there is no mask.
template <class T>
struct Mask {
  Tensor copy;
  int64_t stride[4] = {0, 0, 0, 0};
  explicit Mask(const Tensor& mask) {
    if (!mask) return;
    copy = make_real_tensor(TensorMeta(dtype_of<T>, mask.sizes()));
    copy_elements(copy, mask);
    const size_t rank = copy.sizes().size();
    for (size_t d = 0; d < rank; ++d) {
      if (copy.sizes()[d].as_int() != 1) stride[4 - rank + d] = copy.strides()[d].as_int();
    }
  }
  T operator()(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return copy ? copy.data<T>()[b * stride[0] + h * stride[1] + i * stride[2] + j * stride[3]] : T(0);
  }
};

template <class T>
T dot(const T* a, const T* b, int64_t n) {
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
template <class T>
void add_scaled(T* to, T factor, const T* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

template <class T>
void run(KernelCall& call) {
  const Rows<T> grad = rows_of<T>(call.tensor(kArgs["grad_out"])), out = rows_of<T>(call.tensor(kArgs["out"]));
  const Rows<T> q = rows_of<T>(call.tensor(kArgs["query"])), k = rows_of<T>(call.tensor(kArgs["key"])),
                v = rows_of<T>(call.tensor(kArgs["value"]));
  const Rows<T> dq = rows_of<T>(call.outputs[0], true), dk = rows_of<T>(call.outputs[1], true),
                dv = rows_of<T>(call.outputs[2], true);
  const Tensor given_sums = call.tensor(kArgs["logsumexp"]);
  const Tensor sums = make_real_tensor(TensorMeta(dtype_of<T>, given_sums.sizes()));
  copy_elements(sums, given_sums);
  const Mask<T> mask(call.tensor(kArgs["attn_mask"]));
  const bool causal = call.boolean(kArgs["is_causal"]);
  const int64_t features = q.size[3], queries = q.size[2], keys = k.size[2];
  const T scale = T(call.has(kArgs["scale"]) ? call.real(kArgs["scale"]) : 1 / std::sqrt(double(features)));
  const int64_t shared = k.size[1] > 0 ? std::max<int64_t>(1, q.size[1] / k.size[1]) : 1;
  // Query heads that share a key head add to the same gradient, so one task computes all query heads of a key head.
  const int64_t groups = q.size[1] / shared;
  parallel_for(q.size[0] * groups, 1, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t b = task / groups, of_key = task % groups;
      for (int64_t h = of_key * shared; h < (of_key + 1) * shared; ++h) {
        for (int64_t i = 0; i < queries; ++i) {
          const T* dy = grad.at(b, h, i);
          const T sum = sums.data<T>()[(b * q.size[1] + h) * queries + i], mean = dot(dy, out.at(b, h, i), features);
          for (int64_t j = 0; j < (causal ? std::min(keys, i + 1) : keys); ++j) {
            const T score = scale * dot(q.at(b, h, i), k.at(b, of_key, j), features) + mask(b, h, i, j);
            const T weight = std::exp(score - sum);
            const T ds = scale * weight * (dot(dy, v.at(b, of_key, j), features) - mean);
            add_scaled(dv.at(b, of_key, j), weight, dy, features);
            add_scaled(dq.at(b, h, i), ds, k.at(b, of_key, j), features);
            add_scaled(dk.at(b, of_key, j), ds, q.at(b, h, i), features);
          }
        }
      }
    }
  });
  const Tensor* gradients[] = {&dq.copy, &dk.copy, &dv.copy};
  for (size_t g = 0; g < 3; ++g) copy_elements(call.outputs[g], *gradients[g]);
}

}  // namespace

// For f16 and bf16 the gradients are computed in f32.
void run_cpu(KernelCall& call) { return call.outputs[0].dtype() == DType::F64 ? run<double>(call) : run<float>(call); }

}  // namespace ersatz::op_flash_attention_backward
