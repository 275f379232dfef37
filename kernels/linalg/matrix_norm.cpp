#include "kernels/linalg/matrix_norm.h"

#include <cmath>

#include "kernels/creation/full.h"
#include "kernels/kernel_dtype.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lu.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/vector_norm.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_matrix_norm {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Schemas kMatrixNorms{kMatrixNorm, kMatrixNormStr};

struct Dims {
  int64_t rows, columns;
};

/// Returns the two matrix dims. Raises the errors that all matrix norms of ATen share. `values` is true if the norm
/// needs singular values, which only LAPACK's dtypes have.
Dims check(const CompositeCall& call, bool values) {
  const TensorMeta& a = call.meta(kMatrixNorms["self"]);
  const std::span<const SymInt> dim = call.ints(kMatrixNorms["dim"]);
  call.require(a.dim() >= 2 && dim.size() == 2, "C2", "expects matrices and their two dims: self is {}, dim is {}", a,
               dim);
  const Dims dims{call.wrap_dim(dim[0].guard_int(), a.dim()), call.wrap_dim(dim[1].guard_int(), a.dim())};
  call.require(dims.rows != dims.columns, "C2", "dims must differ: {}", dim);
  call.require_dtype_first(a.dtype, values ? kLapackDTypes : kAnyFloatsAndComplexes);
  if (call.has(kMatrixNorms["dtype"])) {
    const DType wanted = call[kMatrixNorms["dtype"]].as_dtype();
    call.require(kFloatsAndComplexes.has(wanted) && is_complex(wanted) == is_complex(a.dtype) &&
                     promote_types(wanted, a.dtype) == wanted,
                 "C3", "dtype {} must be as wide as self's and complex if that is: self is {}", name(wanted), a);
  }
  return dims;
}

/// Returns the singular values in the last dim. The dims that are no matrix dims come first, in their order.
Tensor singular_values(const CompositeCall& call, const Dims& dims) {
  Tensor a = call.tensor(kMatrixNorms["self"]);
  if (call.has(kMatrixNorms["dtype"])) a = ops::to(a, call[kMatrixNorms["dtype"]].as_dtype());
  DimVec order;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (d != dims.rows && d != dims.columns) order.push_back(d);
  }
  order.push_back(dims.rows);
  order.push_back(dims.columns);
  return ops::linalg_svdvals(call_op<"aten.permute.default">(a, order));
}
/// keepdim=True: unsqueezes `result` and moves its two trailing size-1 dims back to the matrix dims.
Tensor put_back(const Tensor& result, const Dims& dims) {
  const Tensor both = call_op<"aten.unsqueeze.default">(result, int64_t(-1));
  DimVec order;
  int64_t next = 0;
  for (int64_t d = 0; d < both.dim(); ++d)
    order.push_back(d == dims.rows ? both.dim() - 2 : d == dims.columns ? both.dim() - 1 : next++);
  return call_op<"aten.permute.default">(both, order);
}
Tensor extreme(const Tensor& t, double order, int64_t dim, bool keepdim) {
  const DimVec dims{SymInt(dim)};
  const size_t at = static_cast<size_t>(dim < 0 ? dim + t.dim() : dim);
  if (order > 0 && size_eq(t.sizes()[at], 0))  // a maximum over no elements counts as 0
    return call_op<"aten.sum.dim_IntList">(t, dims, keepdim, Value());
  return order > 0 ? call_op<"aten.amax.default">(t, dims, keepdim) : call_op<"aten.amin.default">(t, dims, keepdim);
}

Tensor matrix_norm(const CompositeCall& call) {
  const Scalar given = call.scalar(kMatrixNorm["ord"]);
  const double order = given.is_complex() ? std::nan("") : given.to_double(), size = std::abs(order);
  call.require(size == 1 || size == 2 || size == kInf, "C1", "ord must be 1, 2 or inf, or their negatives: it is {}",
               to_string(call[kMatrixNorm["ord"]]));
  Dims dims = check(call, size == 2);
  const bool keepdim = call.boolean(kMatrixNorm["keepdim"]);
  if (size == 2) {
    const Tensor result = extreme(singular_values(call, dims), order, -1, keepdim);
    return keepdim ? put_back(result, dims) : result;
  }
  if (size == kInf) std::swap(dims.rows, dims.columns);
  const std::optional<DType> dtype =
      call.has(kMatrixNorm["dtype"]) ? std::optional(call[kMatrixNorm["dtype"]].as_dtype()) : std::nullopt;
  const DimVec summed{SymInt(dims.rows)};
  const Tensor sums = ops::linalg_vector_norm(call.tensor(kMatrixNorm["self"]), 1.0, summed, keepdim, dtype);
  return extreme(sums, order, dims.columns - (!keepdim && dims.rows < dims.columns), keepdim);
}
Tensor matrix_norm_str(const CompositeCall& call) {
  const std::string_view order = call[kMatrixNormStr["ord"]].as_string();
  call.require(order == "fro" || order == "nuc", "C1", "ord must be fro or nuc: it is {}", order);
  const Dims dims = check(call, order == "nuc");
  const bool keepdim = call.boolean(kMatrixNormStr["keepdim"]);
  if (order == "fro") {
    const std::optional<DType> dtype =
        call.has(kMatrixNormStr["dtype"]) ? std::optional(call[kMatrixNormStr["dtype"]].as_dtype()) : std::nullopt;
    const DimVec both{SymInt(dims.rows), SymInt(dims.columns)};
    return ops::linalg_vector_norm(call.tensor(kMatrixNormStr["self"]), 2, both, keepdim, dtype);
  }
  const Tensor sums =
      call_op<"aten.sum.dim_IntList">(singular_values(call, dims), DimVec{SymInt(-1)}, keepdim, Value());
  return keepdim ? put_back(sums, dims) : sums;
}

/// Returns the dims that the norm reduces: the dims that `dim` names, or all dims if `dim` is None.
DimVec norm_dims(const CompositeCall& call) {
  static constexpr Schemas kEach{kNorm, kNormStr};
  const TensorMeta& self = call.meta(kEach["self"]);
  DimVec dims;
  if (call.has(kEach["dim"])) {
    for (const SymInt d : call.ints(kEach["dim"])) dims.push_back(d);
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  call.require(dims.size() == 1 || dims.size() == 2, "C1", "an order goes with one or two dims: self is {}, dim is {}",
               self, to_string(call[kEach["dim"]]));
  return dims;
}
Tensor norm(const CompositeCall& call) {
  const Value &ord = call[kNorm["ord"]], &keepdim = call[kNorm["keepdim"]], &dtype = call[kNorm["dtype"]];
  const Value& self = call[kNorm["self"]];
  if (call.has(kNorm["ord"])) {
    const DimVec dims = norm_dims(call);
    if (dims.size() == 2) return call_op<"aten.linalg_matrix_norm.default">(self, ord, dims, keepdim, dtype);
  }
  return call_op<"aten.linalg_vector_norm.default">(self, call.has(kNorm["ord"]) ? ord : Value(2.0), call[kNorm["dim"]],
                                                    keepdim, dtype);
}
Tensor norm_str(const CompositeCall& call) {
  return call_op<"aten.linalg_matrix_norm.str_ord">(call[kNormStr["self"]], call[kNormStr["ord"]], norm_dims(call),
                                                    call[kNormStr["keepdim"]], call[kNormStr["dtype"]]);
}

Tensor cond(const CompositeCall& call) {
  const Tensor self = call.tensor(kCond["self"]);
  call.require(self.dim() >= 2, "C1", "expects matrices: self is {}", self.meta());
  const Scalar given = call.has(kCond["p"]) ? call.scalar(kCond["p"]) : Scalar(2);
  if (given.is_complex())
    call.refuse(ErrorFamily::Value, "C2", "the order must be real: it is {}", to_string(call[kCond["p"]]));
  const double order = given.to_double(), size = std::abs(order);
  call.require(size == 1 || size == 2 || size == kInf, "C2", "p must be 1, 2 or inf, or their negatives: it is {}",
               to_string(call[kCond["p"]]));
  if (size_eq(self.numel(), 0))
    return ops::zeros(leading_sizes(self.sizes(), 2), {.dtype = real_dtype(self.dtype()), .device = self.device()});
  if (size == 2) {
    const Tensor s = ops::linalg_svdvals(self);
    const Tensor largest = ops::slice(s, -1, SymInt(0), SymInt(1)), smallest = ops::slice(s, -1, SymInt(-1));
    const Tensor result = order < 0 ? ops::div(smallest, largest) : ops::div(largest, smallest);
    return call_op<"aten.squeeze.dim">(result, int64_t(-1));
  }
  const auto [inverse, info] = ops::linalg_inv_ex(self);
  Tensor failed = call_op<"aten.gt.Scalar">(info, Scalar(0));
  for (int i = 0; i < 2; ++i) failed = call_op<"aten.unsqueeze.default">(failed, int64_t(-1));
  const Tensor finite = call_op<"aten.masked_fill.Scalar">(inverse, failed, Scalar(kInf));
  const SymInt dims[] = {-2, -1};
  const Tensor product =
      ops::mul(ops::linalg_matrix_norm(self, given, dims), ops::linalg_matrix_norm(finite, given, dims));
  return call_op<"aten.nan_to_num.default">(product, kInf, kInf, -kInf);
}

template <auto result>
void run(CompositeCall& call) {
  call.returns(result(call));
}
template <auto result, WrittenCast cast>
void run_out(CompositeCall& call) {
  write_result(call, result(call), call.args.size() - 1, cast);
}

template <auto result, WrittenCast cast = WrittenCast::Own>
OpEntry& add(Registry& r, const Schema& schema, const char* out, const char* sample) {
  OpEntry& op = r.add(schema).tag(Tag::FailsOnValues).with_composite(run<result>).sample(sample);
  r.add_out_alike(op, out).with_composite(run_out<result, cast>).sample(std::string(sample) + ", out=f32[0]");
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  add<matrix_norm>(r, kMatrixNorm, "out", "f32[2,3,4], 2, [0,2], True")
      .refuses("C1", "f32[2,3], 3")
      .refuses("C2", "f32[2,3], 1, [0,0]")
      .refuses("C3", "f64[2,3], 1, dtype=f32");
  add<matrix_norm_str>(r, kMatrixNormStr, "str_ord_out", "f32[2,3,4], \"nuc\"").refuses("C1", "f32[2,3], \"max\"");
  add<norm>(r, kNorm, "out", "f32[2,3], 1").refuses("C1", "f32[2,3,4], 1");
  add<norm_str>(r, kNormStr, "ord_str_out", "f32[2,3], \"fro\"").refuses("C1", "f32[2,3,4], \"fro\"");
  add<cond, WrittenCast::Any>(r, kCond, "out", "f32[2,2,2], 1").refuses("C1", "f32[2]").refuses("C2", "f32[2,2], 3");
}

}  // namespace ersatz::op_matrix_norm
