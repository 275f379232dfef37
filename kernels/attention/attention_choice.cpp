#include "kernels/attention/attention_choice.h"

namespace ersatz {
namespace {

bool all_of_dim(const AttentionOperands& of, int64_t dim) {
  return of.query.dim() == dim && of.key.dim() == dim && of.value.dim() == dim;
}

/// The size of dim `d` counted from the end, where -4 of a 3-d operand is a batch of one.
SymInt size_at(const TensorMeta& t, int64_t d) {
  return t.dim() + d < 0 ? SymInt(1) : t.sizes[static_cast<size_t>(t.dim() + d)];
}

bool heads_fit(const AttentionOperands& of) {
  const SymInt q = size_at(of.query, -3), k = size_at(of.key, -3), v = size_at(of.value, -3);
  if (!guard_eq(k, v)) return false;
  if (guard_eq(q, k) || guard_eq(k, 1)) return true;
  return of.grouped && guard_gt(k, 0) && guard_eq(floor_mod(q, k), 0);
}

/// Does each dim of the mask have size 1 or the scores' size? Beside 3-d operands a mask gets leading dims up to four.
bool mask_fits(const RuleCall& call, const AttentionOperands& of) {
  const TensorMeta& mask = *of.mask;
  if (of.query.dim() == 4) {
    call.wrap_dim(-2, mask.dim());
    if (mask.dim() != 2 && mask.dim() != 4) return false;
  } else if (mask.dim() > 4) {
    return false;
  }
  const SymInt scores[] = {size_at(of.query, -4), size_at(of.query, -3), size_at(of.query, -2), size_at(of.key, -2)};
  for (int64_t d = -1; d >= -4; --d) {
    const SymInt n = size_at(mask, d);
    if (!guard_eq(n, 1) && !guard_eq(n, scores[static_cast<size_t>(4 + d)])) return false;
  }
  return true;
}

}  // namespace

AttentionKernel choose_attention(const RuleCall& call, const AttentionOperands& of) {
  const TensorMeta &q = of.query, &k = of.key, &v = of.value;
  if (!q.device.is_cpu()) return AttentionKernel::Math;
  const bool fused = kFloats.has(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype && !(of.dropout > 0) &&
                     (all_of_dim(of, 3) || all_of_dim(of, 4)) && guard_eq(size_at(q, -4), size_at(k, -4)) &&
                     guard_eq(size_at(q, -4), size_at(v, -4)) && heads_fit(of) && (!of.mask || mask_fits(call, of)) &&
                     guard_eq(size_at(q, -1), size_at(k, -1)) && guard_eq(size_at(q, -1), size_at(v, -1)) &&
                     guard_ne(size_at(q, -2), 0) && guard_ne(size_at(k, -2), 0) && guard_eq(q.strides.back(), 1) &&
                     guard_eq(k.strides.back(), 1) && guard_eq(v.strides.back(), 1);
  return fused ? AttentionKernel::Flash : AttentionKernel::Math;
}

}  // namespace ersatz
