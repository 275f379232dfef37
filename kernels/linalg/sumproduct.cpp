#include "kernels/linalg/sumproduct.h"

#include "kernels/linalg/bmm.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

Tensor sum_away(const Tensor& t, int64_t dim) {
  return call_op<"aten.sum.dim_IntList">(t, DimVec{SymInt(dim)}, true, Value());
}
SymInt product(const Tensor& t, const DimVec& dims) {
  SymInt n = 1;
  for (const SymInt d : dims) n *= t.sizes()[static_cast<size_t>(d.as_int())];
  return n;
}
DimVec joined(std::initializer_list<const DimVec*> parts) {
  DimVec all;
  for (const DimVec* part : parts) {
    for (const SymInt d : *part) all.push_back(d);
  }
  return all;
}

}  // namespace

Tensor sumproduct(const RuleCall& call, std::string_view label, Tensor left, Tensor right, const DimVec& summed) {
  const size_t rank = left.sizes().size();
  call.require(summed.empty() || right.sizes().size() == rank, label, "operands must have one rank: they are {} and {}",
               left.meta(), right.meta());
  if (summed.empty()) return ops::mul(left, right);
  std::vector<bool> is_summed(rank, false);
  for (const SymInt d : summed) is_summed[static_cast<size_t>(d.as_int())] = true;
  DimVec both, of_left, of_right;
  SymInt terms = 1;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    const bool in_left = !size_eq(left.sizes()[d], 1), in_right = !size_eq(right.sizes()[d], 1);
    call.require(!in_left || !in_right || check_eq(left.sizes()[d], right.sizes()[d]), label,
                 "dims that are multiplied must have one size: dim {} has {} and {}", dim, left.sizes()[d],
                 right.sizes()[d]);
    if (is_summed[d]) {
      if (in_left && in_right) {
        terms *= left.sizes()[d];
      } else if (in_left) {
        left = sum_away(left, dim);
      } else if (in_right) {
        right = sum_away(right, dim);
      }
    } else {
      (in_left && in_right ? both : in_left ? of_left : of_right).push_back(dim);
    }
  }
  if (!of_left.empty() && !of_right.empty() && of_right.back().as_int() < of_left.front().as_int()) {
    std::swap(left, right);
    std::swap(of_left, of_right);
  }
  DimVec sizes, order(rank, SymInt(0));
  const DimVec laid_out = joined({&both, &of_left, &summed, &of_right});
  for (size_t i = 0; i < laid_out.size(); ++i) {
    const size_t d = static_cast<size_t>(laid_out[i].as_int());
    const bool from_right = i >= both.size() + of_left.size() + summed.size();
    sizes.push_back(is_summed[d] ? SymInt(1) : from_right ? right.sizes()[d] : left.sizes()[d]);
    order[d] = static_cast<int64_t>(i);
  }
  const SymInt batch = product(left, both), rows = product(left, of_left), columns = product(right, of_right);
  const auto permuted = [](const Tensor& t, const DimVec& dims) { return call_op<"aten.permute.default">(t, dims); };
  const Tensor a = ops::reshape(permuted(left, laid_out), DimVec{batch, rows, terms});
  const Tensor b =
      ops::reshape(permuted(right, joined({&both, &summed, &of_right, &of_left})), DimVec{batch, terms, columns});
  return permuted(call_op<"aten.view.default">(ops::bmm(a, b), sizes), order);
}

}  // namespace ersatz
