#include "kernels/linalg/pseudo_inverse.h"

#include <limits>

#include "kernels/creation/full.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/matmul.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/linalg/svd.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_pseudo_inverse {
namespace {

constexpr Schemas kFloatForms{kRank, kPinv};
constexpr Schemas kTensorForms{kRankTensor, kPinvTensor};

Tensor unsqueeze(const Tensor& t, int64_t dim) { return call_op<"aten.unsqueeze.default">(t, dim); }
Tensor scalar(const Tensor& a, double v) {
  return ops::full(DimVec(), Scalar(v), {.dtype = DType::F64, .device = a.device()});
}

struct Tolerances {
  Tensor absolute, relative;
};

/// Returns the default of rtol: the dtype's epsilon times the larger of the two matrix sizes.
double rounding(const CompositeCall& call, const Tensor& a) {
  const DType real = real_dtype(a.dtype());
  call.require(a.dim() >= 2 && (real == DType::F32 || real == DType::F64), "C1",
               "expects matrices of f32, f64, c64 or c128: got {}", a.meta());
  const double unit =
      real == DType::F32 ? double{std::numeric_limits<float>::epsilon()} : std::numeric_limits<double>::epsilon();
  const SymInt most = sym_max(a.sizes()[static_cast<size_t>(a.dim() - 2)], a.sizes().back());
  return unit * static_cast<double>(most.guard_int());
}
Tolerances of_numbers(const CompositeCall& call, const Tensor& a) {
  const Position atol = kFloatForms["atol"], rtol = kFloatForms["rtol"];
  const double absolute = call.has(atol) ? call.real(atol) : 0;
  const double relative = call.has(rtol) ? call.real(rtol)
                          : absolute > 0 ? (rounding(call, a), 0.0)
                                         : rounding(call, a);
  return {scalar(a, absolute), scalar(a, relative)};
}
Tolerances of_tensors(const CompositeCall& call, const Tensor& a) {
  const Position atol = kTensorForms["atol"], rtol = kTensorForms["rtol"];
  Tolerances t{call.has(atol) ? call.tensor(atol) : scalar(a, 0), Tensor()};
  if (call.has(rtol)) {
    t.relative = call.tensor(rtol);
  } else {
    t.relative = scalar(a, rounding(call, a));
    call.require(!is_complex(t.absolute.dtype()), "C2", "tolerances must be real: atol is {}", t.absolute.meta());
    if (call.has(atol))
      t.relative =
          call_op<"aten.where.self">(call_op<"aten.gt.Scalar">(t.absolute, Scalar(0)), scalar(a, 0), t.relative);
  }
  call.require(!is_complex(t.absolute.dtype()) && !is_complex(t.relative.dtype()), "C2",
               "tolerances must be real: they are {} and {}", t.absolute.meta(), t.relative.meta());
  return t;
}

/// Returns a bool for each of `values`: true if the value counts as nonzero. `largest` has each matrix's largest value.
Tensor counts(const Tensor& values, const Tensor& largest, const Tolerances& t) {
  const Tensor relative = ops::mul(unsqueeze(t.relative, -1), largest);
  return call_op<"aten.gt.Tensor">(values, call_op<"aten.maximum.default">(unsqueeze(t.absolute, -1), relative));
}
Tensor largest_of(const Tensor& values, bool hermitian) {
  if (hermitian) return call_op<"aten.amax.default">(values, DimVec{SymInt(-1)}, true);
  return ops::slice(values, -1, SymInt(0), SymInt(1));
}

Tensor rank(const Tensor& a, const Tolerances& t, bool hermitian) {
  if (size_eq(a.numel(), 0))
    return ops::zeros(leading_sizes(a.sizes(), 2), {.dtype = DType::I64, .device = a.device()});
  const Tensor values = hermitian ? call_op<"aten.abs.default">(ops::linalg_eigvalsh(a)) : ops::linalg_svdvals(a);
  return call_op<"aten.sum.dim_IntList">(counts(values, largest_of(values, hermitian), t), DimVec{SymInt(-1)}, false,
                                         Value());
}
Tensor pinv(const Tensor& a, const Tolerances& t, bool hermitian) {
  const auto adjoint = [](const Tensor& m) { return call_op<"aten.mH.default">(m); };
  const auto inverse = [](const Tensor& s) { return call_op<"aten.reciprocal.default">(s); };
  Tensor u, s, v;
  if (hermitian && !size_eq(a.numel(), 0)) {
    const auto factors = ops::linalg_eigh(a);
    u = v = factors.eigenvectors, s = factors.eigenvalues;
  } else {
    const auto factors = ops::svd(a);
    u = factors.U, s = factors.S, v = factors.V;
    if (size_eq(a.numel(), 0)) return ops::matmul(ops::mul(v, unsqueeze(inverse(s), -2)), adjoint(u));
  }
  const Tensor size = hermitian ? call_op<"aten.abs.default">(s) : s;
  const Tensor zero = ops::zeros(DimVec(), {.dtype = s.dtype(), .device = s.device()});
  const Tensor inverses = call_op<"aten.where.self">(counts(size, largest_of(size, hermitian), t), inverse(s), zero);
  return ops::matmul(ops::mul(v, unsqueeze(ops::to(inverses, a.dtype()), -2)), adjoint(u));
}

void check_pinv(const CompositeCall& call, const Tensor& a) {
  call.require(kLapackDTypes.has(a.dtype()) && a.dim() >= 2, "C1", "expects matrices of f32, f64, c64 or c128: got {}",
               a.meta());
}
Tensor rank_of(const CompositeCall& call) {
  const Tensor a = call.tensor(kRank["self"]);
  return rank(a, of_numbers(call, a), call.boolean(kRank["hermitian"]));
}
Tensor rank_of_tensors(const CompositeCall& call) {
  const Tensor a = call.tensor(kRankTensor["input"]);
  return rank(a, of_tensors(call, a), call.boolean(kRankTensor["hermitian"]));
}
Tensor pinv_of(const CompositeCall& call) {
  const Tensor a = call.tensor(kPinv["self"]);
  check_pinv(call, a);
  const Tolerances t = of_numbers(call, a);
  return call_op<"aten.linalg_pinv.atol_rtol_tensor">(a, t.absolute, t.relative, call.boolean(kPinv["hermitian"]));
}
Tensor pinv_of_tensors(const CompositeCall& call) {
  const Tensor a = call.tensor(kPinvTensor["self"]);
  check_pinv(call, a);
  return pinv(a, of_tensors(call, a), call.boolean(kPinvTensor["hermitian"]));
}
Tensor pinverse(const CompositeCall& call) {
  const Tensor a = call.tensor(kPinverse["self"]);
  check_pinv(call, a);
  return call_op<"aten.linalg_pinv.atol_rtol_tensor">(a, scalar(a, 0), scalar(a, call.real(kPinverse["rcond"])), false);
}

template <auto result>
void run(CompositeCall& call) {
  call.returns(result(call));
}
template <auto result>
void run_out(CompositeCall& call) {
  write_result(call, result(call), call.args.size() - 1, WrittenCast::Any);
}

template <auto result>
void add(Registry& r, const Schema& schema, const char* out, const char* tolerance, const char* dtype) {
  OpEntry& op = r.add(schema)
                    .tag(Tag::FailsOnValues)
                    .with_composite(run<result>)
                    .sample("f32[2,1,1]")
                    .sample(std::string("f32[3,2], atol=") + tolerance)
                    .refuses("C1", "f32[2]");
  r.add_out_alike(op, out).with_composite(run_out<result>).sample(fmt::format("f32[2,1,1], out={}[0]", dtype));
}

}  // namespace

void register_ops(Registry& r) {
  add<rank_of>(r, kRank, "atol_rtol_float_out", "0.5", "i64");
  add<rank_of_tensors>(r, kRankTensor, "atol_rtol_tensor_out", "f64[]", "i64");
  add<pinv_of>(r, kPinv, "atol_rtol_float_out", "0.5", "f32");
  add<pinv_of_tensors>(r, kPinvTensor, "atol_rtol_tensor_out", "f64[]", "f32");
  for (const char* op : {"aten.linalg_matrix_rank.atol_rtol_tensor", "aten.linalg_pinv.atol_rtol_tensor"})
    r.find_mutable(op)->refuses("C2", "f32[2,2], atol=c64[]");
  r.add(kPinverse).tag(Tag::FailsOnValues).with_composite(run<pinverse>).sample("f32[2,1,1]").refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_pseudo_inverse
