#include "kernels/linalg/older_norms.h"

#include <limits>

#include "kernels/creation/full.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/alias.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/resized_input.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_older_norms {
namespace {

Tensor zero(const Tensor& like) { return ops::zeros(DimVec(), {.dtype = DType::F64, .device = like.device()}); }

Tensor rank(const CompositeCall& call) {
  return call_op<"aten.linalg_matrix_rank.atol_rtol_float">(call[kRank["self"]], call[kRank["tol"]], 0.0,
                                                            call[kRank["hermitian"]]);
}
Tensor rank_of_tensor(const CompositeCall& call) {
  const Tensor tol = call.tensor(kRankTensor["tol"]);
  return call_op<"aten.linalg_matrix_rank.atol_rtol_tensor">(call[kRankTensor["input"]], tol, zero(tol),
                                                             call[kRankTensor["hermitian"]]);
}
Tensor pinv(const CompositeCall& call) {
  return call_op<"aten.linalg_pinv.atol_rtol_float">(call[kPinv["self"]], 0.0, call[kPinv["rcond"]],
                                                     call[kPinv["hermitian"]]);
}
Tensor pinv_of_tensor(const CompositeCall& call) {
  const Tensor rcond = call.tensor(kPinvTensor["rcond"]);
  return call_op<"aten.linalg_pinv.atol_rtol_tensor">(call[kPinvTensor["self"]], zero(rcond), rcond,
                                                      call[kPinvTensor["hermitian"]]);
}

Tensor norm(const Tensor& t, std::string_view order) {
  return call_op<"aten.linalg_matrix_norm.str_ord">(t, order, DimVec{-2, -1}, false, Value());
}
Tensor cond(const CompositeCall& call) {
  const Tensor self = call.tensor(kCond["self"]);
  const std::string_view p = call[kCond["p"]].as_string();
  call.require(self.dim() >= 2, "C1", "expects matrices: self is {}", self.meta());
  if (p != "fro" && p != "nuc") call.refuse(ErrorFamily::Value, "C2", "the order must be fro or nuc: it is {}", p);
  call.require(check_eq(self.size(-1), self.size(-2)), "C3", "expects square matrices: self is {}", self.meta());
  const Values inverse = call_op_all<"aten.linalg_inv_ex.default">(self, false);
  const Tensor product = ops::mul(norm(self, p), norm(inverse[0].tensor(), p));
  const Tensor infinite = ops::full(DimVec(), Scalar(std::numeric_limits<double>::infinity()),
                                    {.dtype = product.dtype(), .device = product.device()});
  return call_op<"aten.where.self">(ops::ne(inverse[1].tensor(), Scalar(0)), infinite, product);
}

Tensor nuclear(const CompositeCall& call) {
  return call_op<"aten.linalg_matrix_norm.str_ord">(call[kNuclear["self"]], std::string_view("nuc"), DimVec{-2, -1},
                                                    call[kNuclear["keepdim"]], Value());
}
Tensor nuclear_dim(const CompositeCall& call) {
  return call_op<"aten.linalg_matrix_norm.str_ord">(call[kNuclearDim["self"]], std::string_view("nuc"),
                                                    call[kNuclearDim["dim"]], call[kNuclearDim["keepdim"]], Value());
}
Tensor frobenius(const CompositeCall& call) {
  call.require(call.ints(kFrobenius["dim"]).size() <= 2, "C1", "expects at most two dims: got {}",
               call.ints(kFrobenius["dim"]));
  return call_op<"aten.norm.ScalarOpt_dim">(call[kFrobenius["self"]], Scalar(2.0), call[kFrobenius["dim"]],
                                            call[kFrobenius["keepdim"]]);
}
void frobenius_out(CompositeCall& call) {
  const Position at(call.args.size() - 1);
  const Tensor norm = frobenius(call), out = call.tensor(at);
  require_not_resized(call, call.tensor(kFrobenius["self"]).impl(), out.impl(), norm.sizes());
  write_result(call, norm, at);
}
Tensor chain(const CompositeCall& call) {
  const std::span<const Value> matrices = call.list(kChain["matrices"]);
  call.require(!matrices.empty(), "C1", "expects a matrix at least");
  for (const Value& v : matrices)
    call.require(v.tensor_impl()->meta.dim() == 2, "C1", "expects matrices: got {}", v.tensor_impl()->meta);
  if (matrices.size() == 1) return ops::alias(matrices[0].tensor());
  return call_op<"aten.linalg_multi_dot.default">(call[kChain["matrices"]]);
}

template <auto result>
void run(CompositeCall& call) {
  call.returns(result(call));
}
template <auto result, WrittenCast cast>
void run_out(CompositeCall& call) {
  write_result(call, result(call), Position(call.args.size() - 1), cast);
}
template <auto result, WrittenCast cast = WrittenCast::Own>
OpEntry& add(Registry& r, const Schema& schema, std::string_view out, const std::string& sample,
             const char* dtype = "f32") {
  OpEntry& op = r.add(schema).tag(Tag::FailsOnValues).with_composite(run<result>).sample(sample);
  r.add_out_alike(op, out).with_composite(run_out<result, cast>).sample(fmt::format("{}, out={}[0]", sample, dtype));
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  add<rank, WrittenCast::Any>(r, kRank, "out", "f32[2,1,1], 0.5", "i64");
  add<rank_of_tensor, WrittenCast::Any>(r, kRankTensor, "out_tol_tensor", "f32[2,1,1], f64[]", "i64");
  add<pinv, WrittenCast::Any>(r, kPinv, "out", "f32[2,1,1], 0.5");
  add<pinv_of_tensor, WrittenCast::Any>(r, kPinvTensor, "out_rcond_tensor", "f32[2,1,1], f64[]");
  add<cond, WrittenCast::Any>(r, kCond, "p_str_out", "f32[2,1,1], \"fro\"")
      .refuses("C1", "f32[2], \"fro\"")
      .refuses("C2", "f32[2,2], \"two\"")
      .refuses("C3", "f32[2,3], \"nuc\"");
  add<nuclear>(r, kNuclear, "out", "f32[2,3]");
  add<nuclear_dim>(r, kNuclearDim, "dim_out", "f32[2,3,4], [0, 2], True");
  add<frobenius>(r, kFrobenius, "out", "f32[2,3], [1]").refuses("C1", "f32[2,2,2], [0, 1, 2]");
  r.find_mutable("aten.frobenius_norm.out")->with_composite(frobenius_out);
  add<chain>(r, kChain, "out", "[f32[2,3], f32[3,4], f32[4,1]]")
      .refuses("C1", "[]")
      .refuses("C1", "[f32[2], f32[2,2]]");
}

}  // namespace ersatz::op_older_norms
