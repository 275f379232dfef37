// All CUDA attention operators (flash, memory-efficient, cuDNN) call `attend`. It calls cuDNN if cuDNN has an engine
// for the call, else the device kernel in flash_device.h. If a query uses no key, its result is 0 and its logsumexp is
// infinity. *_cuda.cu files include this header.
#pragma once

#include "kernels/attention/cudnn_attention.h"
#include "kernels/attention/efficient_attention.h"
#include "kernels/attention/flash_launch.h"
#include "kernels/attention/fused_rule.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/cuda/dnn.h"
#include "runtime/tensor/generator.h"

namespace ersatz {
namespace device_attention {

using op_flash_attention::Extras;
using op_flash_attention::mask_operand;
using op_flash_attention::Operand;
using op_flash_attention::Problem;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr DTypeSet kHalves{DType::F16, DType::BF16};

/// Returns the operand for a tensor [batch, position, head, feature], or [position, head, feature] if all batches are
/// packed into one dim.
inline Operand positions_first(const Tensor& t) {
  Operand o(t);
  if (t.dim() == 3) {
    const auto s = as_ints(t.strides());
    o.strides[0] = 0, o.strides[1] = s[1], o.strides[2] = s[0], o.strides[3] = s[2];
  } else {
    std::swap(o.strides[1], o.strides[2]);
  }
  return o;
}

inline Operand heads_first(const Tensor& t) { return Operand(t); }

/// Returns the operand for the logsumexp, [batch, head, position(, 1)], or [head, position] if all batches are packed.
inline Operand sums_operand(const Tensor& t) {
  if (t.numel().as_int() == 0) return {};
  Operand o(t);
  if (t.dim() == 2) {
    const auto s = as_ints(t.strides());
    o.strides[0] = 0, o.strides[1] = s[0], o.strides[2] = s[1];
  }
  return o;
}

/// Returns the Problem for a call whose query and key have their heads in dim `heads`. `operand` converts each tensor.
/// Sets the sizes of the value in `x`.
inline Problem problem_of(const KernelCall& call, size_t heads, Operand (*operand)(const Tensor&), Extras& x) {
  const Tensor query = call.tensor(kFusedAttention["query"]), key = call.tensor(kFusedAttention["key"]),
               value = call.tensor(kFusedAttention["value"]);
  const auto q = as_ints(query.sizes()), k = as_ints(key.sizes()), v = as_ints(value.sizes());
  const size_t positions = query.dim() == 3 ? 0 : 3 - heads;
  const int64_t queried = q[heads];
  const auto group = [&](int64_t held) { return held > 0 ? std::max<int64_t>(1, queried / held) : 1; };
  Problem p{};
  p.query = operand(query), p.key = operand(key), p.value = operand(value), p.out = operand(call.outputs[0]);
  p.sums = sums_operand(call.outputs[1]);
  p.batches = q[0], p.heads = queried, p.queries = q[positions], p.keys = k[positions], p.features = q.back();
  p.group = group(k[heads]);
  x.value_features = v.back();
  x.value_group = group(v[heads]);
  return p;
}

inline double scale_of(const KernelCall& call, Position argument, const Problem& p) {
  return call.has(argument) ? call.real(argument) : 1 / std::sqrt(double(p.features));
}

/// Reserves the random words that dropout needs, one for each attention weight.
inline void set_dropout(double probability, const Problem& p, Extras& x, Device device) {
  x.dropout = probability;
  if (!(probability > 0)) return;
  const int64_t weights = p.batches * p.heads * p.queries * p.keys;
  const GeneratorState state = default_generator(device).reserve(static_cast<uint64_t>((weights + 3) / 4));
  x.seed = state.seed;
  x.offset = state.offset;
}

/// Writes seed and offset to 0-d i64 tensors on any device. Without dropout both are 0.
inline void store_seed(const Tensor& seed, const Tensor& offset, const Extras& x) {
  fill_elements(seed, static_cast<int64_t>(x.seed));
  fill_elements(offset, static_cast<int64_t>(x.offset));
}

inline const int32_t* counts(const KernelCall& call, Position argument) {
  return call.has(argument) ? reinterpret_cast<const int32_t*>(call.tensor(argument).raw_data()) : nullptr;
}

inline void copy_strides(const Operand& from, int64_t (&to)[4]) { std::copy_n(from.strides, 4, to); }

/// True if cuDNN can hide the same keys from each query as this call: cuDNN has no windows, slopes or packed sequences
/// here.
inline bool library_sees_the_same(const Problem& p, const Extras& x) {
  if (x.query_starts || x.key_starts || x.key_counts || x.left >= 0 || x.right >= 0 || x.slopes) return false;
  // A causal mask may be aligned with the first or the last key. With equally many queries and keys, both masks are the
  // same.
  return !p.causal || !x.from_end || p.queries == p.keys;
}

/// True if cuDNN supports the call: f16 or bf16, no dropout, no empty dim, equally many heads of key and value, and a
/// bias of the operands' dtype.
inline bool library_takes(const Problem& p, const Extras& x) {
  const bool empty = p.batches * p.heads * p.queries * p.keys * p.features * x.value_features == 0;
  return kHalves.has(p.query.dtype) && !empty && x.dropout == 0 && p.group == x.value_group &&
         (!p.mask.data || p.mask.dtype == p.query.dtype) && library_sees_the_same(p, x);
}

/// True if the logsumexp is contiguous, which is the only layout that cuDNN writes.
inline bool sums_are_dense(const Problem& p) {
  const int64_t* s = p.sums.strides;
  return s[2] == 1 && s[1] == p.queries && s[0] == p.heads * p.queries;
}

/// Completes cuDNN's results row by row: copies the logsumexp, and handles queries for which the mask hides all keys.
template <class T>
struct FinishRows : op_flash_attention::Scores<T, float, T> {
  using op_flash_attention::Scores<T, float, T>::p;
  using op_flash_attention::Scores<T, float, T>::x;
  /// contiguous; null if cuDNN wrote directly to the result, or if the call does not return the logsumexp
  const float* sums;

  /// True if the mask hides every key from the query. Usually the first key is not hidden, and the loop ends there.
  ERSATZ_DEVICE bool hides_all(int64_t b, int64_t h, int64_t query) const {
    const auto s = this->sequence(b);
    const int64_t end = this->end_key(s, query);
    for (int64_t key = this->first_key(s, query); key < end; ++key) {
      if (this->score(0.0f, s, b, h, query, key) != -std::numeric_limits<float>::infinity()) return false;
    }
    return true;
  }
  ERSATZ_DEVICE void operator()(int64_t row) const {
    const int64_t head = row / p.queries, query = row % p.queries, b = head / p.heads, h = head % p.heads;
    const bool hidden = p.mask.data && hides_all(b, h, query);
    if (p.sums.data && (sums || hidden)) {
      const int64_t* s = p.sums.strides;
      reinterpret_cast<float*>(p.sums.data)[b * s[0] + h * s[1] + query * s[2]] =
          hidden ? static_cast<float>(x.hidden_sum) : sums[row];
    }
    if (!hidden) return;
    const int64_t* o = p.out.strides;
    T* const out = reinterpret_cast<T*>(p.out.data) + b * o[0] + h * o[1] + query * o[2];
    for (int64_t d = 0; d < x.value_features; ++d) out[d * o[3]] = T(0.0f);
  }
};

/// Computes the call with cuDNN. RETURNS: false if cuDNN is absent or has no engine for the call.
inline bool library_answers(const KernelCall& call, const Problem& p, const Extras& x) {
  if (!library_takes(p, x)) return false;
  const int device = call.outputs[0].device().index;
  const int64_t rows = p.batches * p.heads * p.queries;
  const bool apart = p.sums.data && !sums_are_dense(p);
  const cuda_module::DeviceScratch sums(device, apart ? rows * static_cast<int64_t>(sizeof(float)) : 0);
  cuda_module::Attention a;
  a.dtype = p.query.dtype;
  a.batches = p.batches, a.heads = p.heads, a.key_heads = p.heads / p.group;
  a.queries = p.queries, a.keys = p.keys, a.features = p.features, a.value_features = x.value_features;
  copy_strides(p.query, a.query_strides), copy_strides(p.key, a.key_strides);
  copy_strides(p.value, a.value_strides), copy_strides(p.out, a.output_strides);
  a.query = p.query.data, a.key = p.key.data, a.value = p.value.data, a.output = p.out.data;
  a.sums = apart ? sums.as<float>() : reinterpret_cast<float*>(p.sums.data);
  a.bias = p.mask.data;
  if (p.mask.data) copy_strides(p.mask, a.bias_strides);
  a.scale = p.scale;
  a.causal = p.causal;
  a.deterministic = call.context.deterministic;
  if (!cuda_module::run_where_there(device, a)) return false;
  if (apart || p.mask.data) {
    dispatch_dtype<kHalves>(p.query.dtype, [&]<class T>() {
      cuda_module::launch_each(device, rows, FinishRows<T>{{p, x}, apart ? sums.as<float>() : nullptr});
    });
  }
  return true;
}

/// Computes the output and the logsumexp of all queries.
inline void attend(const KernelCall& call, const Problem& p, const Extras& x) {
  if (!library_answers(call, p, x)) op_flash_attention::attend_on_device(p, x, call.outputs[0].device().index);
}

/// Returns the Problem for a call with the arguments (query, key, value, attn_bias, compute_log_sumexp, dropout_p,
/// is_causal, ...). `scale` is the position of the argument `scale`.
inline Problem biased_problem(const KernelCall& call, Position scale, Extras& x) {
  static constexpr Schemas kArgs{op_efficient_attention::kScaledDotProductEfficientAttention,
                                 op_cudnn_attention::kScaledDotProductCudnnAttention};
  Problem p = problem_of(call, 1, heads_first, x);
  if (call.has(kArgs["attn_bias"])) p.mask = mask_operand(call.tensor(kArgs["attn_bias"]));
  p.scale = scale_of(call, scale, p);
  p.causal = call.boolean(kArgs["is_causal"]);
  x.hidden_sum = kInfinity;
  set_dropout(call.real(kArgs["dropout_p"]), p, x, call.outputs[0].device());
  return p;
}

}  // namespace device_attention
}  // namespace ersatz
