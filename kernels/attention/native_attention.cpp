#include "kernels/attention/native_attention.h"

#include <cmath>
#include <limits>

#include "kernels/creation/empty.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/linalg/matmul.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/pointwise/gelu.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/softmax.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/permute.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/split.h"
#include "kernels/shape/transpose.h"
#include "kernels/shape/view.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_native_attention {
namespace {

constexpr auto& kOp = kNativeMultiHeadAttention;

void check(const CompositeCall& call) {
  const TensorMeta &query = call.meta(kOp["query"]), &weight = call.meta(kOp["qkv_weight"]),
                   &bias = call.meta(kOp["qkv_bias"]);
  const int64_t dim = call.integer(kOp["embed_dim"]), heads = call.integer(kOp["num_head"]);
  for (const Position p : {kOp["query"], kOp["key"], kOp["value"]}) {
    const TensorMeta& t = call.meta(p);
    call.require(t.dim() == 3 && query.dim() == 3 && check_eq(t.sizes, query.sizes) && check_eq(t.sizes[2], dim), "C1",
                 "query, key and value must have the sizes [B, L, {}]: query is {}, {} is {}", dim, query,
                 call.op.schema.arguments[p].name, t);
  }
  call.require(weight.dim() == 2 && check_eq(weight.sizes[0], 3 * dim) && check_eq(weight.sizes[1], dim) &&
                   bias.dim() == 1 && check_eq(bias.sizes[0], 3 * dim),
               "C2", "qkv_weight must have the sizes [{}, {}], qkv_bias {}: they are {} and {}", 3 * dim, dim, 3 * dim,
               weight, bias);
  call.require(heads > 0 && dim % heads == 0, "C3", "{} dims are no multiple of {} heads", dim, heads);
  call.require_dtype(query.dtype, kFloats);
}

/// Returns query, key and value after projection, split into heads: [B, heads, L, D / heads].
std::vector<Tensor> project(const CompositeCall& call, int64_t heads) {
  const Tensor weight = call.tensor(kOp["qkv_weight"]),
               bias = ops::to(call.tensor(kOp["qkv_bias"]), call.meta(kOp["query"]).dtype);
  const Tensor given[] = {call.tensor(kOp["query"]), call.tensor(kOp["key"]), call.tensor(kOp["value"])};
  std::vector<Tensor> projected;
  if (given[0].is(given[1]) && given[0].is(given[2])) {
    projected = ops::chunk(ops::linear(given[0], weight, bias), 3, -1);
  } else {
    const std::vector<Tensor> weights = ops::chunk(weight, 3, 0), biases = ops::chunk(bias, 3, 0);
    for (size_t i = 0; i < 3; ++i) projected.push_back(ops::linear(given[i], weights[i], biases[i]));
  }
  const SymInt split[] = {given[0].sizes()[0], given[0].sizes()[1], heads, call.integer(kOp["embed_dim"]) / heads};
  for (Tensor& t : projected) t = ops::transpose(ops::reshape(t, split), 1, 2);
  return projected;
}

/// Returns `scores`, [B, heads, L, L], with -inf for the keys that the mask hides.
Tensor masked(const CompositeCall& call, const Tensor& scores) {
  if (!call.has(kOp["mask"])) return scores;
  Tensor mask = call.tensor(kOp["mask"]);
  const int64_t type = call.has(kOp["mask_type"]) ? call.integer(kOp["mask_type"]) : mask.dim() == 4 ? 2 : -1;
  const auto sizes = scores.sizes();
  const DimVec of_rows{sizes[2], sizes[3]}, of_keys{sizes[0], sizes[3]};
  const DimVec wanted = mask.dim() != 2 || type > 1 ? DimVec(sizes) : type == 0 ? of_rows : of_keys;
  call.require(mask.dim() == 4 || (type >= 0 && type <= 2), "C4",
               "a mask of two dims needs a mask_type, 0 or 1: it is {}", mask.meta());
  call.require(mask.sizes().size() == wanted.size() && check_eq(mask.sizes(), wanted), "C4",
               "a mask of type {} must have the sizes {}: it is {}", type, wanted, mask.meta());
  if (mask.dtype() != DType::Bool) mask = ops::ne(mask, 0);
  if (mask.dim() == 2 && type == 1) {
    const SymInt of_key[] = {sizes[0], SymInt(1), SymInt(1), sizes[3]};
    mask = ops::reshape(mask, of_key);
  }
  return ops::masked_fill(scores, mask, -std::numeric_limits<double>::infinity());
}

/// Returns the result and, if need_weights is true, the weights.
std::vector<Tensor> attend(const CompositeCall& call) {
  check(call);
  const Tensor query = call.tensor(kOp["query"]);
  const int64_t heads = call.integer(kOp["num_head"]);
  if (size_eq(query.numel(), 0))
    return {ops::empty(query.sizes(), {.dtype = query.dtype(), .device = query.device()}), Tensor()};
  const std::vector<Tensor> qkv = project(call, heads);
  const double scale = 1 / std::sqrt(static_cast<double>(call.integer(kOp["embed_dim"]) / heads));
  const Tensor scores = ops::matmul(ops::mul(qkv[0], scale), ops::transpose(qkv[1], -2, -1));
  Tensor weights = ops::softmax(masked(call, scores), -1);
  const Tensor joined = ops::reshape(ops::transpose(ops::matmul(weights, qkv[2]), 1, 2), query.sizes());
  const Tensor result = ops::linear(joined, call.tensor(kOp["proj_weight"]), call.tensor(kOp["proj_bias"]));
  if (!call.boolean(kOp["need_weights"])) return {result, Tensor()};
  if (call.boolean(kOp["average_attn_weights"])) {
    const SymInt over_heads[] = {1};
    weights = ops::div(ops::sum(weights, over_heads), heads);
  }
  return {result, weights};
}

void attention(CompositeCall& call) {
  for (Tensor& t : attend(call)) call.returns(std::move(t));
}
void attention_out(CompositeCall& call) {
  const std::vector<Tensor> results = attend(call);
  call.require(static_cast<bool>(results[1]), "C5", "there are no weights to write: they are not asked for, or empty");
  for (size_t i = 0; i < results.size(); ++i) write_result(call, results[i], kOp.out() + i);
}

constexpr auto& kLayer = kTransformerEncoderLayerFwd;

Tensor encode(const CompositeCall& call) {
  const auto norm = [&](const Tensor& x, Position weight, Position bias) {
    const SymInt dim[] = {call.sym(kLayer["embed_dim"])};
    return call_op<"aten.layer_norm.default">(x, std::span<const SymInt>(dim), call[weight], call[bias],
                                              call.real(kLayer["eps"]), true);
  };
  const auto norm_1 = [&](const Tensor& x) { return norm(x, kLayer["norm_weight_1"], kLayer["norm_bias_1"]); };
  const auto norm_2 = [&](const Tensor& x) { return norm(x, kLayer["norm_weight_2"], kLayer["norm_bias_2"]); };
  const bool first = call.boolean(kLayer["norm_first"]);
  const Tensor src = call.tensor(kLayer["src"]);

  std::optional<int64_t> mask_type;
  if (call.has(kLayer["mask_type"])) mask_type = call.integer(kLayer["mask_type"]);
  const Tensor seen = first ? norm_1(src) : src;
  const auto [attended, weights] = ops::_native_multi_head_attention(
      seen, seen, seen, call.integer(kLayer["embed_dim"]), call.integer(kLayer["num_heads"]),
      call.tensor(kLayer["qkv_weight"]), call.tensor(kLayer["qkv_bias"]), call.tensor(kLayer["proj_weight"]),
      call.tensor(kLayer["proj_bias"]), call.tensor(kLayer["mask"]), false, true, mask_type);
  Tensor middle = ops::add(attended, src);
  if (!first) middle = norm_1(middle);

  const Tensor hidden = ops::linear(first ? norm_2(middle) : middle, call.tensor(kLayer["ffn_weight_1"]),
                                    call.tensor(kLayer["ffn_bias_1"]));
  const Tensor active = call.boolean(kLayer["use_gelu"]) ? ops::gelu(hidden) : ops::relu(hidden);
  const Tensor fed = ops::linear(active, call.tensor(kLayer["ffn_weight_2"]), call.tensor(kLayer["ffn_bias_2"]));
  const Tensor sum = ops::add(fed, middle);
  return first ? sum : norm_2(sum);
}
void layer(CompositeCall& call) { call.returns(encode(call)); }
void layer_out(CompositeCall& call) { write_result(call, encode(call), kLayer.out()); }

}  // namespace

void register_ops(Registry& r) {
  constexpr const char* kSelf = "f32[2,5,8], f32[2,5,8], f32[2,5,8], 8, 2, f32[24,8], f32[24], f32[8,8], f32[8]";
  const std::string weights = ", f32[24,8], f32[24], f32[8,8], f32[8]";
  OpEntry& attention_op =
      r.add(kOp)
          .with_composite(attention)
          .dtypes(kFloats)
          .sample(kSelf)
          .sample(std::string(kSelf) + ", bool[5,5], True, False, 0")
          .sample(std::string(kSelf) + ", bool[2,5], False, True, 1")
          .refuses("C1", "f32[2,5,8], f32[2,4,8], f32[2,5,8], 8, 2" + weights)
          .refuses("C2", "f32[2,5,8], f32[2,5,8], f32[2,5,8], 8, 2, f32[16,8], f32[24], f32[8,8], f32[8]")
          .refuses("C3", "f32[2,5,8], f32[2,5,8], f32[2,5,8], 8, 3" + weights)
          .refuses("C4", std::string(kSelf) + ", bool[5,5]");
  r.add_out_alike(attention_op, "out", {"out0", "out1"})
      .with_composite(attention_out)
      .sample(std::string(kSelf) + ", out0=f32[0], out1=f32[0]")
      .refuses("C5", std::string(kSelf) + ", None, False, out0=f32[0], out1=f32[0]");
  const std::string layer_call =
      "f32[2,5,8], 8, 2" + weights +
      ", True, False, 1e-05, f32[8], f32[8], f32[8], f32[8], f32[12,8], f32[12], f32[8,12], f32[8]";
  OpEntry& layer_op = r.add(kLayer).with_composite(layer).dtypes(kFloats).sample(layer_call);
  r.add_out_alike(layer_op, "out").with_composite(layer_out).sample(layer_call + ", out=f32[0]");
}

}  // namespace ersatz::op_native_attention
