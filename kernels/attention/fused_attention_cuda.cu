// The kernels of CUDA's own attention ops: flash, memory-efficient, cuDNN. One device kernel (flash_device.h) serves
// them all; what cuDNN has an engine for goes there first in the ops of its name and of flash attention, whose rows are
// never hidden whole.
#include "kernels/attention/cudnn_attention.h"
#include "kernels/attention/efficient_attention.h"
#include "kernels/attention/flash_attention_forward.h"
#include "kernels/attention/flash_device.h"
#include "kernels/attention/fused_rule.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/dnn.h"
#include "runtime/tensor/generator.h"

namespace ersatz::op_fused_attention {
namespace {

using op_flash_attention::Extras;
using op_flash_attention::mask_operand;
using op_flash_attention::Operand;
using op_flash_attention::Problem;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A tensor [batch, position, head, feature], or [position, head, feature] with all batches in one.
Operand positions_first(const Tensor& t) {
  Operand o(t);
  if (t.dim() == 3) {
    const auto s = as_ints(t.strides());
    o.strides[0] = 0, o.strides[1] = s[1], o.strides[2] = s[0], o.strides[3] = s[2];
  } else {
    std::swap(o.strides[1], o.strides[2]);
  }
  return o;
}

Operand heads_first(const Tensor& t) { return Operand(t); }

/// Sums [batch, head, position(, 1)], or [head, position] of all batches.
Operand sums_operand(const Tensor& t) {
  if (t.numel().as_int() == 0) return {};
  Operand o(t);
  if (t.dim() == 2) {
    const auto s = as_ints(t.strides());
    o.strides[0] = 0, o.strides[1] = s[0], o.strides[2] = s[1];
  }
  return o;
}

/// Sizes of query and key as [batch, head, position, feature]: from tensors whose heads are in dim `heads`.
Problem problem_of(const KernelCall& call, size_t heads, Operand (*operand)(const Tensor&), Extras& x) {
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

double scale_of(const KernelCall& call, Position argument, const Problem& p) {
  return call.has(argument) ? call.real(argument) : 1 / std::sqrt(double(p.features));
}

/// Takes the words that dropout needs: one a weight.
void set_dropout(double probability, const Problem& p, Extras& x, Device device) {
  x.dropout = probability;
  if (!(probability > 0)) return;
  const int64_t weights = p.batches * p.heads * p.queries * p.keys;
  const GeneratorState state = default_generator(device).reserve(static_cast<uint64_t>((weights + 3) / 4));
  x.seed = state.seed;
  x.offset = state.offset;
}

/// 0-d i64, on whichever device; zeros without dropout.
void store_seed(const Tensor& seed, const Tensor& offset, const Extras& x) {
  fill_elements(seed, static_cast<int64_t>(x.seed));
  fill_elements(offset, static_cast<int64_t>(x.offset));
}

const int32_t* counts(const KernelCall& call, Position argument) {
  return call.has(argument) ? reinterpret_cast<const int32_t*>(call.tensor(argument).raw_data()) : nullptr;
}

/// Weights of [batch, head, query, key] with a minus sign where dropout drops them: those that have a place.
template <class T, class C, class M>
struct DebugWeights : op_flash_attention::Scores<T, C, M> {
  using op_flash_attention::Scores<T, C, M>::p;
  using op_flash_attention::Scores<T, C, M>::x;
  T* to;
  int64_t columns;

  ERSATZ_DEVICE void operator()(int64_t e) const {
    const int64_t key = e % columns, query = e / columns % p.queries, head = e / columns / p.queries;
    const int64_t h = head % p.heads, b = head / p.heads;
    const auto s = this->sequence(b);
    C weight = 0;
    if (query < s.queries && key < s.keys) {
      const int64_t *qs = p.query.strides, *ks = p.key.strides, *ls = p.sums.strides;
      const T* q = reinterpret_cast<const T*>(p.query.data) + b * qs[0] + h * qs[1] + (s.query_at + query) * qs[2];
      const T* k = reinterpret_cast<const T*>(p.key.data) + b * ks[0] + h / p.group * ks[1] + (s.key_at + key) * ks[2];
      C sum = 0;
      for (int64_t d = 0; d < p.features; ++d) sum += C(q[d * qs[3]]) * C(k[d * ks[3]]);
      const C total = reinterpret_cast<const C*>(
          p.sums.data)[b * ls[0] + h * ls[1] + (query + (x.packed_sums ? s.query_at : 0)) * ls[2]];
      weight = std::exp(this->score(sum * C(p.scale), s, b, h, query, key) - total);
      if (x.dropout > 0 && this->dropped(b, h, query, key)) weight = -weight;
    }
    to[e] = T(weight);
  }
};

void write_debug_mask(const Tensor& mask, const Problem& p, const Extras& x) {
  const int64_t n = mask.numel().as_int();
  if (n == 0) return;
  op_flash_attention::dispatch_attention(p, [&]<class T, class C, class M>() {
    cuda_module::launch_each(
        mask.device().index, n,
        DebugWeights<T, C, M>{{p, x}, reinterpret_cast<T*>(mask.raw_data()), mask.sizes().back().as_int()});
  });
}

void copy_strides(const Operand& from, int64_t (&to)[4]) { std::copy_n(from.strides, 4, to); }

/// What cuDNN answers: no dropout, nothing empty, one number of heads for key and value, a bias of the operands' dtype.
bool library_answers(const KernelCall& call, const Problem& p, const Extras& x) {
  const bool empty = p.batches * p.heads * p.queries * p.keys * p.features * x.value_features == 0;
  if (empty || x.dropout > 0 || p.group != x.value_group || (p.mask.data && p.mask.dtype != p.query.dtype))
    return false;
  cuda_module::Attention a;
  a.dtype = p.query.dtype;
  a.batches = p.batches, a.heads = p.heads, a.key_heads = p.heads / p.group;
  a.queries = p.queries, a.keys = p.keys, a.features = p.features, a.value_features = x.value_features;
  copy_strides(p.query, a.query_strides), copy_strides(p.key, a.key_strides);
  copy_strides(p.value, a.value_strides), copy_strides(p.out, a.output_strides);
  a.query = p.query.data, a.key = p.key.data, a.value = p.value.data, a.output = p.out.data;
  a.sums = reinterpret_cast<float*>(p.sums.data);
  a.bias = p.mask.data;
  if (p.mask.data) copy_strides(p.mask, a.bias_strides);
  a.scale = p.scale;
  a.causal = p.causal;
  a.deterministic = call.context.deterministic;
  try {
    return cuda_module::run(call.outputs[0].device().index, a);
  } catch (const Error& e) {  // no cuDNN here: the op needs none
    if (e.kind != ErrorKind::NotSupported) throw;
    return false;
  }
}

// (query, key, value, dropout_p, is_causal, return_debug_mask, scale) -> (output, logsumexp, seed, offset, debug mask)
// beside what is none or a number
void flash_cuda(KernelCall& call) {
  Extras x;
  Problem p = problem_of(call, 1, heads_first, x);
  p.scale = scale_of(call, op_flash_attention_forward::kScaledDotProductFlashAttention["scale"], p);
  p.causal = call.boolean(op_flash_attention_forward::kScaledDotProductFlashAttention["is_causal"]);
  x.from_end = true;
  x.hidden_sum = kInfinity;
  const Device device = call.outputs[0].device();
  set_dropout(call.real(op_flash_attention_forward::kScaledDotProductFlashAttention["dropout_p"]), p, x, device);
  // Of as many queries as keys it is all the same from which end a causal mask is aligned.
  const bool by_library = (!p.causal || p.queries == p.keys) && library_answers(call, p, x);
  if (!by_library) op_flash_attention::attend_on_device(p, x, device.index);
  const size_t n = call.outputs.size();
  store_seed(call.outputs[n - 3], call.outputs[n - 2], x);
  write_debug_mask(call.outputs[n - 1], p, x);
}

// (query, key, value, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal, return_debug_mask, scale,
// window_size_left, window_size_right, seqused_k, alibi_slopes, block_table, num_splits)
void flash_forward_cuda(KernelCall& call) {
  Extras x;
  const bool packed = call.has(op_flash_attention_forward::kFlashAttentionForward["cum_seq_q"]);
  Problem p = problem_of(call, packed ? 1 : 2, positions_first, x);
  if (packed) {
    x.query_starts = counts(call, op_flash_attention_forward::kFlashAttentionForward["cum_seq_q"]),
    x.key_starts = counts(call, op_flash_attention_forward::kFlashAttentionForward["cum_seq_k"]);
    x.packed_sums = true;
    p.batches = call.tensor(op_flash_attention_forward::kFlashAttentionForward["cum_seq_q"]).size(0).as_int() - 1,
    p.queries = call.integer(op_flash_attention_forward::kFlashAttentionForward["max_q"]),
    p.keys = call.integer(op_flash_attention_forward::kFlashAttentionForward["max_k"]);
  }
  p.scale = scale_of(call, op_flash_attention_forward::kFlashAttentionForward["scale"], p);
  p.causal = call.boolean(op_flash_attention_forward::kFlashAttentionForward["is_causal"]);
  x.left = call.has(op_flash_attention_forward::kFlashAttentionForward["window_size_left"])
               ? call.integer(op_flash_attention_forward::kFlashAttentionForward["window_size_left"])
               : -1;
  x.right = call.has(op_flash_attention_forward::kFlashAttentionForward["window_size_right"])
                ? call.integer(op_flash_attention_forward::kFlashAttentionForward["window_size_right"])
                : -1;
  x.from_end = true;
  x.hidden_sum = kInfinity;
  x.key_counts = counts(call, op_flash_attention_forward::kFlashAttentionForward["seqused_k"]);
  if (call.has(op_flash_attention_forward::kFlashAttentionForward["alibi_slopes"])) {
    const Tensor slopes = call.tensor(op_flash_attention_forward::kFlashAttentionForward["alibi_slopes"]);
    const auto s = as_ints(slopes.strides());
    x.slopes = reinterpret_cast<const float*>(slopes.raw_data());
    x.slope_strides[0] = slopes.dim() == 2 ? s[0] : 0, x.slope_strides[1] = s.back();
  }
  const Device device = call.outputs[0].device();
  set_dropout(call.real(op_flash_attention_forward::kFlashAttentionForward["dropout_p"]), p, x, device);
  op_flash_attention::attend_on_device(p, x, device.index);
  store_seed(call.outputs[2], call.outputs[3], x);
  write_debug_mask(call.outputs[4], p, x);
}

/// Logsumexp rows behind the last query hold infinity.
void attend_with_filled_sums(const KernelCall& call, const Problem& p, const Extras& x) {
  if (p.sums.data) fill_elements(call.outputs[1], kInfinity);
  op_flash_attention::attend_on_device(p, x, call.outputs[0].device().index);
  store_seed(call.outputs[2], call.outputs[3], x);
}

/// (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, ...), and where the scale stands.
Problem biased_problem(const KernelCall& call, Position scale, Extras& x) {
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

// (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, scale)
void efficient_cuda(KernelCall& call) {
  Extras x;
  const Problem p = biased_problem(call, op_efficient_attention::kScaledDotProductEfficientAttention["scale"], x);
  attend_with_filled_sums(call, p, x);
}

// (query, key, value, bias, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, dropout_p, custom_mask_type,
// compute_log_sumexp, scale, seqlen_k, window_size)
void efficient_forward_cuda(KernelCall& call) {
  Extras x;
  Problem p = problem_of(call, 2, positions_first, x);
  if (call.has(op_efficient_attention::kEfficientAttentionForward["cu_seqlens_q"])) {
    x.query_starts = counts(call, op_efficient_attention::kEfficientAttentionForward["cu_seqlens_q"]),
    x.key_starts = counts(call, op_efficient_attention::kEfficientAttentionForward["cu_seqlens_k"]);
    p.batches = call.tensor(op_efficient_attention::kEfficientAttentionForward["cu_seqlens_q"]).size(0).as_int() - 1,
    p.queries = call.integer(op_efficient_attention::kEfficientAttentionForward["max_seqlen_q"]);
    p.query.strides[0] = p.key.strides[0] = p.value.strides[0] = p.out.strides[0] = 0;
  }
  if (call.has(op_efficient_attention::kEfficientAttentionForward["bias"]))
    p.mask = mask_operand(call.tensor(op_efficient_attention::kEfficientAttentionForward["bias"]));
  p.scale = scale_of(call, op_efficient_attention::kEfficientAttentionForward["scale"], p);
  const int64_t mask_type = call.integer(op_efficient_attention::kEfficientAttentionForward["custom_mask_type"]);
  p.causal = mask_type != 0;
  x.from_end = mask_type == 2;
  x.key_counts = counts(call, op_efficient_attention::kEfficientAttentionForward["seqlen_k"]);
  if (call.has(op_efficient_attention::kEfficientAttentionForward["window_size"]) &&
      call.integer(op_efficient_attention::kEfficientAttentionForward["window_size"]) > 0)
    x.left = call.integer(op_efficient_attention::kEfficientAttentionForward["window_size"]) - 1;
  x.hidden_sum = kInfinity;
  set_dropout(call.real(op_efficient_attention::kEfficientAttentionForward["dropout_p"]), p, x,
              call.outputs[0].device());
  attend_with_filled_sums(call, p, x);
}

// (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, return_debug_mask, scale)
void cudnn_cuda(KernelCall& call) {
  Extras x;
  const Problem p = biased_problem(call, op_cudnn_attention::kScaledDotProductCudnnAttention["scale"], x);
  if (!library_answers(call, p, x)) op_flash_attention::attend_on_device(p, x, call.outputs[0].device().index);
  const size_t n = call.outputs.size();
  store_seed(call.outputs[n - 3], call.outputs[n - 2], x);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._scaled_dot_product_flash_attention.default", flash_cuda);
  cuda_module::attach(registry, "aten._flash_attention_forward.default", flash_forward_cuda);
  cuda_module::attach(registry, "aten._scaled_dot_product_efficient_attention.default", efficient_cuda);
  cuda_module::attach(registry, "aten._efficient_attention_forward.default", efficient_forward_cuda);
  cuda_module::attach(registry, "aten._scaled_dot_product_cudnn_attention.default", cudnn_cuda);
}

}  // namespace ersatz::op_fused_attention
