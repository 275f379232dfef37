#include "kernels/shape/gradient.h"

#include <array>

#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/diff.h"
#include "kernels/shape/dim_set.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"

namespace ersatz::op_gradient {
namespace {

using namespace arithmetic;
using Dims = InlineVec<int64_t, 6>;

/// Selects samples along `dim` of `all`. A negative index counts from the last sample.
struct Samples {
  const Tensor& all;
  int64_t dim;
  Tensor range(std::optional<SymInt> from, std::optional<SymInt> to) const { return ops::slice(all, dim, from, to); }
  Tensor operator[](int64_t i) const { return range(SymInt(i), i == -1 ? std::nullopt : std::optional(SymInt(i + 1))); }
};

Tensor joined(const Tensor& first, const Tensor& inside, const Tensor& last, int64_t dim) {
  const Tensor parts[] = {first, inside, last};
  return ops::cat(parts, dim);
}

/// Returns the derivative for samples at equal distances `h`.
Tensor derivative_evenly(const Samples& y, const Scalar& h, int64_t edge_order) {
  const Tensor inside = (y.range(2, std::nullopt) - y.range(0, -2)) / h;
  if (edge_order == 1) return joined((y[1] - y[0]) / h, inside / 2, (y[-1] - y[-2]) / h, y.dim);
  const Tensor first = y[0] * -1.5 + y[1] * 2 - y[2] * 0.5, last = y[-3] * 0.5 - y[-2] * 2 + y[-1] * 1.5;
  return joined(first / h, inside / 2, last / h, y.dim);
}

/// Returns the derivative for samples at the coordinates `places`.
Tensor derivative_at(const Samples& y, const Tensor& places, int64_t edge_order) {
  const Tensor gaps = ops::diff(places, 1, 0);
  DimVec along(static_cast<size_t>(y.all.dim()), SymInt(1));
  along[static_cast<size_t>(y.dim)] = -1;
  const Tensor left = ops::slice(gaps, 0, 0, -1), right = ops::slice(gaps, 0, 1);
  const Tensor a = ops::reshape(-right / (left * (left + right)), along);
  const Tensor b = ops::reshape((right - left) / (left * right), along);
  const Tensor c = ops::reshape(left / (right * (left + right)), along);
  const Tensor inside = a * y.range(0, -2) + b * y.range(1, -1) + c * y.range(2, std::nullopt);
  const auto gap = [&](int64_t i) { return ops::select(gaps, 0, i); };
  if (edge_order == 1) return joined((y[1] - y[0]) / gap(0), inside, (y[-1] - y[-2]) / gap(-1), y.dim);
  // Returns the weights of the three samples at one end, the outermost sample first.
  const auto edge = [&](int64_t near, int64_t far) {
    const Tensor h = gap(near), k = gap(far), sum = h + k;
    return std::array{-(h * 2 + k) / (h * sum), sum / (h * k), -h / (k * sum)};
  };
  const auto first = edge(0, 1), last = edge(-1, -2);
  return joined(first[0] * y[0] + first[1] * y[1] + first[2] * y[2], inside,
                -(last[2] * y[-3] + last[1] * y[-2] + last[0] * y[-1]), y.dim);
}

/// Checks and returns the dims to differentiate. `spacings` is the number of spacings, or nullopt if all dims share
/// one.
Dims checked_dims(const CompositeCall& call, std::optional<std::span<const SymInt>> asked, int64_t edge_order,
                  std::optional<size_t> spacings) {
  const TensorMeta& self = call.meta(kGradientInt["self"]);
  if (self.dtype == DType::U8)
    call.refuse(ErrorFamily::NotImplemented, "C1", "bytes cannot hold differences: self is {}", self);
  const size_t n = asked ? asked->size() : self.sizes.size();
  call.require(!spacings || *spacings == n, "C2", "a spacing for each dim: {} for {} dims of {}", spacings.value_or(0),
               n, self);
  call.require(edge_order == 1 || edge_order == 2, "C3", "edge_order must be 1 or 2, it is {}", edge_order);
  Dims dims;
  DimSet seen;
  for (size_t i = 0; i < n; ++i) {
    const int64_t dim = asked ? call.wrap_dim((*asked)[i].guard_int(), self.dim()) : static_cast<int64_t>(i);
    call.require(seen.insert(dim), "C4", "dim {} is there more than once in {}", dim, asked.value_or(self.sizes));
    dims.push_back(dim);
  }
  for (int64_t dim : dims) {
    call.require_index(self.dim() > 0, "dim", "a tensor without dims has none: self is {}", self);
    const SymInt size = self.sizes[static_cast<size_t>(dim)];
    call.require(check_ge(size, edge_order + 1), "C5", "dim {} must have {} samples or more: self is {}", dim,
                 edge_order + 1, self);
  }
  return dims;
}

template <class Derivative>
void return_each(CompositeCall& call, const Tensor& self, const Dims& dims, Derivative&& derivative) {
  std::vector<Value> results;
  for (size_t i = 0; i < dims.size(); ++i) results.push_back(derivative(Samples{self, dims[i]}, i));
  call.returns(Value::list(results));
}

void scalar_int(CompositeCall& call) {
  const int64_t order = call.integer(kGradientInt["edge_order"]);
  const SymInt dim = call.has(kGradientInt["dim"]) ? call.sym(kGradientInt["dim"]) : SymInt(0);
  const bool one = call.has(kGradientInt["dim"]);
  const Dims dims = checked_dims(call, one ? std::optional(std::span(&dim, 1)) : std::nullopt, order, std::nullopt);
  const Scalar h = call.has(kGradientInt["spacing"]) ? call.scalar(kGradientInt["spacing"]) : Scalar(1);
  return_each(call, call.tensor(kGradientInt["self"]), dims,
              [&](const Samples& y, size_t) { return derivative_evenly(y, h, order); });
}

void array(CompositeCall& call) {
  const int64_t order = call.integer(kGradientArray["edge_order"]);
  const Dims dims = checked_dims(call, call.ints(kGradientArray["dim"]), order, std::nullopt);
  return_each(call, call.tensor(kGradientInt["self"]), dims,
              [&](const Samples& y, size_t) { return derivative_evenly(y, 1.0, order); });
}

constexpr size_t kSpacing = 1, kDim = 2, kEdgeOrder = 3;  // argument positions in overloads of kGradientSpaced

void spaced(CompositeCall& call) {
  const Value& spacing = call[kSpacing];
  const bool one_for_all = spacing.is_number();
  const auto spacings = one_for_all ? std::span<const Value>(&spacing, 1) : spacing.as_list();
  const int64_t order = call.integer(kEdgeOrder);
  std::optional<std::span<const SymInt>> asked;
  SymInt dim;
  if (call[kDim].kind() == Value::Kind::Int) {
    dim = call.sym(kDim);
    asked = std::span(&dim, 1);
  } else if (call.has(kDim)) {
    asked = call.ints(kDim);
  }
  const Dims dims = checked_dims(call, asked, order, one_for_all ? std::nullopt : std::optional(spacings.size()));
  for (const Value& s : spacings) {
    if (!s.is_tensor()) continue;
    const TensorMeta &places = s.tensor_impl()->meta, &self = call.meta(kGradientInt["self"]);
    call.require(places.device == self.device, "C7", "places must be on the device of self: {} and {}", places, self);
    call.require(places.dim() == 1, "C6", "places must be vectors: got {}", places);
  }
  return_each(call, call.tensor(kGradientInt["self"]), dims, [&](const Samples& y, size_t i) {
    const Value& s = spacings[one_for_all ? 0 : i];
    return s.is_tensor() ? derivative_at(y, s.tensor(), order) : derivative_evenly(y, s.as_scalar(), order);
  });
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kGradientInt)
      .with_composite(scalar_int)
      .sample("f32[4,5]")
      .sample("i64[4,5]{1,4}, spacing=2, dim=-1, edge_order=2")
      .refuses("C1", "u8[4]")
      .refuses("C3", "f32[4], edge_order=3")
      .refuses("C5", "f32[2], edge_order=2");
  r.add(kGradientArray).with_composite(array).sample("f32[4,5], dim=[1]").refuses("C4", "f32[4,5], dim=[1, -1]");
  const auto add = [&](std::string_view overload, std::string_view spacing, std::string_view dim,
                       std::string sample) -> OpEntry& {
    return r.add(kGradientSpaced.with(overload, spacing, dim)).with_composite(spaced).sample(std::move(sample));
  };
  add("scalararray", "Scalar", "int[] dim", "f32[4,5], spacing=0.5, dim=[1, 0]");
  add("scalarrayint", "Scalar[]", "int? dim=None", "f32[4,5], spacing=[0.5, 2]").refuses("C2", "f32[4,5], spacing=[1]");
  add("scalarrayarray", "Scalar[]", "int[] dim", "f32[4,5], spacing=[0.5], dim=[1]");
  add("tensorarrayint", "Tensor[]", "int? dim=None", "f32[4], spacing=[f32[4]], dim=0");
  add("tensorarray", "Tensor[]", "int[] dim", "f32[4,5], spacing=[f32[5], f32[4]], dim=[1, 0], edge_order=2")
      .refuses("C6", "f32[4], spacing=[f32[4,1]], dim=[0]");
}

}  // namespace ersatz::op_gradient
