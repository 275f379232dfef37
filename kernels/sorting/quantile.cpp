#include "kernels/sorting/quantile.h"

#include "kernels/creation/full.h"
#include "kernels/creation/tensor.h"
#include "kernels/indexing/index_select.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/pointwise/ternary.h"
#include "kernels/reduction/any_all.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "kernels/shape/view.h"
#include "kernels/sorting/sort.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_quantile {
namespace {

using namespace arithmetic;

enum class Between { Linear, Lower, Higher, Midpoint, Nearest };

Between interpolation_of(const CompositeCall& call) {
  constexpr std::string_view names[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  const std::string_view asked = call[kQuantile["interpolation"]].as_string();
  const auto* found = std::find(std::begin(names), std::end(names), asked);
  call.require(found != std::end(names), "C4",
               "interpolation must be linear, lower, higher, midpoint or nearest, it is \"{}\"", asked);
  return static_cast<Between>(found - names);
}

void require_operands(const CompositeCall& call, const TensorMeta& self, const TensorMeta& q) {
  call.require(check_ne(self.numel(), 0), "C1", "there is no quantile of no elements: self is {}", self);
  call.require(q.dim() <= 1, "C3", "q must have one dim at most: it is {}", q);
  const bool floats = self.dtype == DType::F32 || self.dtype == DType::F64;
  call.require(floats && self.dtype == q.dtype && self.device == q.device, "C2",
               "self and q must both be f32 or both f64, on one device: self is {}, q is {}", self, q);
}

/// Returns the sorted elements along `dim`, one row for each element of the result. Sets `sizes` to the sizes of the
/// result for a 0-d q.
Tensor sorted_rows(const Tensor& self, std::optional<int64_t> dim, bool keepdim, DimVec& sizes) {
  if (dim && self.dim() > 0) {
    for (int64_t d = 0; d < self.dim(); ++d) {
      if (d != *dim) {
        sizes.push_back(self.size(d));
      } else if (keepdim) {
        sizes.push_back(1);
      }
    }
  } else if (keepdim) {
    sizes = DimVec(static_cast<size_t>(self.dim()), SymInt(1));
  }
  Tensor sorted;
  if (!dim) {
    sorted = ops::sort(ops::flatten(self)).values;
  } else if (*dim == self.dim() - 1 || self.dim() == 0) {
    sorted = ops::sort(self).values;
    if (self.dim() == 0) sorted = ops::unsqueeze(sorted, 0);
  } else {
    sorted = ops::sort(ops::transpose(ops::unsqueeze(self, -1), *dim, -1)).values;
  }
  sizes.push_back(sorted.size(-1));
  return ops::view(sorted, sizes);
}

/// Returns the rank of each quantile in its row. A rank is a float between two indices of the row.
Tensor ranks_in(const Tensor& rows, const Tensor& q, bool skip_nans) {
  const SymInt last_dim[] = {-1};
  if (skip_nans) {
    const Tensor count = ops::sum(ops::logical_not(ops::isnan(rows)), last_dim, true);
    const Tensor ranks = q * ops::sub(count, 1);
    return ops::masked_fill(ranks, ops::lt(ranks, 0), Scalar(0));
  }
  const Scalar last(rows.size(-1) - 1);
  return ops::masked_fill(q * last, ops::any(ops::isnan(rows), -1, true), last);
}

Tensor quantiles(const CompositeCall& call, const Tensor& q) {
  const Tensor self = call.tensor(kQuantile["self"]);
  const Between between = interpolation_of(call);
  require_operands(call, self.meta(), q.meta());
  std::optional<int64_t> dim;
  if (call.has(kQuantile["dim"])) dim = call.wrap_dim(call.integer(kQuantile["dim"]), self.dim());
  const Tensor fits = ops::all(ops::logical_and(ops::ge(q, 0), ops::le(q, 1)));
  call_op_all<"aten._assert_async.msg">(fits, "q values must be in the range [0, 1] [quantile.C5]");
  DimVec sizes;
  const Tensor rows = sorted_rows(self, dim, call.boolean(kQuantile["keepdim"]), sizes);
  constexpr int64_t kMost = int64_t{1} << 24;  // the largest index that f32 represents exactly
  call.require(check_le(rows.size(-1), kMost), "C6", "at most 2^24 elements along a dim: self is {}", self.meta());
  Tensor ranks = ranks_in(rows, q, call.op.schema.base == "nanquantile");
  if (between == Between::Lower) ranks = ops::floor(ranks);
  if (between == Between::Higher) ranks = ops::ceil(ranks);
  if (between == Between::Nearest) ranks = ops::round(ranks);
  const Tensor below = ops::to(ranks, DType::I64);
  Tensor values = ops::gather(rows, -1, below);
  if (between == Between::Linear || between == Between::Midpoint) {
    const Tensor weights = between == Between::Midpoint ? ops::full_like(ranks, 0.5) : ranks - below;
    values = ops::lerp(values, ops::gather(rows, -1, ops::to(ops::ceil(ranks), DType::I64)), weights);
  }
  if (q.dim() != 0) {
    call_op<"aten.unsqueeze_.default">(values, int64_t(0));
    call_op<"aten.transpose_.default">(values, int64_t(0), int64_t(-1));
  }
  return call_op<"aten.squeeze_.dim">(values, int64_t(-1));
}

Tensor q_of(const CompositeCall& call) {
  if (call.is_tensor(kQuantile["q"])) return call.tensor(kQuantile["q"]);
  const TensorMeta& self = call.meta(kQuantile["self"]);
  const double q = call.real(kQuantile["q"]);
  call.require(q >= 0 && q <= 1, "C5", "q must be in the range [0, 1], it is {}", q);
  return ops::scalar_tensor(q, {.dtype = self.dtype, .device = self.device});
}

void quantile(CompositeCall& call) { call.returns(quantiles(call, q_of(call))); }

void quantile_out(CompositeCall& call) {
  const TensorMeta &self = call.meta(kQuantile["self"]), &out = call.meta(kQuantile.out());
  call.require(out.dtype == self.dtype && out.device == self.device, "C7",
               "out must have the dtype of self, on its device: {} and {}", out, self);
  put_result(call, quantiles(call, q_of(call)), kQuantile.out());
}

}  // namespace

void register_ops(Registry& r) {
  for (const char* name : {"quantile", "nanquantile"}) {
    OpEntry& op = r.add(kQuantile.with(name))
                      .tag(Tag::FailsOnValues)
                      .with_composite(quantile)
                      .sample("f32[3,5], f32[2], 1", 0, 1)
                      .sample("f64[4,3]{1,4}, f64[], 0, True, interpolation=\"midpoint\"", 0, 1)
                      .refuses("C1", "f32[0], f32[1]")
                      .refuses("C2", "f32[2], f64[1]")
                      .refuses("C3", "f32[2], f32[1,1]")
                      .refuses("C4", "f32[2], f32[1], interpolation=\"best\"");
    OpEntry& of_number = r.add(kQuantileScalar.with(name))
                             .with_composite(quantile)
                             .sample("f32[3,5], 0.25, 1")
                             .sample("f32[2,3], 0.5, interpolation=\"nearest\"")
                             .refuses("C5", "f32[2], 1.5");
    r.add_out_alike(op, "out")
        .tag(Tag::FailsOnValues)
        .with_composite(quantile_out)
        .sample("f32[3,5], f32[2], 1, out=f32[0]", 0, 1)
        .refuses("C7", "f32[3], f32[], out=f64[]");
    r.add_out_alike(of_number, "scalar_out").with_composite(quantile_out).sample("f32[3,5], 0.25, 1, out=f32[3]");
  }
}

}  // namespace ersatz::op_quantile
