#include "kernels/core_decompositions.h"

#include "kernels/decomposition.h"
#include "kernels/linalg/matmul.h"

namespace ersatz {

void add_core_decompositions(Registry& registry) {
  using namespace decomposition;
  for (const std::span<const Row> rows : {attention_rows(), backward_rows(), block_rows(), elementwise_rows(),
                                          reduction_rows(), resize_rows(), shape_rows()}) {
    for (const Row& r : rows) registry.find_mutable(r.op)->decomposes(r.body);
  }
}

namespace decomposition {
namespace {

void dropout(CompositeCall& call) {
  const Value &input = given(call, 0), &p = given(call, 1), &train = given(call, 2);
  if (!train.as_bool() || p.as_double() == 0) return call.returns(input);
  call.returns(std::move(call_op_all<"aten.native_dropout.default">(input, p, train)[0]));
}

/// The decomposition of one_hot(self, num_classes). `_assert_async` calls check the values that one_hot itself refuses.
void one_hot(CompositeCall& call) {
  const Tensor self = tensor(call, 0);
  const Value& classes = given(call, 1);
  const auto holds_for_all = [](const Tensor& t, std::string_view message) {
    call_op_all<"aten._assert_async.msg">(call_op<"aten.all.default">(t), message);
  };
  holds_for_all(call_op<"aten.ge.Scalar">(self, 0), "one_hot: Class values must be non-negative.");
  holds_for_all(call_op<"aten.lt.Scalar">(self, classes), "one_hot: Class values must be smaller than num_classes.");
  const Tensor place = unsqueeze(self, -1);
  call.returns(cast(call_op<"aten.eq.Tensor">(place, range(0, classes, self.device(), DType::I64)), DType::I64));
}
/// The decomposition of view.dtype calls view.dtype and then alias: core programs of torch.export contain both calls.
void view_dtype(CompositeCall& call) {
  call.returns(call_op<"aten.alias.default">(call_op<"aten.view.dtype">(tensor(call, 0), given(call, 1))));
}

/// The decomposition of native_batch_norm. With running statistics, calls `_native_batch_norm_legit` if `training`,
/// else `_native_batch_norm_legit_no_training`. Without running statistics, calls `_native_batch_norm_legit.no_stats`.
void native_batch_norm(CompositeCall& call) {
  const auto a = [&](size_t i) -> const Value& { return given(call, i); };
  const Value& training = a(5);
  const bool tracked = !a(3).is_none();
  Values results;
  if (!training.as_bool() && tracked) {
    results =
        call_op_all<"aten._native_batch_norm_legit_no_training.default">(a(0), a(1), a(2), a(3), a(4), a(6), a(7));
  } else if (tracked) {
    results = call_op_all<"aten._native_batch_norm_legit.default">(a(0), a(1), a(2), a(3), a(4), training, a(6), a(7));
  } else {
    results = call_op_all<"aten._native_batch_norm_legit.no_stats">(a(0), a(1), a(2), training, a(6), a(7));
  }
  for (Value& v : results) call.returns(std::move(v));
}

/// The decomposition of an in-place operator: copies the result of the functional operator into the first argument.
template <OpName functional>
void copied_back(CompositeCall& call) {
  Values made;
  dispatch(op_named(functional.text), call.args, made);
  call.returns(call_op<"aten.copy_.default">(given(call, 0), made[0], false));
}

/// The decomposition of elu_. It does not call `elu`, because `elu` is core and a tracer would not decompose it
/// further.
void elu_in_place(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const double alpha = given(call, 1).as_double(), scale = given(call, 2).as_double(),
               input_scale = given(call, 3).as_double();
  const Tensor positive = call_op<"aten.gt.Scalar">(x, 0), above = mul(x, scale);
  const Tensor below = mul(call_op<"aten.expm1.default">(mul(x, input_scale)), alpha * scale);
  call.returns(call_op<"aten.copy_.default">(given(call, 0), where(positive, above, below), false));
}

constexpr Row kExported[] = {{"aten.dropout.default", dropout},
                             {"aten.matmul.default", op_matmul::exported_matmul},
                             {"aten.native_batch_norm.default", native_batch_norm},
                             {"aten.one_hot.default", one_hot},
                             {"aten.view.dtype", view_dtype}};
constexpr std::string_view kWhole[] = {"aten.upsample_bilinear2d.vec", "aten.upsample_nearest2d.vec"};
constexpr Row kInPlace[] = {
    {"aten.addcdiv_.default", copied_back<"aten.addcdiv.default">},
    {"aten.addcmul_.default", copied_back<"aten.addcmul.default">},
    {"aten.celu_.default", copied_back<"aten.celu.default">},
    {"aten.deg2rad_.default", copied_back<"aten.deg2rad.default">},
    {"aten.elu_.default", elu_in_place},
    {"aten.fill_.Scalar", copied_back<"aten.fill.Scalar">},
    {"aten.fill_.Tensor", copied_back<"aten.fill.Tensor">},
    {"aten.frac_.default", copied_back<"aten.frac.default">},
    {"aten.gelu_.default", copied_back<"aten.gelu.default">},
    {"aten.hardsigmoid_.default", copied_back<"aten.hardsigmoid.default">},
    {"aten.hardswish_.default", copied_back<"aten.hardswish.default">},
    {"aten.hardtanh_.default", copied_back<"aten.hardtanh.default">},
    {"aten.heaviside_.default", copied_back<"aten.heaviside.default">},
    {"aten.leaky_relu_.default", copied_back<"aten.leaky_relu.default">},
    {"aten.lerp_.Scalar", copied_back<"aten.lerp.Scalar">},
    {"aten.lerp_.Tensor", copied_back<"aten.lerp.Tensor">},
    {"aten.logit_.default", copied_back<"aten.logit.default">},
    {"aten.masked_fill_.Scalar", copied_back<"aten.masked_fill.Scalar">},
    {"aten.masked_fill_.Tensor", copied_back<"aten.masked_fill.Tensor">},
    {"aten.mish_.default", copied_back<"aten.mish.default">},
    {"aten.mvlgamma_.default", copied_back<"aten.mvlgamma.default">},
    {"aten.nan_to_num_.default", copied_back<"aten.nan_to_num.default">},
    {"aten.rad2deg_.default", copied_back<"aten.rad2deg.default">},
    {"aten.renorm_.default", copied_back<"aten.renorm.default">},
    {"aten.sgn_.default", copied_back<"aten.sgn.default">},
    {"aten.silu_.default", copied_back<"aten.silu.default">},
    {"aten.sinc_.default", copied_back<"aten.sinc.default">},
    {"aten.threshold_.default", copied_back<"aten.threshold.default">},
    {"aten.tril_.default", copied_back<"aten.tril.default">},
    {"aten.triu_.default", copied_back<"aten.triu.default">},
    {"aten.xlogy_.Tensor", copied_back<"aten.xlogy.Tensor">},
    {"aten.zero_.default", copied_back<"aten.zero.default">},
};

}  // namespace

std::span<const Row> exported_rows() { return kExported; }
std::span<const Row> in_place_rows() { return kInPlace; }
std::span<const std::string_view> exported_whole() { return kWhole; }

}  // namespace decomposition

}  // namespace ersatz
