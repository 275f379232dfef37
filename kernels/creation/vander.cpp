#include "kernels/creation/vander.h"

#include "kernels/creation/arange.h"
#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/indexing/index.h"
#include "kernels/indexing/nonzero.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/flip.h"
#include "kernels/shape/meshgrid.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_vander {
namespace {

void vander(CompositeCall& call) {
  const Tensor x = call.tensor(kVander["x"]);
  call.require(x.dim() == 1, "C1", "expects a vector: x is {}", x.meta());
  const SymInt n = call.has(kVander["N"]) ? call.sym(kVander["N"]) : x.sizes()[0], sizes[] = {x.sizes()[0], n},
               columns[] = {1};
  call.require(check_ge(n, 0), "C2", "N must not be negative: got {}", n);
  const DType dtype = is_integral(x.dtype()) ? DType::I64 : x.dtype();
  const Tensor powers = ops::new_empty(x, sizes, {dtype, {}});
  if (size_gt(n, 0)) ops::fill_(ops::select(powers, 1, 0), Scalar(1));
  if (size_gt(n, 1)) {
    const Tensor rest = ops::slice(powers, 1, SymInt(1), std::nullopt, 1);
    ops::copy_(rest, ops::unsqueeze(x, 1));
    ops::copy_(rest, call_op<"aten.cumprod.default">(rest, int64_t(1), std::nullopt));
  }
  call.returns(call.boolean(kVander["increasing"]) ? powers : ops::flip(powers, columns));
}

/// Returns the number of combinations of r out of n. Each division in the loop is exact.
SymInt count_combinations(SymInt n, int64_t r, bool with_replacement) {
  SymInt count = 1;
  for (int64_t i = 0; i < r; ++i) count = floor_div(count * (with_replacement ? n + i : n - i), SymInt(i + 1));
  return count;
}

void combinations(CompositeCall& call) {
  const Tensor self = call.tensor(kCombinations["self"]);
  const int64_t r = call.integer(kCombinations["r"]);
  call.require(self.dim() == 1, "C1", "expects a vector: self is {}", self.meta());
  call.require(r >= 0, "C2", "r must not be negative: got {}", r);
  const SymInt n = self.sizes()[0], nothing[] = {0};
  if (r == 0) return call.returns(ops::new_empty(self, nothing));
  FactoryOptions here;
  here.device = self.device();
  const std::vector<Tensor> numbers(static_cast<size_t>(r), ops::arange(Scalar(n), here));
  const std::vector<Tensor> places = ops::meshgrid(numbers);
  here.dtype = DType::Bool;
  Tensor mask = ops::full(DimVec(static_cast<size_t>(r), n), Scalar(true), here);
  for (size_t i = 0; i + 1 < places.size(); ++i) {
    const Tensor ordered = call.boolean(kCombinations["with_replacement"]) ? ops::le(places[i], places[i + 1])
                                                                           : ops::lt(places[i], places[i + 1]);
    mask = ops::mul(mask, ordered);
  }
  const std::optional<Tensor> chosen[] = {
      ops::nonzero_static(mask, count_combinations(n, r, call.boolean(kCombinations["with_replacement"])))};
  call.returns(ops::index(self, chosen));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kVander)
      .with_composite(vander)
      .sample("f32[3]")
      .sample("i32[3], 4, True")
      .refuses("C1", "f32[2,3]")
      .refuses("C2", "f32[3], -1");
  r.add(kCombinations)
      .with_composite(combinations)
      .sample("f32[4]")
      .sample("i64[3], 3, True")
      .refuses("C1", "f32[2,3]")
      .refuses("C2", "f32[3], -1");
}

}  // namespace ersatz::op_vander
