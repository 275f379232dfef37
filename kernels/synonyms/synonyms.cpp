// Second names of operators: `arccos` is `acos`, `special_expit` is `sigmoid`.
//
// A synonym calls its operator with the arguments that it gets, so the operator's rule and kernels run, and refusals
// have the operator's labels. PyTorch registers synonyms as implicit composites, so a traced program has only the
// operator.
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/written_result.h"
#include "kernels/synonyms/the_op.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_synonyms {
namespace {

/// Builds the full name `aten.<base>.<overload>` at compile time, for example `aten.acos.out`.
template <OpName base, OpName overload>
consteval OpName full_name() {
  char text[sizeof(OpName::text)] = {};
  size_t n = 0;
  for (const char* part : {"aten.", base.text, ".", overload.text}) {
    while (*part) text[n++] = *part++;
  }
  return OpName(text);
}

/// Registers an op that calls `op`. Its schema differs from the schema of `op` in argument names, defaults or the
/// overload. Without `sample`, it gets the samples of `op`.
template <OpName op>
OpEntry& add_spelt(Registry& r, const std::string& schema, const char* sample = nullptr) {
  const OpEntry& entry = *r.find_mutable(op.text);
  OpEntry& added =
      r.add(schema).tag(entry.tags.without(Tag::Core).without(Tag::Pointwise)).with_composite(call_the_op<op>);
  if (sample) {
    added.sample(sample);
  } else if (!entry.functional) {
    added.samples = entry.samples;
  } else {  // an in-place or out= form has the first sample of its functional op
    const std::string& call = entry.functional->samples.front().arguments;
    added.sample(entry.out_arguments == 0 ? call : call + ", out=f32[0]");
  }
  return added;
}

template <OpName op>
void add_overload(Registry& r, std::string_view synonym) {
  const OpEntry& entry = *r.find_mutable(op.text);
  std::string schema = to_string(entry.schema);
  schema.replace(schema.find("::") + 2, entry.schema.base.size(), synonym);
  add_spelt<op>(r, schema);
}

/// Registers the given overloads of `op` under the name `synonym`. ATen does not have all of op's forms for each
/// synonym.
template <OpName op, OpName... overloads>
void add(Registry& r, std::string_view synonym) {
  (add_overload<full_name<op, overloads>()>(r, synonym), ...);
}

/// Registers a synonym of an op of one tensor, with its out= and in-place forms.
template <OpName op, OpName inplace>
void add_unary(Registry& r, std::string_view synonym) {
  add<op, "default", "out">(r, synonym);
  add<inplace, "default">(r, std::string(synonym) + "_");
}

/// Registers a synonym of a comparison, with its forms.
template <OpName op, OpName inplace>
void add_comparison(Registry& r, std::string_view synonym) {
  add<op, "Scalar", "Scalar_out", "Tensor", "Tensor_out">(r, synonym);
  add<inplace, "Scalar", "Tensor">(r, std::string(synonym) + "_");
}

/// Registers a synonym of an arithmetic op of a tensor and a tensor or number, with its forms.
template <OpName op, OpName inplace>
void add_arithmetic(Registry& r, std::string_view synonym) {
  add<op, "Scalar", "Tensor", "out">(r, synonym);
  add<inplace, "Scalar", "Tensor">(r, std::string(synonym) + "_");
}

/// `_logcumsumexp.out`: writes to an `out` of any dtype to which the result can be cast.
void write_sums(CompositeCall& call) {
  constexpr Schema kSums{"aten::_logcumsumexp(Tensor self, int dim) -> Tensor"};
  const Tensor sums = call_op<"aten.logcumsumexp.default">(call[kSums["self"]], call[kSums["dim"]]);
  write_result(call, sums, kSums.out(), WrittenCast::Any);
}

}  // namespace

void register_ops(Registry& r) {
  add_unary<"abs", "abs_">(r, "absolute");
  add_unary<"acos", "acos_">(r, "arccos");
  add_unary<"acosh", "acosh_">(r, "arccosh");
  add_unary<"asin", "asin_">(r, "arcsin");
  add_unary<"asinh", "asinh_">(r, "arcsinh");
  add_unary<"atan", "atan_">(r, "arctan");
  add_unary<"atan2", "atan2_">(r, "arctan2");
  add_unary<"atanh", "atanh_">(r, "arctanh");
  add_unary<"neg", "neg_">(r, "negative");
  add_unary<"trunc", "trunc_">(r, "fix");

  add<"clamp", "default", "out", "Tensor", "Tensor_out">(r, "clip");
  add<"clamp_", "default", "Tensor">(r, "clip_");

  add_comparison<"gt", "gt_">(r, "greater");
  add_comparison<"ge", "ge_">(r, "greater_equal");
  add_comparison<"lt", "lt_">(r, "less");
  add_comparison<"le", "le_">(r, "less_equal");
  add_comparison<"ne", "ne_">(r, "not_equal");

  add_arithmetic<"div", "div_">(r, "divide");
  add<"div", "Scalar_mode", "Tensor_mode", "out_mode">(r, "divide");
  add<"div_", "Scalar_mode", "Tensor_mode">(r, "divide_");
  add_arithmetic<"div", "div_">(r, "true_divide");
  add_arithmetic<"mul", "mul_">(r, "multiply");
  add_arithmetic<"sub", "sub_">(r, "subtract");

  add<"bitwise_and_", "Scalar", "Tensor">(r, "__iand__");
  add<"bitwise_or_", "Scalar", "Tensor">(r, "__ior__");
  add<"bitwise_xor_", "Scalar", "Tensor">(r, "__ixor__");
  add<"bitwise_left_shift_", "Tensor">(r, "__ilshift__");
  add<"bitwise_right_shift_", "Tensor">(r, "__irshift__");
  add_spelt<"aten.bitwise_left_shift_.Tensor_Scalar">(
      r, "aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  add_spelt<"aten.bitwise_right_shift_.Tensor_Scalar">(
      r, "aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");

  add<"matmul", "default", "out">(r, "linalg_matmul");
  add<"linalg_matrix_power", "default", "out">(r, "matrix_power");
  add<"linalg_eigvals", "default">(r, "_linalg_eigvals");
  add_written_apart(r,
                    add_spelt<"aten.cholesky_solve.default">(
                        r, "aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor",
                        "f32[2,3,1], f32[2,3,3], False"),
                    "out")
      .sample("f32[3,1], f32[3,3], True, out=f32[0]");
  add_spelt<"aten.linalg_det.default">(r, "aten::det(Tensor self) -> Tensor");
  add_spelt<"aten.linalg_slogdet.default">(r, "aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)");
  add_spelt<"aten.linalg_slogdet.out">(r,
                                       "aten::slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> "
                                       "(Tensor(a!) sign, Tensor(b!) logabsdet)");
  add_spelt<"aten.linalg_inv.default">(r, "aten::inverse(Tensor self) -> Tensor");
  add_spelt<"aten.linalg_inv.out">(r, "aten::inverse.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  add_spelt<"aten.linalg_householder_product.default">(r, "aten::orgqr(Tensor self, Tensor input2) -> Tensor");
  add_spelt<"aten.linalg_householder_product.out">(
      r, "aten::orgqr.out(Tensor self, Tensor input2, *, Tensor(a!) out) -> Tensor(a!)");

  add<"channel_shuffle", "default">(r, "native_channel_shuffle");
  add<"logcumsumexp", "default">(r, "_logcumsumexp");
  r.add_out_alike(*r.find_mutable("aten._logcumsumexp.default"), "out")
      .with_composite(write_sums)
      .sample("f32[2,3], 1, out=f64[0]");
  add<"grid_sampler_2d", "default">(r, "_grid_sampler_2d_cpu_fallback");
  add_written_apart(r, *r.find_mutable("aten._grid_sampler_2d_cpu_fallback.default"), "out")
      .sample("f32[1,2,3,3], f32[1,2,2,2], 0, 0, False, out=f32[0]", 0, 1);
  add_written_apart(
      r, add_spelt<"aten.aminmax.default">(r, "aten::_aminmax(Tensor self) -> (Tensor, Tensor)", "f32[2,3]"), "out")
      .sample("f32[2,3], out0=f32[0], out1=f32[0]");
  add_written_apart(
      r,
      add_spelt<"aten.aminmax.default">(
          r, "aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)", "f32[2,3], 1, True"),
      "dim_out")
      .sample("f32[2,3], 0, out0=f32[0], out1=f32[0]");
  add_spelt<"aten.split_with_sizes.default">(
      r, "aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]");
  add_spelt<"aten.as_strided.default">(
      r, "aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
      "f32[2,3], [3, 2], [1, 3]");
  add_written_apart(r,
                    add_spelt<"aten.as_strided_copy.default">(
                        r, "aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor",
                        "f32[2,3], [3, 2], [1, 3]"),
                    "out")
      .sample("f32[2,3], [3, 2], [1, 3], out=f32[0]");

  add<"digamma", "default", "out">(r, "special_digamma");
  add<"digamma", "default", "out">(r, "special_psi");
  add<"erf", "default", "out">(r, "special_erf");
  add<"erfc", "default", "out">(r, "special_erfc");
  add<"erfinv", "default", "out">(r, "special_erfinv");
  add<"exp2", "default", "out">(r, "special_exp2");
  add<"expm1", "default", "out">(r, "special_expm1");
  add<"i0", "default", "out">(r, "special_i0");
  add<"igamma", "default", "out">(r, "special_gammainc");
  add<"igammac", "default", "out">(r, "special_gammaincc");
  add<"lgamma", "default", "out">(r, "special_gammaln");
  add<"log1p", "default", "out">(r, "special_log1p");
  add<"logit", "default", "out">(r, "special_logit");
  add<"logsumexp", "default", "out">(r, "special_logsumexp");
  add<"sigmoid", "default", "out">(r, "special_expit");
  add<"sinc", "default", "out">(r, "special_sinc");
  add<"mvlgamma", "default", "out">(r, "special_multigammaln");
  add_spelt<"aten.round.decimals">(r, "aten::special_round(Tensor self, *, int decimals=0) -> Tensor");
  add_spelt<"aten.round.decimals_out">(
      r, "aten::special_round.out(Tensor self, *, int decimals=0, Tensor(a!) out) -> Tensor(a!)");
  add_spelt<"aten.softmax.int">(r, "aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  add_spelt<"aten.log_softmax.int">(
      r, "aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor");
  add_spelt<"aten.xlogy.Tensor">(r, "aten::special_xlogy(Tensor self, Tensor other) -> Tensor");
  add_spelt<"aten.xlogy.OutTensor">(
      r, "aten::special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  add_spelt<"aten.xlogy.Scalar_Self">(r, "aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor");
  add_spelt<"aten.xlogy.OutScalar_Self">(
      r, "aten::special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  add_spelt<"aten.xlogy.Scalar_Other">(r, "aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor");
  add_spelt<"aten.xlogy.OutScalar_Other">(
      r, "aten::special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
}

}  // namespace ersatz::op_synonyms
