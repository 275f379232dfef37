#include "kernels/linalg/matrix_power.h"

#include <array>
#include <cmath>

#include "kernels/creation/full.h"
#include "kernels/indexing/item.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/matmul.h"
#include "kernels/linalg/mm.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/own_dtype.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_matrix_power {
namespace {

Tensor row_major(const Tensor& t) { return ops::clone(t, MemoryFormat::Contiguous); }
Tensor identity_like(const Tensor& t) {
  const Tensor result = ops::zeros(t.sizes(), {.dtype = t.dtype(), .device = t.device()});
  call_op<"aten.fill_.Scalar">(call_op<"aten.diagonal.default">(result, int64_t(0), int64_t(-2), int64_t(-1)),
                               Scalar(1));
  return result;
}

Tensor power(const CompositeCall& call) {
  const Tensor self = call.tensor(kPower["self"]);
  require_square(call, self.meta());
  int64_t n = call.integer(kPower["n"]);
  if (n == 0) return identity_like(self);
  if (n == 1) return row_major(self);
  const Tensor base = n < 0 ? ops::linalg_inv(self) : self;
  uint64_t left = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  if (left == 1) return base;
  Tensor result, square;
  for (; left > 0; left /= 2) {
    square = square ? ops::matmul(square, square) : base;
    if (left % 2) result = result ? ops::matmul(result, square) : square;
  }
  return result;
}
void run_power(CompositeCall& call) { call.returns(power(call)); }
void run_power_out(CompositeCall& call) {
  const int64_t n = call.integer(kPower["n"]);
  write_result(call, power(call), kPower.out(), n == 0 || n == 1 ? WrittenCast::Any : WrittenCast::Own);
}

/// Returns the cheapest order in which to multiply the matrices: the product of matrices i to j is split after matrix
/// split[i][j]. REQUIRES: sizes without symbols.
std::vector<std::vector<size_t>> cheapest_order(const std::vector<Tensor>& matrices) {
  const size_t n = matrices.size();
  std::vector<double> sizes;
  for (const Tensor& m : matrices) sizes.push_back(static_cast<double>(m.sizes()[0].guard_int()));
  sizes.push_back(static_cast<double>(matrices.back().sizes()[1].guard_int()));
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
  std::vector<std::vector<size_t>> split(n, std::vector<size_t>(n, 0));
  for (size_t length = 2; length <= n; ++length) {
    for (size_t i = 0, j = length - 1; j < n; ++i, ++j) {
      cost[i][j] = std::numeric_limits<double>::infinity();
      for (size_t k = i; k < j; ++k) {
        const double c = cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1];
        if (c < cost[i][j]) cost[i][j] = c, split[i][j] = k;
      }
    }
  }
  return split;
}
Tensor multiply(const std::vector<Tensor>& matrices, const std::vector<std::vector<size_t>>& split, size_t i,
                size_t j) {
  if (i == j) return matrices[i];
  return ops::mm(multiply(matrices, split, i, split[i][j]), multiply(matrices, split, split[i][j] + 1, j));
}
Tensor multi_dot(const CompositeCall& call) {
  const std::span<const Value> given = call.list(kMultiDot["tensors"]);
  call.require(given.size() >= 2, "C1", "expects two tensors at least: got {}", given.size());
  std::vector<Tensor> matrices;
  DimVec sizes;
  for (size_t i = 0; i < given.size(); ++i) {
    Tensor t = given[i].tensor();
    const bool first = i == 0, last = i + 1 == given.size();
    call.require(t.dim() == 2 || (t.dim() == 1 && (first || last)), "C2", "tensor {} of {} must be a matrix: it is {}",
                 i, given.size(), t.meta());
    call.require(t.dtype() == given[0].tensor().dtype() && t.device() == given[0].tensor().device(), "C3",
                 "tensors must have one dtype and one device: {} and {}", given[0].tensor().meta(), t.meta());
    if (first && t.dim() == 2) sizes.push_back(t.sizes()[0]);
    if (last && t.dim() == 2) sizes.push_back(t.sizes()[1]);
    if (t.dim() == 1) t = call_op<"aten.unsqueeze.default">(t, int64_t(first ? 0 : -1));
    matrices.push_back(t);
  }
  const Tensor product = matrices.size() == 2 ? ops::mm(matrices[0], matrices[1])
                                              : multiply(matrices, cheapest_order(matrices), 0, matrices.size() - 1);
  return call_op<"aten.view.default">(product, sizes);
}
void run_multi_dot(CompositeCall& call) { call.returns(multi_dot(call)); }
void run_multi_dot_out(CompositeCall& call) { write_result(call, multi_dot(call), kMultiDot.out()); }

Tensor adjoint(const Tensor& t) { return call_op<"aten.mH.default">(t); }
Tensor sqrth(const CompositeCall& call) {
  const Tensor self = call.tensor(kSqrth["self"]);
  require_square(call, self.meta());
  call.require_dtype(self.dtype(), kLapackDTypes);
  const auto [values, vectors] = ops::linalg_eigh(self);
  const Tensor roots = call_op<"aten.sqrt.default">(call_op<"aten.clamp_min.default">(values, Scalar(0)));
  return ops::matmul(ops::mul(vectors, call_op<"aten.unsqueeze.default">(roots, int64_t(-2))), adjoint(vectors));
}
void run_sqrth(CompositeCall& call) { call.returns(sqrth(call)); }
void run_sqrth_out(CompositeCall& call) { write_result(call, sqrth(call), kSqrth.out()); }

std::pair<Tensor, Tensor> polar(const CompositeCall& call) {
  const Tensor a = call.tensor(kPolar["A"]);
  call.require(a.dim() >= 2, "C1", "expects matrices: A is {}", a.meta());
  call.require_dtype(a.dtype(), kFloatsAndComplexes);
  call.require(check_ge(a.sizes()[static_cast<size_t>(a.dim() - 2)], a.sizes().back()), "C2",
               "there must not be more columns than rows: A is {}", a.meta());
  const auto [u, s, vh] = ops::linalg_svd(a, false);
  const Tensor scaled = ops::mul(adjoint(vh), call_op<"aten.unsqueeze.default">(s, int64_t(-2)));
  return {ops::matmul(u, vh), ops::matmul(scaled, vh)};
}
void run_polar(CompositeCall& call) {
  const auto [u, h] = polar(call);
  call.returns(u);
  call.returns(h);
}
void run_polar_out(CompositeCall& call) {
  const TensorMeta& a = call.meta(kPolar["A"]);
  for (size_t k = 0; k < 2 && kFloatsAndComplexes.has(a.dtype) && a.dim() >= 2; ++k)
    require_own_dtype(call, kPolar.out() + k, a.dtype);
  const auto [u, h] = polar(call);
  write_result(call, u, kPolar.out());
  write_result(call, h, kPolar.out() + 1);
}

SymInt product(std::span<const SymInt> sizes) {
  SymInt n = 1;
  for (const SymInt size : sizes) n *= size;
  return n;
}
Tensor tensor_inv(const CompositeCall& call) {
  const Tensor self = call.tensor(kTensorInv["self"]);
  const int64_t ind = call.integer(kTensorInv["ind"]);
  call.require(ind > 0 && ind <= self.dim(), "C1", "ind must be positive, and at most {}: it is {}", self.dim(), ind);
  const std::span<const SymInt> rows = self.sizes().subspan(0, static_cast<size_t>(ind)),
                                columns = self.sizes().subspan(static_cast<size_t>(ind));
  const SymInt n = product(columns);
  call.require(check_eq(n, product(rows)), "C1", "the dims before and behind {} must have as many elements: self is {}",
               ind, self.meta());
  DimVec sizes = leading_sizes(columns, 0);
  for (const SymInt size : rows) sizes.push_back(size);
  return ops::reshape(ops::linalg_inv(ops::reshape(self, DimVec{n, n})), sizes);
}
void run_tensor_inv(CompositeCall& call) { call.returns(tensor_inv(call)); }
void run_tensor_inv_out(CompositeCall& call) {
  write_result(call, tensor_inv(call), kTensorInv.out(), WrittenCast::Any);
}

Tensor tensor_solve(const CompositeCall& call) {
  Tensor self = call.tensor(kTensorSolve["self"]);
  const Tensor other = call.tensor(kTensorSolve["other"]);
  if (call.has(kTensorSolve["dims"])) {
    DimVec last;
    const std::span<const SymInt> dims = call.ints(kTensorSolve["dims"]);
    for (size_t i = 0; i < dims.size(); ++i) last.push_back(self.dim() - static_cast<int64_t>(dims.size() - i));
    self = call_op<"aten.movedim.intlist">(self, dims, last);
  }
  call.require(other.dim() <= self.dim(), "C1", "other must not have more dims than self: they are {} and {}",
               other.meta(), self.meta());
  const std::span<const SymInt> sizes = self.sizes().subspan(static_cast<size_t>(other.dim()));
  const SymInt n = product(sizes);
  call.require(check_eq(n, other.numel()), "C1", "the last dims of self, {}, must have as many elements as other, {}",
               self.meta(), other.meta());
  const Tensor x = ops::linalg_solve(ops::reshape(self, DimVec{n, n}), ops::reshape(other, DimVec{n}));
  return ops::reshape(x, sizes);
}
void run_tensor_solve(CompositeCall& call) { call.returns(tensor_solve(call)); }
void run_tensor_solve_out(CompositeCall& call) {
  write_result(call, tensor_solve(call), kTensorSolve.out(), WrittenCast::Any);
}

void exp_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kExp["self"]);
  require_square(call, self);
  call.require_dtype(self.dtype, kFloatsAndComplexes);
  TensorMeta& out = call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
  const SymInt n = self.sizes.back();
  if (size_eq(self.numel(), 0)) return;
  if (size_eq(n, 1)) {  // exp of a 1 by 1 matrix is elementwise, and keeps the strides of self
    out.strides = preserved_strides(self.sizes, self.strides);
    return;
  }
  const std::array matrices{product(leading_sizes(self.sizes, 2)), n, n};
  call.require(view_strides(self.sizes, self.strides, matrices).has_value(), "C3",
               "the batch must have a view of one dim: self is {}", self);
}
/// Computes exp(A) = (exp(A / 2^s))^(2^s). A Taylor polynomial computes exp(A / 2^s). The number s is so large that the
/// norm of A / 2^s is at most 1/2.
void run_exp(KernelCall& call) {
  const Tensor self = call.tensor(kExp["self"]);
  if (self.numel().as_int() == 0) return;
  constexpr int kDegree = 14;  // the first omitted term, (1/2)^15 / 15!, is below the rounding unit of f64
  const bool single = self.dtype() != DType::F64 && self.dtype() != DType::C128;
  const Tensor a = ops::to(self, is_complex(self.dtype()) ? DType::C128 : DType::F64);
  const Tensor sums =
      call_op<"aten.sum.dim_IntList">(call_op<"aten.abs.default">(a), DimVec{SymInt(-1)}, false, Value());
  const double size = ops::item(call_op<"aten.max.default">(sums)).to_double();
  const int squarings = std::isfinite(size) && size > 0.5 ? static_cast<int>(std::ceil(std::log2(size / 0.5))) : 0;
  const Tensor scaled = ops::mul(a, std::ldexp(1.0, -squarings)), one = identity_like(scaled);
  Tensor result = one;
  for (int k = single ? kDegree - 4 : kDegree; k > 0; --k)
    result = ops::add(one, ops::mul(ops::matmul(scaled, result), 1.0 / k));
  for (int i = 0; i < squarings; ++i) result = ops::matmul(result, result);
  ops::copy_(call.outputs[0], result);
}
void run_exp_backward(CompositeCall& call) {
  const Tensor self = call.tensor(kExpBackward["self"]), grad = call.tensor(kExpBackward["grad"]);
  require_square(call, self.meta());
  const SymInt n = self.sizes().back();
  DimVec sizes(self.sizes());
  sizes[sizes.size() - 2] = sizes.back() = 2 * n;
  const Tensor blocks = call_op<"aten.new_zeros.default">(self, sizes, Value(), Value(), Value(), Value());
  const auto block = [&](const Tensor& of, int64_t row, int64_t column) {
    return ops::slice(ops::slice(of, -2, n * row, n * (row + 1)), -1, n * column, n * (column + 1));
  };
  const Tensor adjoint = call_op<"aten.mH.default">(self);
  ops::copy_(block(blocks, 0, 0), adjoint);
  ops::copy_(block(blocks, 1, 1), adjoint);
  ops::copy_(block(blocks, 0, 1), grad);
  call.returns(block(ops::linalg_matrix_exp(blocks), 0, 1));
}
void run_old_exp(CompositeCall& call) { call.returns(ops::linalg_matrix_exp(call.tensor(kOldExp["self"]))); }

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](const Schema& schema, CompositeBody body, CompositeBody written,
                       const char* sample) -> OpEntry& {
    OpEntry& op = r.add(schema).tag(Tag::FailsOnValues).with_composite(body).sample(sample, 1, 1);
    r.add_out_alike(op, "out").with_composite(written).sample(std::string(sample) + ", out=f32[0]", 1, 1);
    return op;
  };
  add(kPower, run_power, run_power_out, "f32[2,3,3], 5").refuses("C1", "f32[2], 2").refuses("C2", "f32[2,3], 2");
  add(kMultiDot, run_multi_dot, run_multi_dot_out, "[f32[2], f32[2,3], f32[3,4]]")
      .refuses("C1", "[f32[2,2]]")
      .refuses("C2", "[f32[2,2], f32[2], f32[2,2]]")
      .refuses("C3", "[f32[2,2], f64[2,2]]");
  add(kTensorInv, run_tensor_inv, run_tensor_inv_out, "f32[1,1,1]").refuses("C1", "f32[2,2,2]");
  add(kTensorSolve, run_tensor_solve, run_tensor_solve_out, "f32[1,1,1], f32[1,1]").refuses("C1", "f32[2,2,2], f32[2]");
  add(kSqrth, run_sqrth, run_sqrth_out, "f32[2,1,1]").refuses("C1", "f32[2]").refuses("C2", "f32[2,3]");
  OpEntry& polar = r.add(kPolar)
                       .tag(Tag::FailsOnValues)
                       .with_composite(run_polar)
                       .sample("f32[2,2,1]", 1, 2)
                       .refuses("C1", "f32[2]")
                       .refuses("C2", "f32[2,3]");
  r.add_out_alike(polar, "out", {"U", "H"}).with_composite(run_polar_out).sample("f32[2,1], U=f32[0], H=f32[0]", 1, 2);
  OpEntry& exp = r.add(kExp)
                     .with_rule(exp_rule)
                     .cpu(run_exp)
                     .dtypes(kFloatsAndComplexes)
                     .sample("f32[2,3,3]{3,1,6}")
                     .refuses("C1", "f32[2]")
                     .refuses("C2", "f32[2,3]")
                     .refuses("C3", "f32[2,2,3,3]{36,1,6,2}");
  r.add_out(exp, "out", kGeneratedForm);
  r.add(kExpBackward)
      .with_composite(run_exp_backward)
      .sample("f32[2,3,3], f32[3,3]")
      .refuses("C1", "f32[2], f32[2]")
      .refuses("C2", "f32[2,3], f32[2,3]");
  r.add(kOldExp).with_composite(run_old_exp).sample("f32[2,3,3]");
}

}  // namespace ersatz::op_matrix_power
