#include "kernels/linalg/pairwise_distance.h"

#include "kernels/linalg/column_major.h"
#include "kernels/linalg/matmul.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_pairwise_distance {

Kernel run_cdist_cpu, run_cdist_backward_cpu, run_pdist_cpu, run_pdist_backward_cpu;

namespace {

constexpr DTypeSet kTaken{DType::F32, DType::F64};

SymInt size_of(const TensorMeta& t, size_t from_end) { return t.sizes[t.sizes.size() - from_end]; }
DimVec with(DimVec batch, SymInt rows, SymInt columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}
SymInt numel_of(std::span<const SymInt> sizes) {
  SymInt n = 1;
  for (const SymInt size : sizes) n *= size;
  return n;
}
bool empty(std::span<const SymInt> sizes) {
  for (const SymInt size : sizes) {
    if (size_eq(size, 0)) return true;
  }
  return false;
}

void cdist_rule(RuleCall& call) {
  const TensorMeta &x1 = call.meta(kCdistForward["x1"]), &x2 = call.meta(kCdistForward["x2"]);
  call.require(x1.dim() >= 2 && x2.dim() >= 2, "C1", "expects matrices: x1 is {}, x2 is {}", x1, x2);
  call.require(check_eq(size_of(x1, 1), size_of(x2, 1)), "C2", "expects as many columns: x1 is {}, x2 is {}", x1, x2);
  call.require(is_float(x1.dtype) && is_float(x2.dtype), "C3", "expects floats: x1 is {}, x2 is {}", x1, x2);
  const double p = call.real(kCdistForward["p"]);
  call.require(p >= 0, "C4", "p must not be negative: it is {}", p);
  const int64_t mode = call.has(kCdistForward["compute_mode"]) ? call.integer(kCdistForward["compute_mode"]) : 0;
  call.require(mode >= 0 && mode <= 2, "C5", "compute_mode must be 0, 1 or 2: it is {}", mode);
  const DimVec sizes =
      with(broadcast_batches(call, "C6", x1, leading_sizes(x1.sizes, 2), x2, leading_sizes(x2.sizes, 2)),
           size_of(x1, 2), size_of(x2, 2));
  if (!empty(sizes) && !size_eq(size_of(x1, 1), 0)) {
    const bool product =
        p == 2 && (mode == 1 || (mode == 0 && (guard_gt(size_of(x1, 2), 25) || guard_gt(size_of(x2, 2), 25))));
    call.require_dtype(x1.dtype, product ? kFloats : kTaken);
    if (kLimitedDTypes.has(x2.dtype)) call.require_dtype(x2.dtype, product ? kFloats : kTaken);
    call.require(x1.dtype == x2.dtype, "C3", "expects one dtype: x1 is {}, x2 is {}", x1, x2);
  }
  call.out.fresh(TensorMeta(x1.dtype, sizes, call.device));
}

void cdist_backward_rule(RuleCall& call) {
  static constexpr auto& k = kCdistBackward;
  const TensorMeta &x1 = call.meta(k["x1"]), &x2 = call.meta(k["x2"]);
  call.require_index(x1.dim() >= 2 && x2.dim() >= 2, "C1", "expects matrices: x1 is {}, x2 is {}", x1, x2);
  const DimVec batch = broadcast_batches(call, "C6", x1, leading_sizes(x1.sizes, 2), x2, leading_sizes(x2.sizes, 2));
  const DimVec distances = with(batch, size_of(x1, 2), size_of(x2, 2)),
               sizes = with(batch, size_of(x1, 2), size_of(x1, 1));
  if (empty(distances) || size_eq(size_of(x1, 1), 0)) {
    answer_like(call, x1);
    return;
  }
  call.require_dtype(x1.dtype, kTaken);
  call.out.fresh(TensorMeta(x1.dtype, sizes, call.device));
  if (call.real(k["p"]) == 0) return;
  call.require(check_le(size_of(x1, 1), size_of(x2, 1)), "C6",
               "rows of x2 must be as long as those of x1: x1 is {}, x2 is {}", x1, x2);
  for (const Position i : {k["grad_output"], k["cdist"]}) {
    const TensorMeta& t = call.meta(i);
    call.require(check_le(numel_of(distances), t.numel()), "C6",
                 "{} must have an element for each of {} distances: it is {}", call.op.schema.arguments[i].name,
                 distances, t);
  }
  for (const Position i : {k["grad_output"], k["x2"], k["cdist"]})
    call.require(call.meta(i).dtype == x1.dtype, "C3", "{} must have the dtype of x1, {}: it is {}",
                 call.op.schema.arguments[i].name, name(x1.dtype), call.meta(i));
}

/// The number of pairs of different rows among n rows.
SymInt pairs(SymInt n) { return floor_div(n * (n - 1), 2); }

void pdist_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kPdistForward["self"]);
  call.require(is_contiguous(self), "C2", "self must be row-major: it is {}", self);
  call.require_index(self.dim() >= 2 || (self.dim() > 0 && size_le(self.sizes[0], 1)), "C1",
                     "self must be a matrix: it is {}", self);
  const SymInt n = self.sizes[0];
  if (!size_le(n, 1) && !size_eq(self.sizes[1], 0)) {
    call.require(check_ne(self.numel(), 0), "C1", "self must have elements: it is {}", self);
    call.require_dtype(self.dtype, kTaken);
  } else if (kLimitedDTypes.has(self.dtype)) {
    call.require_dtype(self.dtype, kLimitedDTypes);  // nothing is computed, because the result is empty
  }
  call.out.fresh(TensorMeta(self.dtype, DimVec{size_le(n, 1) ? SymInt(0) : pairs(n)}, call.device));
}
void pdist_backward_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kPdistBackward["self"]), &grad = call.meta(kPdistBackward["grad_output"]),
                   &distances = call.meta(kPdistBackward["pdist"]);
  call.require(is_contiguous(self) && is_contiguous(distances), "C2",
               "self and pdist must be row-major: they are {}, {}", self, distances);
  call.require_dtype(self.dtype, kTaken);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
  if (call.real(kPdistBackward["p"]) == 0) return;
  call.require_index(self.dim() >= 2 && grad.dim() >= 1, "C1",
                     "self must be a matrix, grad_output must have a dim: they are {} and {}", self, grad);
  const SymInt n = size_eq(self.sizes[1], 0) ? SymInt(0) : pairs(self.sizes[0]);
  const bool rows = size_eq(n, 0) || (check_le(n, grad.sizes[0]) && check_ne(grad.numel(), 0));
  call.require(rows && check_le(n, distances.numel()), "C1",
               "grad_output must have a row and pdist an element for each pair of rows: they are {} and {}, self is {}",
               grad, distances, self);
  call.require(grad.dtype == self.dtype && distances.dtype == self.dtype, "C3",
               "expects one dtype: grad_output, self and pdist are {}, {} and {}", grad, self, distances);
}

/// True if at::cdist computes the distances by a product of matrices. Their gradient is then computed from that
/// product.
bool by_product(const CompositeCall& call, const Tensor& x1, const Tensor& x2) {
  if (!call.context.grad_mode || !(x1.meta().requires_grad || x2.meta().requires_grad)) return false;
  const int64_t mode = call[kCdist["compute_mode"]].is_none() ? 0 : call.integer(kCdist["compute_mode"]);
  if (call.real(kCdist["p"]) != 2 || mode == 2 || x1.dim() < 2 || x2.dim() < 2) return false;
  if (size_eq(x1.numel(), 0) || size_eq(x2.numel(), 0)) return false;
  // _cdist_forward refuses these operands
  if (size_ne(size_of(x1.meta(), 1), size_of(x2.meta(), 1)) || x1.dtype() != x2.dtype()) return false;
  return mode == 1 || guard_gt(size_of(x1.meta(), 2), 25) || guard_gt(size_of(x2.meta(), 2), 25);
}
/// Returns the distances in the broadcast sizes, by a product of matrices. The batch dims of both operands are
/// flattened.
Tensor distances_by_product(const CompositeCall& call, const Tensor& x1, const Tensor& x2) {
  const SymInt rows = size_of(x1.meta(), 2), others = size_of(x2.meta(), 2), columns = size_of(x1.meta(), 1);
  const auto batch_of = [](const Tensor& t) { return t.sizes().first(t.sizes().size() - 2); };
  const DimVec batch = broadcast_batches(call, "C6", x1.meta(), DimVec(batch_of(x1)), x2.meta(), DimVec(batch_of(x2)));
  const SymInt count = numel_of(batch);
  const auto flat = [&](const Tensor& t, SymInt n) {
    const Tensor whole = call_op<"aten.expand.default">(t, with(batch, n, columns), false);
    return call_op<"aten.view.default">(call_op<"aten.contiguous.default">(whole, MemoryFormat::Contiguous),
                                        DimVec{count, n, columns});
  };
  const Tensor made = call_op<"aten._euclidean_dist.default">(flat(x1, rows), flat(x2, others));
  return call_op<"aten.view.default">(made, with(batch, rows, others));
}
void cdist(CompositeCall& call) {
  const Tensor x1 = call.tensor(kCdist["x1"]), x2 = call.tensor(kCdist["x2"]);
  if (by_product(call, x1, x2)) return call.returns(distances_by_product(call, x1, x2));
  call.returns(call_op<"aten._cdist_forward.default">(call[kCdist["x1"]], call[kCdist["x2"]], call[kCdist["p"]],
                                                      call[kCdist["compute_mode"]]));
}
void pdist(CompositeCall& call) {
  const Tensor self = call.tensor(kPdist["self"]);
  call.require(self.dim() == 2, "C1", "self must be a matrix: it is {}", self.meta());
  call.require(is_float(self.dtype()), "C2", "expects floats: self is {}", self.meta());
  call.require(call.real(kPdist["p"]) >= 0, "C3", "p must not be negative: it is {}", call.real(kPdist["p"]));
  call.returns(
      ops::_pdist_forward(call_op<"aten.contiguous.default">(self, MemoryFormat::Contiguous), call.real(kPdist["p"])));
}

Tensor euclidean(const CompositeCall& call) {
  const auto squares = [](const Tensor& x) {
    return call_op<"aten.sum.dim_IntList">(call_op<"aten.pow.Tensor_Scalar">(x, Scalar(2)), DimVec{SymInt(-1)}, true,
                                           Value());
  };
  const auto joined = [](const Tensor& a, const Tensor& b, const Tensor& c) {
    const Value parts[] = {Value(a), Value(b), Value(c)};
    return call_op<"aten.cat.default">(std::span<const Value>(parts), int64_t(-1));
  };
  const auto ones = [](const Tensor& t) {
    return call_op<"aten.ones_like.default">(t, Value(), Value(), Value(), Value(), MemoryFormat::Contiguous);
  };
  const Tensor x1 = call.tensor(kEuclidean["x1"]), x2 = call.tensor(kEuclidean["x2"]), n1 = squares(x1),
               n2 = squares(x2);
  const Tensor left = joined(ops::mul(x1, -2), n1, ones(n1)), right = joined(x2, ones(n2), n2);
  const Tensor result = ops::matmul(left, call_op<"aten.mT.default">(right));
  call_op<"aten.clamp_min_.default">(result, Scalar(0));
  return call_op<"aten.sqrt_.default">(result);
}
void run_euclidean(CompositeCall& call) { call.returns(euclidean(call)); }
void run_euclidean_out(CompositeCall& call) { write_result(call, euclidean(call), kEuclidean.out()); }

std::optional<SymInt> flops(RuleCall& call, const RuleResult& result) {
  return SymInt(3) * result.outputs[0].meta.numel() * size_of(call.meta(size_t{0}), 1);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& forward = r.add(kCdistForward)
                         .tag(Tag::Core)
                         .with_rule(cdist_rule)
                         .cpu(run_cdist_cpu)
                         .count_flops(flops)
                         .sample("f32[2,3], f32[4,5,3]{15,1,5}, 2.0, None")
                         .sample("f32[2,3], f32[5,3], 0.5, 2")
                         .refuses("C1", "f32[2], f32[2,2], 2.0, None")
                         .refuses("C2", "f32[2,3], f32[2,2], 2.0, None")
                         .refuses("C3", "i64[2,2], i64[2,2], 2.0, None")
                         .refuses("C4", "f32[2,2], f32[2,2], -1.0, None")
                         .refuses("C5", "f32[2,2], f32[2,2], 2.0, 3")
                         .refuses("C6", "f32[2,2,2], f32[3,2,2], 2.0, None");
  r.add_out(forward, "out", kGeneratedForm);
  OpEntry& backward = r.add(kCdistBackward)
                          .with_rule(cdist_backward_rule)
                          .cpu(run_cdist_backward_cpu)
                          .sample("f32[2,5], f32[2,3], f32[5,3], 2.0, f32[2,5]", 1, 2)
                          .refuses("C1", "f32[2], f32[2], f32[2], 2.0, f32[2]")
                          .refuses("C3", "f64[2,2], f32[2,2], f32[2,2], 2.0, f32[2,2]")
                          .refuses("C6", "f32[1,3], f32[2,2], f32[2,2], 2.0, f32[2,2]");
  r.add_out(backward, "out", kGeneratedForm);
  r.add(kCdist).with_composite(cdist).sample("f32[2,3], f32[5,3]");
  OpEntry& within = r.add(kPdistForward)
                        .tag(Tag::Core)
                        .with_rule(pdist_rule)
                        .cpu(run_pdist_cpu)
                        .sample("f32[4,3], 1.5")
                        .refuses("C1", "f32[3]")
                        .refuses("C2", "f32[4,3]{1,4}");
  r.add_out(within, "out", kGeneratedForm);
  r.add(kPdistBackward)
      .with_rule(pdist_backward_rule)
      .cpu(run_pdist_backward_cpu)
      .sample("f32[6], f32[4,3], 2.0, f32[6]", 1, 2)
      .refuses("C1", "f32[5], f32[4,3], 2.0, f32[6]")
      .refuses("C2", "f32[6], f32[4,3]{1,4}, 2.0, f32[6]")
      .refuses("C3", "f64[6], f32[4,3], 2.0, f32[6]");
  r.add(kPdist)
      .with_composite(pdist)
      .sample("f32[4,3]{1,4}")
      .refuses("C1", "f32[3]")
      .refuses("C2", "i64[3,2]")
      .refuses("C3", "f32[3,2], -1.0");
  OpEntry& euclidean = r.add(kEuclidean).with_composite(run_euclidean).sample("f32[2,3], f32[5,3]");
  r.add_out_alike(euclidean, "out").with_composite(run_euclidean_out).sample("f32[2,3], f32[5,3], out=f32[0]");
}

}  // namespace ersatz::op_pairwise_distance
