#include "kernels/reduction/vector_norm.h"

#include <cmath>

#include "kernels/kernel_dtype.h"
#include "kernels/reduction/reduce_dims.h"
#include "kernels/written_elements.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/resized_input.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_vector_norm {

Kernel run_cpu;

namespace {

/// Returns whether each norm is over one element. ATen then calls `at::abs_out`, or for order 0 `at::ne_out`.
bool is_of_single_elements(const TensorMeta& in, DimMask mask) {
  for (size_t d = 0; d < in.sizes.size(); ++d) {
    if (reduces(mask, d) && size_ne(in.sizes[d], 1)) return false;
  }
  return true;
}

/// Returns the dtypes that a norm accepts. f8 is accepted if each norm is over one element.
DTypeSet norm_dtypes(const RuleCall& call, const TensorMeta& in, DimMask mask) {
  if (!kFloat8s.has(in.dtype) || !is_of_single_elements(in, mask)) return kFloatsAndComplexes;
  const bool counts = call.has(kNorm["{}"]) && call.scalar(kNorm["{}"]).to_complex() == 0.;
  return kFloatsAndComplexes | (counts ? kFloat8s : kFloat8s.without({DType::F8E8M0FNU}));
}

/// Whether the order is negative or infinite, so that at least one element is needed. Refuses a complex order.
bool looks_at_dims(const RuleCall& call) {
  if (!call.has(kNorm["{}"])) return false;
  const Scalar ord = call.scalar(kNorm["{}"]);
  call.require(!ord.is_complex(), "C2", "ord must be a real number: input is {}", call.meta(kNorm["self"]));
  return ord.to_double() < 0 || std::isinf(ord.to_double());
}
/// Checks the last argument `dtype`, in which the norm is computed.
void require_result_dtype(const RuleCall& call) {
  const size_t last = call.args.size() - 1;
  if (!call.has(last)) return;
  const TensorMeta& in = call.meta(kNorm["self"]);
  const DType t = call.args[last].as_dtype();
  // `norm` accepts no complex dtype.
  const bool norm_of_complex = call.op.base() == "norm" && is_complex(t);
  call.require(
      is_complex(t) == is_complex(in.dtype) && !norm_of_complex && !is_integral(t) && promote_types(t, in.dtype) == t,
      "C4", "dtype must be of the input's kind and not narrower: input is {}, dtype is {}", in, name(t));
}

/// Arguments: linalg_vector_norm(self, ord, dim, keepdim, dtype). norm(self, p), norm.ScalarOpt_dtype(self, p, dtype)
/// and norm.ScalarOpt_dim(self, p, dim, keepdim) have fewer arguments.
void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kNorm["self"]);
  const size_t n = call.args.size();
  const bool norm = call.op.base() == "norm", typed = n == 3 || n == 5;
  if (norm && typed) {
    call.require(kFloatsAndComplexes.has(call.args[n - 1].as_dtype()), "C4", "dtype must be a float: it is {}",
                 name(call.args[n - 1].as_dtype()));
  }
  const bool dims_first = norm && n == 5;
  if (!dims_first) call.require_dtype_first(in.dtype, kAnyFloatsAndComplexes);
  // PyTorch checks the dtype before the dims, unless the input is empty and the order needs elements.
  const bool needs_some = !norm && looks_at_dims(call);  // `norm` checks dims before the order
  if (!norm && typed && call.has(n - 1) && !(needs_some && size_eq(in.numel(), 0))) require_result_dtype(call);
  const DimMask mask =
      n > 3 ? reduced_dims(call, kNorm["dim"], in.dim(), "C1", norm ? DimChecks::RangesFirst : DimChecks::InTurn)
            : kAllDims;
  if (dims_first) call.require_dtype_first(in.dtype, kAnyFloatsAndComplexes);
  if (kLimitedDTypes.has(in.dtype)) call.require_dtype(in.dtype, norm_dtypes(call, in, mask));
  if (looks_at_dims(call)) {
    for (size_t d = 0; d < in.sizes.size(); ++d) {
      call.require(!reduces(mask, d) || check_ne(in.sizes[d], 0), "C3",
                   "a norm of order {} needs something to reduce: input is {} (dim {})", to_string(call[kNorm["{}"]]),
                   in, d);
    }
  }
  if (typed) require_result_dtype(call);
  const DType t = typed && call.has(n - 1) ? call.args[n - 1].as_dtype() : in.dtype;
  call.out.fresh(reduced_meta(in, mask, n > 3 && call.boolean(kNorm["keepdim"]), real_dtype(t), call.device));
}

/// If `out` is self, PyTorch reads the sizes of self after it has resized `out`; the call is refused if sizes change.
/// Norms over single elements check the memory of `out`, as all pointwise operators do.
void out_rule(RuleCall& call) {
  const TensorImpl *self = call.tensor(kNorm["self"]), *out = call.tensor(call.args.size() - 1);
  if (self == out && call.op.base() == "norm") {
    // `at::norm_out` resizes `out` and calls `at::linalg_vector_norm_out`, which wraps the dims before it looks at
    // the dtype of `out`.
    RuleResult functional;
    call.ask_functional(functional);
    for (const SymInt d : call.ints(kNorm["dim"])) call.wrap_dim(d.guard_int(), functional.outputs[0].meta.dim());
  }
  derived_out_rule(call);
  const TensorMeta& written = call.out.outputs[0].meta;
  require_not_resized(call, self, out, written.sizes);
  const size_t n = call.args.size() - 1;  // without `out`
  const DimMask mask = n > 3 ? reduced_dims(call, kNorm["dim"], self->meta.dim(), "C1") : kAllDims;
  if (internal_overlap(written) == Overlap::Yes && is_of_single_elements(self->meta, mask))
    require_own_elements(call, "overlap", "out", written);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLinalgVectorNorm)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloatsAndComplexes)
                    .sample("f32[2,3,4]")
                    .sample("f64[2,3,4]{1,8,2}, 1, [1], True")
                    .sample("c64[5], 3.5")
                    .sample("bf16[3,4], 0, [0], dtype=f32")
                    .refuses("C1", "f32[2,3], 2, [0, 0]")
                    .refuses("C2", "f32[2,3], (1+2j)")
                    .refuses("C3", "f32[2,0], -1, [1]")
                    .refuses("C4", "f64[2,3], 2, [1], dtype=f32");
  r.add_out(op, "out", reduction_form()).with_rule(out_rule);
  OpEntry& whole = r.add(kNormScalar)
                       .with_rule(rule)
                       .cpu(run_cpu)
                       .dtypes(kFloatsAndComplexes)
                       .sample("f32[2,3]")
                       .refuses("C2", "f32[2,3], (1+2j)")
                       .refuses("C3", "f32[2,0], -1");
  r.add_out(whole, "Scalar_out", kGeneratedForm);
  OpEntry& dims = r.add(kNormScalarOptDim)
                      .with_rule(rule)
                      .cpu(run_cpu)
                      .dtypes(kFloatsAndComplexes)
                      .sample("f32[2,3], None, [1]")
                      .refuses("C1", "f32[2,3], 2, [0, 0]");
  OpEntry& typed = r.add(kNormScalarOptDtype)
                       .with_rule(rule)
                       .cpu(run_cpu)
                       .dtypes(kFloats)
                       .sample("f32[2,3], None, dtype=f64")
                       .refuses("C4", "f64[2,3], 2, dtype=f32");
  r.add_out(typed, "ScalarOpt_dtype_out", kGeneratedForm);
  OpEntry& typed_dims = r.add(kNormScalarOptDimDtype)
                            .with_rule(rule)
                            .cpu(run_cpu)
                            .dtypes(kFloats)
                            .sample("f16[2,3], 3, [1], True, dtype=f32")
                            .sample("f64[2,3], 2, [0], False, dtype=f64")
                            .refuses("C4", "c64[2,3], 2, [1], True, dtype=c64");
  r.add_out(typed_dims, "dtype_out", reduction_form()).with_rule(out_rule);
  r.add_out(dims, "out", reduction_form()).with_rule(out_rule);
}

}  // namespace ersatz::op_vector_norm

namespace ersatz::ops {

Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord, std::optional<std::span<const SymInt>> dim,
                          bool keepdim, std::optional<DType> dtype) {
  return call_op<"aten.linalg_vector_norm.default">(self, ord, dim, keepdim, dtype);
}

}  // namespace ersatz::ops
