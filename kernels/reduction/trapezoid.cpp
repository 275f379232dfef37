#include "kernels/reduction/trapezoid.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"

namespace ersatz::op_trapezoid {
namespace {

using namespace arithmetic;

Tensor later(const Tensor& t, int64_t dim) { return ops::slice(t, dim, 1); }
Tensor earlier(const Tensor& t, int64_t dim) { return ops::slice(t, dim, 0, -1); }
Tensor sum_along(const Tensor& t, int64_t dim) {
  const SymInt dims[] = {dim};
  return ops::sum(t, dims);
}

void require_dims(const CompositeCall& call) {
  const TensorMeta& y = call.meta(kTrapezoidX["y"]);
  call.require_index(y.dim() > 0, "C1", "the samples must have a dim: y is {}", y);
}
int64_t dim_of(const CompositeCall& call, int64_t given) {
  const int64_t dim = call.wrap_dim(given, call.meta(kTrapezoidX["y"]).dim());
  require_dims(call);
  return dim;
}

void require_numbers(const CompositeCall& call, Position operand) {
  if (call.meta(operand).dtype == DType::Bool) {
    call.refuse(ErrorFamily::NotImplemented, "C2", "bools have no integral: {} is {}",
                call.op.schema.arguments[operand].name, call.meta(operand));
  }
}

/// Returns zeros if y has no samples along `dim`, because that is their integral. Else returns an undefined tensor.
Tensor integral_of_none(const Tensor& y, int64_t dim) {
  if (!size_eq(y.size(dim), 0)) return {};
  DimVec sizes;
  for (int64_t d = 0; d < y.dim(); ++d) {
    if (d != dim) sizes.push_back(y.size(d));
  }
  return ops::zeros(sizes, {.dtype = y.dtype(), .device = y.device()});
}

/// Returns the distances between adjacent coordinates x, with as many dims as y.
Tensor distances(const CompositeCall& call, const Tensor& y, int64_t dim) {
  Tensor x = call.tensor(kTrapezoidX["x"]);
  if (x.dim() == 1) {
    call.require(check_eq(x.size(0), y.size(dim)), "C4", "a place for each sample: x is {}, y is {} with dim {}",
                 x.meta(), y.meta(), dim);
    DimVec sizes(static_cast<size_t>(y.dim()), SymInt(1));
    sizes[static_cast<size_t>(dim)] = x.size(0);
    x = ops::view(x, sizes);
  } else if (x.dim() < y.dim()) {
    DimVec sizes(static_cast<size_t>(y.dim() - x.dim()), SymInt(1));
    sizes.append(x.sizes().begin(), x.sizes().end());
    x = ops::view(x, sizes);
  }
  return later(x, dim) - earlier(x, dim);
}

double distance(const CompositeCall& call) {
  const Scalar dx = call.scalar(kTrapezoidDx["dx"]);
  call.require(dx.kind() == Scalar::Kind::Int || dx.kind() == Scalar::Kind::Float, "C3",
               "dx must be an int or a float: it is {}", to_string(call[kTrapezoidDx["dx"]]));
  return dx.to_double();
}

void over_places(CompositeCall& call) {
  const Tensor y = call.tensor(kTrapezoidX["y"]);
  const int64_t dim = dim_of(call, call.integer(kTrapezoidX["dim"]));
  if (Tensor zero = integral_of_none(y, dim)) return call.returns(zero);
  require_numbers(call, kTrapezoidX["y"]);
  require_numbers(call, kTrapezoidX["x"]);
  const Tensor dx = distances(call, y, dim);
  call.returns(sum_along((later(y, dim) + earlier(y, dim)) * dx, dim) / 2.0);
}

void evenly(CompositeCall& call) {
  const Tensor y = call.tensor(kTrapezoidDx["y"]);
  const int64_t dim = dim_of(call, call.integer(kTrapezoidDx["dim"]));
  if (Tensor zero = integral_of_none(y, dim)) return call.returns(zero);
  require_numbers(call, kTrapezoidDx["y"]);
  const double dx = distance(call);
  const int64_t given = call.integer(kTrapezoidDx["dim"]);  // traces show `dim` as the caller passed it
  const Tensor last = ops::select(y, given, -1), ends = ops::select(y, given, 0) + last;
  call.returns((sum_along(y, given) - ends * 0.5) * dx);
}

void running_over_places(CompositeCall& call) {
  const Tensor y = call.tensor(kTrapezoidX["y"]);
  const int64_t dim = call.wrap_dim(call.integer(kTrapezoidX["dim"]), y.dim());
  require_numbers(call, kTrapezoidX["y"]);
  require_numbers(call, kTrapezoidX["x"]);
  require_dims(call);
  const Tensor dx = distances(call, y, dim);
  call.returns(ops::cumsum((later(y, dim) + earlier(y, dim)) * dx, dim) / 2.0);
}

void running_evenly(CompositeCall& call) {
  const Tensor y = call.tensor(kTrapezoidDx["y"]);
  require_numbers(call, kTrapezoidDx["y"]);
  const double dx = distance(call);
  dim_of(call, call.integer(kTrapezoidDx["dim"]));
  const int64_t given = call.integer(kTrapezoidDx["dim"]);
  call.returns(ops::cumsum((later(y, given) + earlier(y, given)) * (dx / 2.0), given));
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](std::string_view name, CompositeBody places, CompositeBody even) {
    r.add(kTrapezoidX.with(name))
        .with_composite(places)
        .sample("f32[2,4], f32[4]")
        .sample("f32[3,4]{1,3}, i64[3], dim=0")
        .sample("f32[2,4], f32[2,1], dim=0")
        .refuses("C1", "f32[], f32[]")
        .refuses("C2", "f32[4], bool[4]")
        .refuses("C4", "f32[4], f32[3]");
    OpEntry& by_distance =
        r.add(name == "trapz" ? kTrapezoidDx.with(name, "float", ".") : kTrapezoidDx.with(name, "Scalar", ""))
            .with_composite(even)
            .sample("f32[2,4], dx=0.5")
            .sample("i64[3,4]{1,3}, dim=0")
            .refuses("C1", "f32[]")
            .refuses("C2", "bool[4]");
    if (name != "trapz") by_distance.refuses("C3", "f32[4], dx=True");
  };
  add("trapezoid", over_places, evenly);
  add("trapz", over_places, evenly);
  add("cumulative_trapezoid", running_over_places, running_evenly);
}

}  // namespace ersatz::op_trapezoid
