// CUDA's flash attention operators.
#include "kernels/attention/device_fused_attention.h"
#include "kernels/attention/flash_attention_forward.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_flash_attention_forward {
namespace {

using namespace device_attention;

/// Writes the debug mask: the weights [batch, head, query, key] that fit into it. Weights that dropout drops are
/// negative.
template <class T, class C, class M>
struct DebugWeights : op_flash_attention::Scores<T, C, M> {
  using op_flash_attention::Scores<T, C, M>::p;
  using op_flash_attention::Scores<T, C, M>::x;
  static constexpr int kFewestBlocks = 4;
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

/// Writes seed and offset to the two elements of `state`. Without dropout both are 0.
void store_generator_state(const Tensor& state, const Tensor& unused, const Extras& x) {
  const uint64_t words[] = {x.seed, x.offset};
  for (int64_t i = 0; i < 2; ++i) {
    TensorMeta one(DType::U64, {}, state.device());
    one.offset = i;
    fill_elements(make_view(state, one), static_cast<int64_t>(words[i]));
  }
  fill_elements(unused, int64_t(0));
}

// Runs a call with the arguments (query, key, value, dropout_p, is_causal, return_debug_mask, scale). call.outputs are
// output, logsumexp, rng state, unused and debug mask. Results that are None or numbers are not in call.outputs.
void flash_cuda(KernelCall& call) {
  Extras x;
  Problem p = problem_of(call, 1, heads_first, x);
  p.scale = scale_of(call, kScaledDotProductFlashAttention["scale"], p);
  p.causal = call.boolean(kScaledDotProductFlashAttention["is_causal"]);
  x.from_end = true;
  x.hidden_sum = kInfinity;
  const Device device = call.outputs[0].device();
  set_dropout(call.real(kScaledDotProductFlashAttention["dropout_p"]), p, x, device);
  attend(call, p, x);
  const size_t n = call.outputs.size();
  store_generator_state(call.outputs[n - 3], call.outputs[n - 2], x);
  write_debug_mask(call.outputs[n - 1], p, x);
}

// Runs a call with the arguments (query, key, value, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal,
// return_debug_mask, scale, window_size_left, window_size_right, seqused_k, alibi_slopes, block_table, num_splits).
void flash_forward_cuda(KernelCall& call) {
  Extras x;
  const bool packed = call.has(kFlashAttentionForward["cum_seq_q"]);
  Problem p = problem_of(call, packed ? 1 : 2, positions_first, x);
  if (packed) {
    x.query_starts = counts(call, kFlashAttentionForward["cum_seq_q"]),
    x.key_starts = counts(call, kFlashAttentionForward["cum_seq_k"]);
    x.packed_sums = true;
    p.batches = call.tensor(kFlashAttentionForward["cum_seq_q"]).size(0).as_int() - 1,
    p.queries = call.integer(kFlashAttentionForward["max_q"]), p.keys = call.integer(kFlashAttentionForward["max_k"]);
  }
  p.scale = scale_of(call, kFlashAttentionForward["scale"], p);
  p.causal = call.boolean(kFlashAttentionForward["is_causal"]);
  x.left = call.has(kFlashAttentionForward["window_size_left"])
               ? call.integer(kFlashAttentionForward["window_size_left"])
               : -1;
  x.right = call.has(kFlashAttentionForward["window_size_right"])
                ? call.integer(kFlashAttentionForward["window_size_right"])
                : -1;
  x.from_end = true;
  x.hidden_sum = kInfinity;
  x.key_counts = counts(call, kFlashAttentionForward["seqused_k"]);
  if (call.has(kFlashAttentionForward["alibi_slopes"])) {
    const Tensor slopes = call.tensor(kFlashAttentionForward["alibi_slopes"]);
    const auto s = as_ints(slopes.strides());
    x.slopes = reinterpret_cast<const float*>(slopes.raw_data());
    x.slope_strides[0] = slopes.dim() == 2 ? s[0] : 0, x.slope_strides[1] = s.back();
  }
  const Device device = call.outputs[0].device();
  set_dropout(call.real(kFlashAttentionForward["dropout_p"]), p, x, device);
  attend(call, p, x);
  store_generator_state(call.outputs[2], call.outputs[3], x);
  write_debug_mask(call.outputs[4], p, x);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._scaled_dot_product_flash_attention.default", flash_cuda);
  cuda_module::attach(registry, "aten._flash_attention_forward.default", flash_forward_cuda);
}

}  // namespace ersatz::op_flash_attention_forward
