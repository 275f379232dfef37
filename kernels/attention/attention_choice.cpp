#include "kernels/attention/attention_choice.h"

#include "kernels/attention/attention_layout.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz {
namespace {

bool all_of_dim(const AttentionOperands& of, int64_t dim) {
  return of.query.dim() == dim && of.key.dim() == dim && of.value.dim() == dim;
}

/// Returns the size of dim `d`, which is negative and counts from the end. Dim -4 of a 3-d operand has size 1.
SymInt size_at(const TensorMeta& t, int64_t d) {
  return t.dim() + d < 0 ? SymInt(1) : t.sizes[static_cast<size_t>(t.dim() + d)];
}

bool heads_fit(const AttentionOperands& of) {
  const SymInt q = size_at(of.query, -3), k = size_at(of.key, -3), v = size_at(of.value, -3);
  if (!size_eq(k, v)) return false;
  if (size_eq(q, k) || size_eq(k, 1)) return true;
  return of.grouped && size_gt(k, 0) && size_eq(floor_mod(q, k), 0);
}

/// True if each dim of the mask has size 1 or the size of the same dim of the scores. For 3-d operands, leading dims of
/// size 1 are first added to the mask, up to 4 dims.
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
    if (!size_eq(n, 1) && !size_eq(n, scores[static_cast<size_t>(4 + d)])) return false;
  }
  return true;
}

bool fused_on_cpu(const RuleCall& call, const AttentionOperands& of) {
  const TensorMeta &q = of.query, &k = of.key, &v = of.value;
  return kFloats.has(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype && !(of.dropout > 0) &&
         (all_of_dim(of, 3) || all_of_dim(of, 4)) && size_eq(size_at(q, -4), size_at(k, -4)) &&
         size_eq(size_at(q, -4), size_at(v, -4)) && heads_fit(of) && (!of.mask || mask_fits(call, of)) &&
         size_eq(size_at(q, -1), size_at(k, -1)) && size_eq(size_at(q, -1), size_at(v, -1)) &&
         size_ne(size_at(q, -2), 0) && size_ne(size_at(k, -2), 0) && size_eq(q.strides.back(), 1) &&
         size_eq(k.strides.back(), 1) && size_eq(v.strides.back(), 1);
}

CudaAttention on_cuda(const RuleCall& call, const AttentionOperands& of) {
  const RuleContext& c = call.context;
  CudaAttention cuda{
      of.query,       of.key,
      of.value,       std::nullopt,
      of.dropout,     of.causal,
      of.grouped,     c.grad_mode && (of.query.requires_grad || of.key.requires_grad || of.value.requires_grad),
      c.deterministic};
  if (of.mask) cuda.mask = *of.mask;
  if (!all_of_dim(of, 3)) return cuda;
  for (TensorMeta* t : {&cuda.query, &cuda.key, &cuda.value}) *t = with_batch_of_one(*t);
  while (cuda.mask && cuda.mask->dim() < 4) *cuda.mask = with_batch_of_one(*cuda.mask);
  return cuda;
}

bool has_symbols(const CudaAttention& of) {
  for (const TensorMeta* t : {&of.query, &of.key, &of.value}) {
    for (const SymInt& n : t->sizes) {
      if (n.is_symbolic()) return true;
    }
    for (const SymInt& n : t->strides) {
      if (n.is_symbolic()) return true;
    }
  }
  return false;
}

/// True if the strides are equal in all dims whose size is not 1.
bool same_strides(const CudaAttention& of, const DimVec& a, const DimVec& b) {
  const SymInt sizes[] = {of.query.sizes[0], of.query.sizes[1], of.query.sizes[2], of.value.sizes[3]};
  for (size_t d = 0; d < 4; ++d) {
    if (!size_eq(sizes[d], 1) && !size_eq(a[d], b[d])) return false;
  }
  return true;
}

/// Returns the kernel whose result has the strides that were recorded for this call on this backend. Returns nullopt if
/// nothing is recorded, or if no kernel's result has these strides.
std::optional<AttentionKernel> recorded_kernel(const RuleCall& call, const CudaAttention& of,
                                               std::span<const BackendRecord> candidates) {
  const DimVec* seen = recorded_layouts().size() > 0
                           ? recorded_layout(call.op.name, 0, layout_situation(call.args), call.context.backend)
                           : nullptr;
  if (!seen) return std::nullopt;
  DimVec strides(*seen);
  if (strides.size() == 3) strides.insert(0, SymInt(0));  // a recorded 3-d result gets a batch of size 1
  for (const BackendRecord& b : candidates) {
    const AttentionKernel kernel = choose_on_cuda(of, b);
    if (strides.size() == 4 && same_strides(of, attention_strides(of, kernel), strides)) return kernel;
  }
  return std::nullopt;
}

AttentionChoice choose_for_backend(const RuleCall& call, const CudaAttention& of) {
  const BackendRecord& backend = call.context.backend;
  AttentionChoice choice;
  if (backend.cuda_capability > 0) choice.kernel = choose_on_cuda(of, backend);
  const std::span<const BackendRecord> candidates = backends_like(backend);
  const bool fused_at_all = of.query.dim() == 4 && of.key.dim() == 4 && of.value.dim() == 4 &&
                            kFloats.has(of.query.dtype) && of.query.dtype != DType::F64;
  if (candidates.empty() || !fused_at_all) return choice;
  if (has_symbols(of)) {  // recorded_kernel would add guards on sizes that the choice does not depend on
    choice.layout_unknown = true;
    return choice;
  }
  if (const auto kernel = recorded_kernel(call, of, candidates)) return {*kernel, false};
  const DimVec strides = attention_strides(of, choice.kernel);
  for (const BackendRecord& b : candidates) {
    if (same_strides(of, attention_strides(of, choose_on_cuda(of, b)), strides)) continue;
    choice.layout_unknown = true;
    break;
  }
  return choice;
}

}  // namespace

AttentionChoice choose_attention(const RuleCall& call, const AttentionOperands& of) {
  const Device device = of.query.device;
  if (device.is_cpu()) return {fused_on_cpu(call, of) ? AttentionKernel::Flash : AttentionKernel::Math, false};
  if (device.is_cuda()) return choose_for_backend(call, on_cuda(call, of));
  return {};
}

}  // namespace ersatz
