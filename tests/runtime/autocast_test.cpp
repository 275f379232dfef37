// Autocast: ops that it converts, and ops that it does not change.
#include "runtime/op/autocast.h"

#include <gtest/gtest.h>

#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

Tensor made(DType t, std::initializer_list<int64_t> sizes) {
  std::vector<SymInt> dims(sizes.begin(), sizes.end());
  return make_real_tensor(TensorMeta(t, std::span<const SymInt>(dims), kCPU));
}
DType dtype_of(const Values& v) { return v[0].tensor_impl()->meta.dtype; }

TEST(Autocast, ConvertsProductsOfTensorsToItsDtype) {
  const Tensor a = made(DType::F32, {2, 2});
  const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
  EXPECT_EQ(dtype_of(call("aten.mm.default", {a, a})), DType::BF16);
  EXPECT_EQ(dtype_of(call("aten.linear.default", {a, a})), DType::BF16);
}

TEST(Autocast, LeavesOtherOpsAndDoublesAlone) {
  const Tensor a = made(DType::F32, {2, 2}), d = made(DType::F64, {2, 2});
  const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
  EXPECT_EQ(dtype_of(call("aten.relu.default", {a})), DType::F32);
  EXPECT_EQ(dtype_of(call("aten.mm.default", {d, d})), DType::F64);
}

TEST(Autocast, RunsPreciseOpsInF32OrTheWidest) {
  const Tensor a = made(DType::F32, {2}), h = made(DType::BF16, {2});
  const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
  EXPECT_EQ(dtype_of(call("aten.prod.default", {h})), DType::F32);
  const Value both[] = {h, a}, narrow[] = {h, h};
  EXPECT_EQ(dtype_of(call("aten.cat.default", {Value::list(both)})), DType::F32);
  EXPECT_EQ(dtype_of(call("aten.cat.default", {Value::list(narrow)})), DType::BF16);
}

TEST(Autocast, EndsWithItsScopeOrAnInnerOne) {
  const Tensor a = made(DType::F32, {2, 2});
  {
    const AutocastScope scope(DeviceType::CPU, true, DType::F16);
    EXPECT_EQ(dtype_of(call("aten.mm.default", {a, a})), DType::F16);
    const AutocastScope off(DeviceType::CPU, false);
    EXPECT_EQ(dtype_of(call("aten.mm.default", {a, a})), DType::F32);
  }
  EXPECT_EQ(dtype_of(call("aten.mm.default", {a, a})), DType::F32);
  EXPECT_FALSE(rule_context().autocast);
}

TEST(Autocast, IsNotKnownForTensorsWithoutADevice) {
  EXPECT_THROW(AutocastScope(DeviceType::Meta, true), Error);
  EXPECT_EQ(active_mode(ModeOrder::Autocast), nullptr);
}

}  // namespace
}  // namespace ersatz
