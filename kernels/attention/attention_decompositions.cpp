// Decompositions of attention into core operators.
#include <cmath>

#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

/// Decomposes into _scaled_dot_product_attention_math. The result has positions before batches in memory, like the
/// kernel's result. Separate nodes compute the logsumexp. They are dead code if the logsumexp is not used.
void flash_attention_for_cpu(CompositeCall& call) {
  const Value &query = given(call, 0), &key = given(call, 1), &causal = given(call, 4), &mask = given(call, 5),
              &scale = given(call, 6);
  const int64_t heads = query.tensor().size(1).guard_int(), key_heads = key.tensor().size(1).guard_int();
  const bool shared = heads != key_heads;
  const Values math = call_op_all<"aten._scaled_dot_product_attention_math.default">(
      query, key, given(call, 2), mask, given(call, 3), causal, Value(), scale, shared);
  const Tensor rows = call_op<"aten.permute.default">(math[0], DimVec{2, 0, 1, 3});
  const Tensor dense = call_op<"aten.clone.default">(rows, MemoryFormat::Contiguous);
  call.returns(call_op<"aten.permute.default">(dense, DimVec{1, 2, 0, 3}));
  // softmax = e^(score - logsumexp). The logsumexp of a row is therefore its largest score minus the logarithm of the
  // probability of that score's key.
  const Tensor x = query.tensor();
  Tensor k = key.tensor();
  if (shared) k = call_op<"aten.repeat_interleave.self_int">(k, SymInt(heads / key_heads), 1, Value());
  const double factor =
      scale.is_none() ? 1 / std::sqrt(static_cast<double>(x.size(-1).guard_int())) : scale.as_double();
  const Tensor columns = call_op<"aten.permute.default">(k, DimVec{0, 1, 3, 2});
  Tensor scores = call_op<"aten.mul.Scalar">(call_op<"aten.matmul.default">(x, columns), factor);
  const Tensor probabilities = math[1].tensor();
  const Tensor best = call_op<"aten.argmax.default">(probabilities, -1, true);
  if (!mask.is_none() && mask.tensor().dtype() != DType::Bool) scores = add(scores, mask);
  const Tensor score = call_op<"aten.gather.default">(scores, -1, best, false),
               probability = call_op<"aten.gather.default">(probabilities, -1, best, false);
  const Tensor sums = call_op<"aten.squeeze.dims">(sub(score, call_op<"aten.log.default">(probability)), DimVec{-1});
  call.returns(cast(sums, is_reduced_float(x.dtype()) ? DType::F32 : x.dtype()));
}

constexpr Row kAttentionRows[] = {
    {"aten._scaled_dot_product_flash_attention_for_cpu.default", flash_attention_for_cpu},
};

}  // namespace

std::span<const Row> attention_rows() { return kAttentionRows; }

}  // namespace ersatz::decomposition
