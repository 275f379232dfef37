#include "kernels/linalg/lu_unpack.h"

#include <numeric>

#include "kernels/dense_operand.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lu.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/slice.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_lu_unpack {
namespace {

/// Adds the metadata of P, L and U to the call. If `permutation` is false, P is an empty 1-d tensor. If `triangles` is
/// false, L and U are empty 1-d tensors.
void answer(RuleCall& call, const TensorMeta& a, bool permutation, bool triangles) {
  const size_t rank = a.sizes.size();
  const SymInt m = a.sizes[rank - 2], n = a.sizes[rank - 1], k = sym_min(m, n);
  const auto add = [&](bool wanted, SymInt rows, SymInt columns) {
    DimVec sizes{SymInt(0)};
    if (wanted) {
      sizes = leading_sizes(a.sizes, 2);
      sizes.push_back(rows);
      sizes.push_back(columns);
    }
    call.out.fresh(TensorMeta(a.dtype, sizes, call.device));
  };
  add(permutation, m, m);
  add(triangles, m, k);
  add(triangles, k, n);
}

void unpack_rule(RuleCall& call) {
  const TensorMeta &lu = call.meta(kLuUnpack["LU_data"]), &pivots = call.meta(kLuUnpack["LU_pivots"]);
  const bool permutation = call.boolean(kLuUnpack["unpack_pivots"]);
  call.require(lu.dim() >= 2, "C1", "expects matrices: LU_data is {}", lu);
  call.require(!permutation || pivots.dtype == DType::I32, "C2", "LU_pivots must be i32: it is {}", pivots);
  DimVec expected = leading_sizes(lu.sizes, 2);
  expected.push_back(sym_min(lu.sizes[lu.sizes.size() - 2], lu.sizes.back()));
  if (permutation && (pivots.sizes.size() != expected.size() || !check_eq(pivots.sizes, expected)))
    call.refuse(ErrorFamily::Value, "C3", "LU_pivots must have sizes {} to fit {}: it is {}", expected, lu, pivots);
  answer(call, lu, permutation, call.boolean(kLuUnpack["unpack_data"]));
}
void lu_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kLinalgLu["A"]);
  call.require(a.dim() >= 2, "C1", "expects matrices: A is {}", a);
  const bool pivot = call.boolean(kLinalgLu["pivot"]);
  // adds the results before the dtype is checked, because ATen checks `out` before it looks for a kernel
  answer(call, a, pivot, true);
  require_lapack_dtype(call, a);
  call.require(pivot || !call.device.is_cpu() || size_eq(a.numel(), 0), "C2", "needs pivot on the CPU: A is {}", a);
}

/// Computes the result metadata of linalg_lu.out. For a matrix that is not square, L or U is not square either. ATen
/// copies this factor to its `out` argument element by element, so elements of that argument may share memory.
void lu_out_rule(RuleCall& call) {
  WrittenForm forms[3];
  const TensorMeta& a = call.meta(kLinalgLu["A"]);
  const bool wide = a.dim() < 2 || !size_gt(a.sizes[a.sizes.size() - 2], a.sizes.back());
  forms[wide ? 1 : 2].may_overlap = true;
  derived_out_rule(call, forms, true);
}

void write_triangles(const Tensor& lu, const Tensor& lower, const Tensor& upper) {
  const SymInt k = upper.sizes()[static_cast<size_t>(upper.dim() - 2)];
  const Tensor below = call_op<"aten.tril.default">(ops::slice(lu, -1, SymInt(0), k), int64_t(-1));
  ops::copy_(lower, below);
  call_op<"aten.fill_.Scalar">(call_op<"aten.diagonal.default">(lower, int64_t(0), int64_t(-2), int64_t(-1)),
                               Scalar(1));
  ops::copy_(upper, call_op<"aten.triu.default">(ops::slice(lu, -2, SymInt(0), k), int64_t(0)));
}

/// Writes the permutation matrix P to `out`. `exchanges` are pivots: the number of the row that each row is exchanged
/// with, counted from 1.
void write_permutation(const KernelCall& call, const Tensor& exchanges, const Tensor& out) {
  const Tensor pivots = dense_input(exchanges);
  const int64_t m = out.sizes().back().as_int(), k = pivots.sizes().back().as_int();
  const int64_t matrices = m == 0 ? 0 : out.numel().as_int() / (m * m);
  const Tensor ones = make_real_tensor(TensorMeta(DType::Bool, out.sizes()));
  std::fill_n(ones.data<bool>(), matrices * m * m, false);
  for (int64_t i = 0; i < matrices; ++i) {
    std::vector<int64_t> rows(static_cast<size_t>(m));
    std::iota(rows.begin(), rows.end(), 0);
    for (int64_t step = 0; step < k; ++step) {
      const int64_t with = pivots.data<int32_t>()[i * k + step] - 1;
      if (with < 0 || with >= m)
        fail_on_value(call, ErrorFamily::Runtime, "pivot {} is none of the rows 1 to {}", with + 1, m);
      std::swap(rows[static_cast<size_t>(step)], rows[static_cast<size_t>(with)]);
    }
    for (int64_t r = 0; r < m; ++r) ones.data<bool>()[(i * m + rows[static_cast<size_t>(r)]) * m + r] = true;
  }
  ops::copy_(out, ones);
}

void run_unpack(KernelCall& call) {
  const Tensor lu = call.tensor(kLuUnpack["LU_data"]);
  if (call.boolean(kLuUnpack["unpack_data"])) write_triangles(lu, call.outputs[1], call.outputs[2]);
  if (call.boolean(kLuUnpack["unpack_pivots"]))
    write_permutation(call, call.tensor(kLuUnpack["LU_pivots"]), call.outputs[0]);
}
void run_lu(KernelCall& call) {
  const Tensor a = call.tensor(kLinalgLu["A"]);
  if (a.numel().as_int() == 0) {  // LAPACK is not called: P is the identity
    DimVec none = leading_sizes(a.sizes(), 2);
    none.push_back(0);
    if (call.boolean(kLinalgLu["pivot"]))
      write_permutation(call, make_real_tensor(TensorMeta(DType::I32, none)), call.outputs[0]);
    return;
  }
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(a);
  write_triangles(lu, call.outputs[1], call.outputs[2]);
  write_permutation(call, pivots, call.outputs[0]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& unpack = r.add(kLuUnpack)
                        .tag(Tag::FailsOnValues)
                        .with_rule(unpack_rule)
                        .cpu(run_unpack)
                        .sample("f32[2,3,4], i32[2,3]", 1, 3)
                        .sample("f32[4,3], i32[3], True, False")
                        .refuses("C1", "f32[2], i32[2]")
                        .refuses("C2", "f32[2,2], i64[2]")
                        .refuses("C3", "f32[2,2], i32[3]");
  r.add_out(unpack, "out", {}, {"P", "L", "U"});
  OpEntry& lu = r.add(kLinalgLu)
                    .with_rule(lu_rule)
                    .cpu(run_lu)
                    .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                    .sample("f32[2,3,4]")
                    .refuses("C1", "f32[2]")
                    .refuses("C2", "f32[2,2], pivot=False");
  r.add_out(lu, "out", WrittenForm{.may_overlap = true}, {"P", "L", "U"}).with_rule(lu_out_rule);
}

}  // namespace ersatz::op_lu_unpack
