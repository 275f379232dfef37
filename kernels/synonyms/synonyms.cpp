// Second names of operators: `arccos` is `acos`, `special_expit` is `sigmoid`.
//
// A call of a synonym is a call of its op, with the same arguments: rule, kernels, refusals and their labels are the
// op's. PyTorch calls these implicit composites, so that a traced program holds the op alone.
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_synonyms {
namespace {

/// `aten.acos.out`, spelt while the compiler reads it.
template <OpName base, OpName overload>
consteval OpName full_name() {
  char text[sizeof(OpName::text)] = {};
  size_t n = 0;
  for (const char* part : {"aten.", base.text, ".", overload.text}) {
    while (*part) text[n++] = *part++;
  }
  return OpName(text);
}

template <OpName op>
void call_the_op(CompositeCall& call) {
  Values results;
  dispatch(op_entry<op>(), call.args, results);
  for (Value& v : results) call.returns(std::move(v));
}

template <OpName op>
void add_overload(Registry& r, std::string_view synonym) {
  const OpEntry& entry = *r.find_mutable(op.text);
  std::string schema = to_string(entry.schema);
  schema.replace(schema.find("::") + 2, entry.schema.base.size(), synonym);
  OpEntry& added =
      r.add(schema).tag(entry.tags.without(Tag::Core).without(Tag::Pointwise)).with_composite(call_the_op<op>);
  if (!entry.functional) {
    added.samples = entry.samples;
  } else {  // of a derived form the first call of what it is derived from
    const std::string& call = entry.functional->samples.front().arguments;
    added.sample(entry.out_arguments == 0 ? call : call + ", out=f32[0]");
  }
}

/// Those overloads of `op` that ATen gives the synonym too: what it generates for an op, it does not for a synonym.
template <OpName op, OpName... overloads>
void add(Registry& r, std::string_view synonym) {
  (add_overload<full_name<op, overloads>()>(r, synonym), ...);
}

/// An op of one tensor with an in-place form.
template <OpName op, OpName inplace>
void add_unary(Registry& r, std::string_view synonym) {
  add<op, "default", "out">(r, synonym);
  add<inplace, "default">(r, std::string(synonym) + "_");
}

/// A comparison.
template <OpName op, OpName inplace>
void add_comparison(Registry& r, std::string_view synonym) {
  add<op, "Scalar", "Scalar_out", "Tensor", "Tensor_out">(r, synonym);
  add<inplace, "Scalar", "Tensor">(r, std::string(synonym) + "_");
}

/// Arithmetic of a tensor with a tensor or a number.
template <OpName op, OpName inplace>
void add_arithmetic(Registry& r, std::string_view synonym) {
  add<op, "Scalar", "Tensor", "out">(r, synonym);
  add<inplace, "Scalar", "Tensor">(r, std::string(synonym) + "_");
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

  add<"matmul", "default", "out">(r, "linalg_matmul");

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
}

}  // namespace ersatz::op_synonyms
