#include "kernels/implicit_composites.h"

#include <cmath>
#include <limits>

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"

namespace ersatz {
namespace {

/// Returns the argument at a position. Bodies use positions, because one body may serve operators with several schemas.
const Value& given(const CompositeCall& call, size_t position) { return call.args[position]; }

/// A decomposition that calls `op` with the same arguments.
template <OpName op>
void same_call(CompositeCall& call) {
  Values results;
  dispatch(op_entry<op>(), call.args, results);
  for (Value& v : results) call.returns(std::move(v));
}
template <OpName op>
void first_result(CompositeCall& call) {
  Values results;
  dispatch(op_entry<op>(), call.args, results);
  call.returns(std::move(results[0]));
}
void argument_itself(CompositeCall& call) { call.returns(given(call, 0)); }

/// Calls `op` with the first argument of the call and then the arguments `more`.
template <OpName op>
Tensor with(const CompositeCall& call, std::initializer_list<Value> more) {
  std::vector<Value> args{given(call, 0)};
  args.insert(args.end(), more.begin(), more.end());
  Values results;
  dispatch(op_entry<op>(), args, results);
  return results[0].take_tensor();
}

constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

void square(CompositeCall& call) { call.returns(with<"aten.pow.Tensor_Scalar">(call, {2})); }
void square_inplace(CompositeCall& call) { call.returns(with<"aten.pow_.Scalar">(call, {2})); }
void square_out(CompositeCall& call) { call.returns(with<"aten.pow.Tensor_Scalar_out">(call, {2, given(call, 1)})); }
void relu6(CompositeCall& call) { call.returns(with<"aten.hardtanh.default">(call, {0, 6})); }
void relu6_inplace(CompositeCall& call) { call.returns(with<"aten.hardtanh_.default">(call, {0, 6})); }
void selu(CompositeCall& call) { call.returns(with<"aten.elu.default">(call, {kSeluAlpha, kSeluScale, 1})); }
void selu_inplace(CompositeCall& call) { call.returns(with<"aten.elu_.default">(call, {kSeluAlpha, kSeluScale, 1})); }

Tensor ndtr_of(const CompositeCall& call) {
  const Tensor scaled = with<"aten.mul.Scalar">(call, {std::sqrt(0.5)});
  const Tensor erf = call_op<"aten.erf.default">(scaled);
  return call_op<"aten.mul.Scalar">(call_op<"aten.add.Scalar">(erf, 1, 1), 0.5);
}
void ndtr(CompositeCall& call) { call.returns(ndtr_of(call)); }
void ndtr_out(CompositeCall& call) {
  call.returns(call_op<"aten.copy_.default">(given(call, 1).tensor(), ndtr_of(call), false));
}

Tensor truths_like(const Tensor& self) {
  return call_op<"aten.ones_like.default">(self, DType::Bool, std::nullopt, std::nullopt, std::nullopt,
                                           MemoryFormat::Preserve);
}
Tensor finite(const Tensor& real) {
  const Tensor bounded =
      call_op<"aten.ne.Scalar">(call_op<"aten.abs.default">(real), std::numeric_limits<double>::infinity());
  return call_op<"aten.mul.Tensor">(call_op<"aten.eq.Tensor">(real, real), bounded);
}
Tensor part_of(const Tensor& complex, int64_t part) {
  const Tensor pairs = call_op<"aten.view_as_real.default">(complex);
  return call_op<"aten.select.int">(pairs, pairs.dim() - 1, part);
}
void isfinite(CompositeCall& call) {
  const Tensor self = given(call, 0).tensor();
  if (is_complex(self.dtype())) {
    const Tensor real = finite(part_of(self, 0));
    call.returns(call_op<"aten.bitwise_and_.Tensor">(real, finite(part_of(self, 1))));
  } else {
    call.returns(is_float(self.dtype()) ? finite(self) : truths_like(self));
  }
}
void isreal(CompositeCall& call) {
  const Tensor self = given(call, 0).tensor();
  call.returns(is_complex(self.dtype()) ? call_op<"aten.eq.Scalar">(part_of(self, 1), 0) : truths_like(self));
}
void conj_physical(CompositeCall& call) {
  if (is_complex(given(call, 0).tensor_impl()->meta.dtype)) return same_call<"aten._conj_physical.default">(call);
  argument_itself(call);
}
void log_sigmoid_out(CompositeCall& call) {
  const TensorMeta& self = given(call, 0).tensor_impl()->meta;
  const Tensor buffer = call_op<"aten.empty.memory_format">(DimVec{SymInt(0)}, self.dtype, Layout::Strided, self.device,
                                                            std::nullopt, std::nullopt);
  const Values results =
      call_op_all<"aten.log_sigmoid_forward.output">(given(call, 0).tensor(), given(call, 1), buffer);
  call.returns(results[0]);
}

/// The decomposition of softmax.int(self, dim, dtype): converts the elements to `dtype` first.
template <OpName op>
void converted_softmax(CompositeCall& call) {
  Tensor self = given(call, 0).tensor();
  if (!given(call, 2).is_none())
    self = call_op<"aten.to.dtype">(self, given(call, 2).as_dtype(), false, false, std::nullopt);
  call.returns(call_op<op>(self, given(call, 1), false));
}

// The decompositions of var(self, unbiased) and var.dim(self, dim, unbiased, keepdim), and of the same overloads of
// std, var_mean and std_mean.
Value correction_of(const Value& unbiased) { return Value(unbiased.as_bool() ? 1 : 0); }
template <OpName op>
void of_all(CompositeCall& call) {
  const Value args[] = {given(call, 0), Value(), correction_of(given(call, 1)), Value(false)};
  Values results;
  dispatch(op_entry<op>(), args, results);
  for (Value& v : results) call.returns(std::move(v));
}
template <OpName op>
void of_dims(CompositeCall& call) {
  std::vector<Value> args{given(call, 0), given(call, 1), correction_of(given(call, 2)), given(call, 3)};
  args.insert(args.end(), call.args.begin() + 4, call.args.end());
  Values results;
  dispatch(op_entry<op>(), args, results);
  for (Value& v : results) call.returns(std::move(v));
}

/// The decomposition of where(condition, a, b) with numbers: each number becomes a 0-d tensor of the common dtype.
void where_numbers(CompositeCall& call) {
  ResultType common(call.context.default_dtype);
  common.add(given(call, 1));
  common.add(given(call, 2));
  const DType dtype = common.result();
  const auto converted = [&](const Value& v) {
    if (v.is_tensor()) return call_op<"aten.to.dtype">(v.tensor(), dtype, false, false, std::nullopt);
    return call_op<"aten.scalar_tensor.default">(v, dtype, Layout::Strided, given(call, 0).tensor_impl()->meta.device,
                                                 std::nullopt);
  };
  const Tensor other = converted(given(call, 2));
  call.returns(call_op<"aten.where.self">(given(call, 0).tensor(), converted(given(call, 1)), other));
}

void max_pool1d(CompositeCall& call) { first_result<"aten.max_pool1d_with_indices.default">(call); }

void one_hot(CompositeCall& call) {
  const Tensor self = given(call, 0).tensor();
  SymInt classes = given(call, 1).as_int();
  if (classes.is_int() && classes.as_int() == -1)
    classes = call_op_all<"aten.item.default">(call_op<"aten.max.default">(self))[0].as_int() + SymInt(1);
  const Tensor ids =
      call_op<"aten.arange.default">(classes, self.dtype(), Layout::Strided, self.device(), std::nullopt);
  const Tensor equal = call_op<"aten.eq.Tensor">(call_op<"aten.unsqueeze.default">(self, -1), ids);
  call.returns(call_op<"aten.to.dtype">(equal, DType::I64, false, false, std::nullopt));
}

struct Parts {
  std::string_view op;
  CompositeBody body;
};
constexpr Parts kParts[] = {
    {"aten.__and__.Scalar", same_call<"aten.bitwise_and.Scalar">},
    {"aten.__and__.Tensor", same_call<"aten.bitwise_and.Tensor">},
    {"aten.__or__.Scalar", same_call<"aten.bitwise_or.Scalar">},
    {"aten.__or__.Tensor", same_call<"aten.bitwise_or.Tensor">},
    {"aten.__xor__.Scalar", same_call<"aten.bitwise_xor.Scalar">},
    {"aten.__xor__.Tensor", same_call<"aten.bitwise_xor.Tensor">},
    {"aten.conj_physical.default", conj_physical},
    {"aten.isfinite.default", isfinite},
    {"aten.isreal.default", isreal},
    {"aten.linalg_eigvals.default", first_result<"aten.linalg_eig.default">},
    {"aten.log_sigmoid.default", first_result<"aten.log_sigmoid_forward.default">},
    {"aten.log_sigmoid.out", log_sigmoid_out},
    {"aten.log_softmax.int", converted_softmax<"aten._log_softmax.default">},
    {"aten.max.other", same_call<"aten.maximum.default">},
    {"aten.max.out", same_call<"aten.maximum.out">},
    {"aten.max_pool1d.default", max_pool1d},
    {"aten.min.other", same_call<"aten.minimum.default">},
    {"aten.min.out", same_call<"aten.minimum.out">},
    {"aten.one_hot.default", one_hot},
    {"aten.positive.default", argument_itself},
    {"aten.relu6.default", relu6},
    {"aten.relu6_.default", relu6_inplace},
    {"aten.selu.default", selu},
    {"aten.selu_.default", selu_inplace},
    {"aten.softmax.int", converted_softmax<"aten._softmax.default">},
    {"aten.special_ndtr.default", ndtr},
    {"aten.special_ndtr.out", ndtr_out},
    {"aten.square.default", square},
    {"aten.square.out", square_out},
    {"aten.square_.default", square_inplace},
    {"aten.std.default", of_all<"aten.std.correction">},
    {"aten.std.dim", of_dims<"aten.std.correction">},
    {"aten.std.out", of_dims<"aten.std.correction_out">},
    {"aten.std_mean.default", of_all<"aten.std_mean.correction">},
    {"aten.std_mean.dim", of_dims<"aten.std_mean.correction">},
    {"aten.var.default", of_all<"aten.var.correction">},
    {"aten.var.dim", of_dims<"aten.var.correction">},
    {"aten.var.out", of_dims<"aten.var.correction_out">},
    {"aten.var_mean.default", of_all<"aten.var_mean.correction">},
    {"aten.var_mean.dim", of_dims<"aten.var_mean.correction">},
    {"aten.where.Scalar", where_numbers},
    {"aten.where.ScalarOther", where_numbers},
    {"aten.where.ScalarSelf", where_numbers},
};

}  // namespace

void add_implicit_composites(Registry& registry) {
  for (const Parts& p : kParts) registry.find_mutable(p.op)->decomposes(p.body).implicit_composite();
}

}  // namespace ersatz
