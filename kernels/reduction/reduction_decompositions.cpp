// Decompositions into core operators: reductions, normalisations, and losses over classes.
#include <cmath>
#include <limits>

#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor logical_not(const Tensor& t) { return call_op<"aten.logical_not.default">(t); }
Tensor unequal(const Tensor& t, const Value& v) { return call_op<"aten.ne.Scalar">(t, v); }

void sum_all(CompositeCall& call) {
  call.returns(call_op<"aten.sum.dim_IntList">(tensor(call, 0), DimVec(), false, given(call, 1)));
}
/// Arguments: all(self), all.dim(self, dim, keepdim), all.dims(self, dims, keepdim). Returns the negation of the
/// result, computed by `any`: whether some element is false.
Tensor truth_of_all(CompositeCall& call) {
  const Tensor no = logical_not(tensor(call, 0));
  if (call.args.size() == 1) return call_op<"aten.any.dims">(no, Value(), false);
  if (given(call, 1).kind() == Value::Kind::Int) return call_op<"aten.any.dim">(no, given(call, 1), given(call, 2));
  return call_op<"aten.any.dims">(no, given(call, 1), given(call, 2));
}
void all(CompositeCall& call) {
  const Tensor result = logical_not(truth_of_all(call));
  call.returns(tensor(call, 0).dtype() == DType::U8 ? cast(result, DType::U8) : result);
}
void count_nonzero(CompositeCall& call) {
  call.returns(call_op<"aten.sum.dim_IntList">(unequal(tensor(call, 0), 0), given(call, 1), false, Value()));
}
/// Arguments: count_nonzero(self, int? dim).
void count_nonzero_in_one(CompositeCall& call) {
  const Value dims = given(call, 1).is_none() ? Value() : Value(DimVec{given(call, 1).as_int()});
  call.returns(call_op<"aten.sum.dim_IntList">(unequal(tensor(call, 0), 0), dims, false, Value()));
}
/// Arguments: isin(elements, test_elements, assume_unique, invert). Compares each element with each test element.
void isin(CompositeCall& call) {
  const Tensor elements = tensor(call, 0), among = tensor(call, 1);
  DimVec shape = sizes_of(elements), dims;
  for (int64_t d = 0; d < among.dim(); ++d) {
    shape.push_back(SymInt(1));
    dims.push_back(SymInt(d - among.dim()));
  }
  Tensor found = call_op<"aten.eq.Tensor">(view(elements, shape), among);
  if (!dims.empty()) found = call_op<"aten.any.dims">(found, dims, false);
  call.returns(given(call, 3).as_bool() ? logical_not(found) : found);
}
/// Arguments: renorm(self, p, dim, maxnorm). Scales each slice along `dim` whose norm is above `maxnorm` to that norm.
void renorm(CompositeCall& call) {
  Formula f(call);
  const Tensor x = tensor(call, 0);
  const int64_t dim = given(call, 2).as_int64() < 0 ? given(call, 2).as_int64() + x.dim() : given(call, 2).as_int64();
  DimVec others;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (d != dim) others.push_back(SymInt(d));
  }
  const Value dtype = f.compute() == x.dtype() ? Value() : Value(f.compute());
  const Tensor norm = call_op<"aten.linalg_vector_norm.default">(x, given(call, 1), others, true, dtype);
  const Tensor large = call_op<"aten.gt.Scalar">(norm, given(call, 3));
  const Tensor factor = mul(call_op<"aten.reciprocal.default">(add(norm, 1e-7)), given(call, 3));
  f.returns(mul(f[0], where(large, factor, f.constant(1.0))));
}
void aminmax(CompositeCall& call) {
  DimVec dims;
  if (!given(call, 1).is_none()) dims.push_back(given(call, 1).as_int());
  call.returns(call_op<"aten.amin.default">(tensor(call, 0), dims, given(call, 2)));
  call.returns(call_op<"aten.amax.default">(tensor(call, 0), dims, given(call, 2)));
}
void nansum(CompositeCall& call) {
  const Tensor x = tensor(call, 0), nans = call_op<"aten.isnan.default">(x);
  const Tensor clean = where(nans, number(0, x.dtype(), x.device()), x);
  call.returns(call_op<"aten.sum.dim_IntList">(clean, given(call, 1), given(call, 2), given(call, 3)));
}
/// Returns the `correction` of std(self, dim, correction, keepdim) as a float. The default is 1.
Value correction_of(const CompositeCall& call) {
  return Value(given(call, 2).is_none() ? 1.0 : given(call, 2).as_scalar().to_double());
}
void std_correction(CompositeCall& call) {
  Formula f(call);
  f.returns(call_op<"aten.sqrt.default">(
      call_op<"aten.var.correction">(f[0], given(call, 1), correction_of(call), given(call, 3))));
}
void std_mean_correction(CompositeCall& call) {
  Formula f(call);
  const Values both =
      call_op_all<"aten.var_mean.correction">(f[0], given(call, 1), correction_of(call), given(call, 3));
  f.returns(call_op<"aten.sqrt.default">(both[0].tensor()));
  f.returns(both[1].tensor());
}
void logsumexp(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  if (x.numel().guard_int() == 0) {
    const Tensor sums =
        call_op<"aten.sum.dim_IntList">(call_op<"aten.exp.default">(x), given(call, 1), given(call, 2), Value());
    return f.returns(call_op<"aten.log.default">(sums));
  }
  const Tensor most = call_op<"aten.amax.default">(x, given(call, 1), true);
  const Tensor endless = call_op<"aten.eq.Scalar">(call_op<"aten.abs.default">(most), kInfinity);
  const Tensor shift = where(endless, f.constant(0.0), most);
  const Tensor shaped = given(call, 2).as_bool() ? shift : call_op<"aten.squeeze.dims">(shift, given(call, 1));
  const Tensor sums = call_op<"aten.sum.dim_IntList">(call_op<"aten.exp.default">(sub(x, shift)), given(call, 1),
                                                      given(call, 2), Value());
  f.returns(add(call_op<"aten.log.default">(sums), shaped));
}
/// Arguments: linalg_vector_norm(self, ord, dim, keepdim, dtype).
void vector_norm(CompositeCall& call) {
  Tensor x = tensor(call, 0);
  const DType result = given(call, 4).is_none() ? x.dtype() : given(call, 4).as_dtype();
  x = cast(x, result == DType::F16 || result == DType::BF16 ? DType::F32 : result);
  const double ord = given(call, 1).as_double();
  const Value &dim = given(call, 2), &keep = given(call, 3);
  const auto returns = [&](const Tensor& t) {
    const bool real_of_complex = is_complex(result);
    call.returns(real_of_complex ? t : cast(t, result));
  };
  const auto abs = [&] { return call_op<"aten.abs.default">(x); };
  if (std::isinf(ord)) {
    const Value dims = dim.is_none() ? Value(DimVec()) : dim;
    return returns(ord > 0 ? call_op<"aten.amax.default">(abs(), dims, keep)
                           : call_op<"aten.amin.default">(abs(), dims, keep));
  }
  if (ord == 0) return returns(call_op<"aten.sum.dim_IntList">(unequal(x, 0.0), dim, keep, x.dtype()));
  const bool even = !is_complex(x.dtype()) && std::fmod(ord, 2) == 0;
  Value dims = dim;
  if (!dim.is_none()) {
    DimVec wrapped(dim.as_ints());
    for (SymInt& d : wrapped) d = call.wrap_dim(d.guard_int(), x.dim());
    dims = Value(wrapped);
  }
  const Tensor sums = call_op<"aten.sum.dim_IntList">(pow(even ? x : abs(), given(call, 1)), dims, keep, Value());
  returns(pow(sums, 1 / ord));
}
/// Arguments: norm(self, p), (self, p, dtype), (self, p, dim, keepdim), (self, p, dim, keepdim, dtype).
void norm(CompositeCall& call) {
  const size_t n = call.args.size();
  const bool in_dims = n > 3 && !given(call, 2).as_ints().empty();
  const Value order = given(call, 1).is_none() ? Value(2) : given(call, 1), dims = in_dims ? given(call, 2) : Value();
  const Value keep = n > 3 ? given(call, 3) : Value(false), dtype = n % 2 ? given(call, n - 1) : Value();
  call.returns(call_op<"aten.linalg_vector_norm.default">(tensor(call, 0), order, dims, keep, dtype));
}
void mv(CompositeCall& call) {
  Formula f(call, false);
  const Tensor a = f[0];
  f.returns(sum_of(mul(a, f[1]), {SymInt(1)}));
}
void dot(CompositeCall& call) {
  Formula f(call, false);
  const Tensor a = f[0];
  f.returns(sum_of(mul(a, f[1]), {}));
}
/// Arguments: addr(self, vec1, vec2, beta, alpha). Multiplies by beta and alpha even if they are 1, because PyTorch's
/// graphs have these multiplications.
void addr(CompositeCall& call) {
  Formula f(call, false);
  const Tensor a = tensor(call, 1), b = tensor(call, 2);
  const DimVec sizes{a.size(0), b.size(0)};
  const Tensor x = call_op<"aten.expand.default">(f[0], sizes, false);
  const Value& beta = given(call, 3);
  const bool none = beta.kind() == Value::Kind::Int && beta.as_int64() == 0;
  const Tensor scaled = none ? x : mul(x, beta);
  const Tensor product = mul(mul(view(f[1], {a.size(0), SymInt(1)}), f[2]), given(call, 4));
  f.returns(none ? product : add(scaled, product));
}
void baddbmm(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const auto scaled = [&](const Tensor& t, size_t by) {
    const Value& factor = given(call, by);
    const bool one = factor.kind() == Value::Kind::Int && factor.as_int64() == 1;
    return one ? t : mul(t, factor);
  };
  const Value& beta = given(call, 3);
  const Tensor product = scaled(call_op<"aten.bmm.default">(tensor(call, 1), tensor(call, 2)), 4);
  if (beta.kind() == Value::Kind::Int && beta.as_int64() == 0) return call.returns(product);
  call.returns(add(scaled(x, 3), product));
}
void safe_softmax(CompositeCall& call) {
  Tensor x = tensor(call, 0);
  if (!given(call, 2).is_none()) x = cast(x, given(call, 2).as_dtype());
  const Tensor usual = call_op<"aten._softmax.default">(x, given(call, 1), false);
  const Tensor masked = call_op<"aten.eq.Scalar">(x, -kInfinity);
  const Tensor none = logical_not(call_op<"aten.any.dim">(logical_not(masked), given(call, 1), true));
  const Tensor zeros =
      call_op<"aten.full_like.default">(usual, 0, Value(), Value(), Value(), false, MemoryFormat::Preserve);
  call.returns(where(none, zeros, usual));
}
/// Arguments of nll_loss_forward and nll_loss2d_forward: (self, target, weight, reduction, ignore_index).
void nll_loss_forward(CompositeCall& call) {
  Formula f(call);
  Tensor x = tensor(call, 0);
  const Tensor target = tensor(call, 1);
  const int64_t channel = x.dim() < 2 ? 0 : 1, reduction = given(call, 3).as_int64();
  const Value& ignored = given(call, 4);
  Tensor weight;
  if (!given(call, 2).is_none()) {
    weight = tensor(call, 2);
    if (x.dim() > 1) {
      DimVec shape(x.dim(), SymInt(1));
      shape[channel] = weight.size(0);
      weight = view(weight, shape);
    }
    x = mul(x, weight);
  }
  /// Returns `t` with 0 for elements whose target is ignored.
  const auto counted = [&](const Tensor& t) {
    const Tensor is_counted = unequal(target, ignored);
    return where(is_counted, t, number(0, t.dtype(), x.device()));
  };
  const Tensor safe = counted(target);
  const Tensor index = unsqueeze(safe, channel);
  const auto picked = [&](const Tensor& from) {
    const Tensor found = call_op<"aten.gather.default">(from, channel, index, false);
    return call_op<"aten.squeeze.dims">(found, DimVec{SymInt(channel)});
  };
  const Tensor loss = call_op<"aten.neg.default">(picked(x));
  const Tensor kept = counted(loss);
  if (reduction == 0 && x.dim() > 1) {
    call.returns(kept);
    return call.returns(filled({}, 0.0, x.dtype(), x.device()));
  }
  Tensor total;
  if (weight) {
    const Tensor weights = picked(call_op<"aten.expand.default">(weight, x.sizes(), false));
    total = sum_of(counted(weights), {});
  } else {
    total = call_op<"aten._to_copy.default">(sum_of(unequal(target, ignored), {}), x.dtype(), Value(), x.device(),
                                             Value(), false, Value());
  }
  if (reduction == 0) {
    call.returns(kept);
  } else {
    const Tensor sum = sum_of(kept, {});
    call.returns(reduction == 1 ? div(sum, total) : sum);
  }
  call.returns(total);
}
void trace(CompositeCall& call) {
  const Tensor diagonal = call_op<"aten.diagonal.default">(tensor(call, 0), 0, 0, 1);
  call.returns(sum_of(call_op<"aten.clone.default">(diagonal, MemoryFormat::Contiguous), {}));
}

constexpr Row kReductionRows[] = {
    {"aten._safe_softmax.default", safe_softmax},
    {"aten.addr.default", addr},
    {"aten.all.default", all},
    {"aten.all.dim", all},
    {"aten.all.dims", all},
    {"aten.aminmax.default", aminmax},
    {"aten.baddbmm.default", baddbmm},
    {"aten.count_nonzero.default", count_nonzero_in_one},
    {"aten.count_nonzero.dim_IntList", count_nonzero},
    {"aten.dot.default", dot},
    {"aten.isin.Tensor_Tensor", isin},
    {"aten.linalg_vector_norm.default", vector_norm},
    {"aten.logsumexp.default", logsumexp},
    {"aten.mv.default", mv},
    {"aten.nansum.default", nansum},
    {"aten.nll_loss2d_forward.default", nll_loss_forward},
    {"aten.nll_loss_forward.default", nll_loss_forward},
    {"aten.norm.Scalar", norm},
    {"aten.norm.ScalarOpt_dim", norm},
    {"aten.norm.ScalarOpt_dim_dtype", norm},
    {"aten.norm.ScalarOpt_dtype", norm},
    {"aten.renorm.default", renorm},
    {"aten.std.correction", std_correction},
    {"aten.std_mean.correction", std_mean_correction},
    {"aten.sum.default", sum_all},
    {"aten.trace.default", trace},
};

}  // namespace

std::span<const Row> reduction_rows() { return kReductionRows; }

}  // namespace ersatz::decomposition
