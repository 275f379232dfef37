#include "kernels/pointwise/closeness.h"

#include "kernels/indexing/item.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/any_all.h"
#include "kernels/shape/copy.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/mode.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_closeness {
namespace {

void require_comparable(const RuleCall& call) {
  static constexpr Schemas kArgs{kAllclose, kIsclose};
  call.require(call.meta(kArgs["self"]).dtype == call.meta(kArgs["other"]).dtype, "C1",
               "self and other must have one dtype: {} and {}", call.meta(kArgs["self"]), call.meta(kArgs["other"]));
  call.require(call.real(kArgs["rtol"]) >= 0 && call.real(kArgs["atol"]) >= 0, "C2",
               "rtol and atol must not be negative: {} and {}", call.real(kArgs["rtol"]), call.real(kArgs["atol"]));
}

Tensor close(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  Tensor same = ops::eq(self, other);
  const bool integers = is_integral(self.dtype());
  if (equal_nan && !integers) same = ops::bitwise_or(same, ops::bitwise_and(ops::isnan(self), ops::isnan(other)));
  if (rtol == 0 && atol == 0) return same;
  const DType computed = integers ? rule_context().default_dtype : self.dtype();
  const Tensor a = integers ? ops::to(self, computed) : self, b = integers ? ops::to(other, computed) : other;
  const Tensor allowed = ops::add(ops::abs(ops::mul(b, Scalar(rtol))), Scalar(atol));
  const Tensor distance = ops::abs(ops::sub(a, b, 1));
  return ops::bitwise_or(same, ops::bitwise_and(ops::isfinite(distance), ops::le(distance, allowed)));
}

void isclose(CompositeCall& call) {
  require_comparable(call);
  call.returns(close(call.tensor(kIsclose["self"]), call.tensor(kIsclose["other"]), call.real(kIsclose["rtol"]),
                     call.real(kIsclose["atol"]), call.boolean(kIsclose["equal_nan"])));
}

void is_nonzero(CompositeCall& call) {
  call.require(check_eq(call.meta(kIsNonzero["self"]).numel(), 1), "C1", "expects one element: self is {}",
               call.meta(kIsNonzero["self"]));
  const Scalar value = ops::item(call.tensor(kIsNonzero["self"]));
  // Tensor::item reads an integer as i64, so a u64 number above the range of i64 becomes negative.
  const bool is_beyond = call.meta(kIsNonzero["self"]).dtype == DType::U64 && value.to_int() < 0;
  call.require(!is_beyond, "C2", "expects a number that i64 holds: self is {}", call.meta(kIsNonzero["self"]));
  call.returns(value.is_complex() ? value.to_complex() != 0. : value.to_double() != 0);
}

/// PyTorch accepts any dtypes for tensors of different sizes, because these are unequal anyway.
void equal_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kEqual["self"]), &other = call.meta(kEqual["other"]);
  const DType a = self.dtype, b = other.dtype;
  if (!kLimitedDTypes.has(a) && !kLimitedDTypes.has(b)) return;
  if (same_sizes(self.sizes, other.sizes)) return call.require_dtype(promote_types(a, b), kAllDTypes);
  call.require_dtype(a, kEveryDType);
}

void allclose_rule(RuleCall& call) {
  require_comparable(call);
  const TensorMeta* operands[] = {&call.meta(kAllclose["self"]), &call.meta(kAllclose["other"])};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "C3", "self and other must broadcast: {} and {}",
               call.meta(kAllclose["self"]), call.meta(kAllclose["other"]));
}

void run_equal(KernelCall& call, Values& results) {
  const SuspendModes for_real;
  const Tensor a = call.tensor(kEqual["self"]), b = call.tensor(kEqual["other"]);
  results.push_back(same_sizes(a.sizes(), b.sizes()) && ops::item(ops::all(ops::eq(a, b))).to_bool());
}

void run_allclose(KernelCall& call, Values& results) {
  const SuspendModes for_real;
  const Tensor all =
      close(call.tensor(kAllclose["self"]), call.tensor(kAllclose["other"]), call.real(kAllclose["rtol"]),
            call.real(kAllclose["atol"]), call.boolean(kAllclose["equal_nan"]));
  results.push_back(ops::item(ops::all(all)).to_bool());
}

}  // namespace

void register_ops(Registry& r) {
  // The kernels of these ops call other ops, so they run on every device.
  r.add(kEqual)
      .tag(Tag::ScalarRead)
      .with_rule(equal_rule)
      .every_device_returns(run_equal)
      .sample("f32[2,3], f32[2,3]{1,2}")
      .sample("i64[2], i64[3]");
  r.add(kAllclose)
      .tag(Tag::ScalarRead)
      .with_rule(allclose_rule)
      .every_device_returns(run_allclose)
      .sample("f32[2,3], f32[3]")
      .refuses("C1", "f32[2], f64[2]")
      .refuses("C2", "f32[2], f32[2], -1.0")
      .refuses("C3", "f32[2], f32[3]");
  r.add(kIsclose)
      .with_composite(isclose)
      .sample("f32[2,3], f32[3]")
      .sample("i64[2,3]{1,2}, i64[3], 0.5")
      .sample("c64[2], c64[2], equal_nan=True")
      .refuses("C1", "f32[2], f64[2]")
      .refuses("C2", "f32[2], f32[2], 0.1, -1.0");
  r.add(kIsNonzero).tag(Tag::ScalarRead).with_composite(is_nonzero).sample("f32[1]").refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_closeness
