// Declarations of ops about devices: arguments that may be 0-d CPU tensors or on another device, and device arguments
// of factories and other ops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "fake/mode/fake_mode.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

/// Returns the device of a call's result, or the kind of its error.
std::string verdict(std::string_view op, std::initializer_list<Value> args) {
  try {
    return to_string(call(op, args)[0].tensor().device());
  } catch (const Error& e) {
    return std::string(name(e.kind));
  }
}

class DeviceRules : public testing::Test {
 protected:
  Tensor make(const char* text) { return mode.make(meta_of(text)); }
  FakeMode mode;
  const Tensor scalar = make("f32[]"), cpu = make("f32[2,2]"), cuda0 = make("f32[2,2]@cuda:0"),
               cuda_scalar = make("f32[]@cuda:0"), cuda1 = make("f32[2,2]@cuda:1");
};

// BEY-32: PyTorch's CUDA kernel of nextafter, unlike that of add, reads no 0-d tensor from the CPU.
TEST_F(DeviceRules, NextafterRejectsZeroDimCpuTensorBesideCuda) {
  EXPECT_EQ(verdict("aten.add.Tensor", {cuda0, scalar}), "cuda:0");
  EXPECT_EQ(verdict("aten.nextafter.default", {cuda0, scalar}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.nextafter.default", {scalar, cuda0}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.nextafter_.default", {cuda0, scalar}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.nextafter.default", {cuda0, cuda_scalar}), "cuda:0");
  EXPECT_EQ(verdict("aten.nextafter.default", {cpu, scalar}), "cpu");
}
// BEY-32
TEST_F(DeviceRules, WhereAcceptsZeroDimCpuTensorsAnywhere) {
  const Tensor on_cuda = make("bool[2,2]@cuda:0"), on_cpu = make("bool[2,2]"), yes = make("bool[]");
  EXPECT_EQ(verdict("aten.where.self", {on_cuda, scalar, cuda0}), "cuda:0");
  EXPECT_EQ(verdict("aten.where.self", {on_cuda, cuda0, scalar}), "cuda:0");
  EXPECT_EQ(verdict("aten.where.self", {yes, cuda0, cuda0}), "cuda:0");
  EXPECT_EQ(verdict("aten.where.self", {on_cpu, cuda0, cuda0}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.where.self", {on_cuda, cpu, cuda0}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.where.self", {on_cuda, cuda0, cuda1}), "DeviceMismatch");
}
// BEY-32
TEST_F(DeviceRules, ScattersOfViewsTakeSourcesFromAnyDevice) {
  const Tensor row = make("f32[2]"), cuda_row = make("f32[2]@cuda:0");
  EXPECT_EQ(verdict("aten.select_scatter.default", {cpu, cuda_row, 0, 0}), "cpu");
  EXPECT_EQ(verdict("aten.select_scatter.default", {cuda0, row, 0, 0}), "cuda:0");
  EXPECT_EQ(verdict("aten.diagonal_scatter.default", {cpu, cuda_row}), "cpu");
  EXPECT_EQ(verdict("aten.diagonal_scatter.default", {cuda1, cuda_row}), "cuda:1");
  EXPECT_EQ(verdict("aten.slice_scatter.default", {cuda0, cpu}), "cuda:0");
}
// BEY-32
TEST_F(DeviceRules, PickingByIndexWantsOneDevice) {
  const Tensor at = make("i64[2]"), cuda_at = make("i64[2]@cuda:0"), one = make("i64[]");
  EXPECT_EQ(verdict("aten.embedding.default", {cuda0, cuda_at}), "cuda:0");
  EXPECT_EQ(verdict("aten.embedding.default", {cuda0, at}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.embedding.default", {cuda0, one}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.embedding.default", {cpu, cuda_at}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.index_select.default", {cuda0, 0, at}), "DeviceMismatch");
  EXPECT_EQ(verdict("aten.gather.default", {make("f32[2]@cuda:0"), 0, at}), "DeviceMismatch");
}

// DEV-19
TEST_F(DeviceRules, OpsWithPositionalDeviceAreKnownByName) {
  std::set<std::string> found;
  for (const OpEntry* op : registry().all()) {
    if (!op->name.starts_with("aten.")) continue;  // inductor's prims have positional device arguments
    for (const Argument& a : op->schema.arguments) {
      if (a.type.base == BaseType::Device && !a.keyword_only) found.insert(op->name);
    }
  }
  EXPECT_THAT(found,
              testing::ElementsAre("aten._pin_memory.default", "aten._pin_memory.out", "aten._resize_output.default",
                                   "aten._resize_output.out", "aten._resize_output_.default", "aten.is_pinned.default",
                                   "aten.pin_memory.default", "aten.to.device", "aten.to.prim_Device"));
  for (const char* answered : {"aten.to.device", "aten.to.prim_Device"}) found.erase(answered);  // DEV-10
  for (const std::string& op : found) {
    std::vector<Value> args{cpu};
    if (op.starts_with("aten._resize_output")) args.push_back(Value::int_list(std::array<int64_t, 1>{3}));
    args.push_back(cuda(0));
    std::vector<std::pair<std::string, Value>> keywords;
    if (op.ends_with(".out")) keywords.emplace_back("out", cpu);
    const Error e = error_of([&] { call(op_named(op), args, keywords); });
    EXPECT_EQ(e.kind, ErrorKind::NotSupported) << op;
    EXPECT_THAT(e.message, HasSubstr("NYI: " + op));
  }
}

// DISP-12: PyTorch's exception is its list-to-tensor helper; in ersatz `tensor` is no op.
TEST(Lint, EveryFactoryTakesItsDeviceByKeyword) {
  size_t factories = 0;
  for (const OpEntry* op : registry().all()) {
    if (!op->name.starts_with("aten.")) continue;
    const auto is_tensor = [](const Argument& a) { return a.type.base == BaseType::Tensor; };
    const auto& arguments = op->schema.arguments;
    const bool one_tensor = op->schema.returns.size() == 1 && is_tensor(op->schema.returns[0]);
    if (!one_tensor || std::any_of(arguments.begin(), arguments.end(), is_tensor)) continue;
    ++factories;
    const bool by_keyword = std::any_of(arguments.begin(), arguments.end(), [](const Argument& a) {
      return a.type.base == BaseType::Device && a.keyword_only && a.name == "device";
    });
    EXPECT_TRUE(by_keyword) << op->name;
    EXPECT_TRUE(op->tags.has(Tag::Factory)) << op->name;
  }
  EXPECT_GE(factories, 12u);
}
// DISP-13: PyTorch lists 26 overloads by name, with randint_like; this test covers every registered `_like` op.
TEST(Lint, EveryLikeOpMakesTensorLikeItsInput) {
  std::set<std::string> found;
  for (const OpEntry* op : registry().all()) {
    if (!op->schema.base.ends_with("_like") || !op->name.starts_with("aten.")) continue;
    found.insert(op->schema.base);
    EXPECT_EQ(op->schema.arguments[0].type.base, BaseType::Tensor) << op->name;
    const bool like = std::any_of(op->schema.arguments.begin(), op->schema.arguments.end(),
                                  [](const Argument& a) { return a.name == "memory_format" && a.keyword_only; });
    EXPECT_TRUE(like) << op->name;
    FakeMode mode;
    std::vector<Value> args = {mode.make(meta_of("f32[2,3]{1,2}@cuda:0"))};
    bool left_out = false;  // overloads with a limit that is a tensor, or with a generator
    for (size_t i = 1; i < op->schema.arguments.size(); ++i) {
      const Argument& a = op->schema.arguments[i];
      left_out |= a.keyword_only && !a.default_value;
      if (a.default_value || a.keyword_only) continue;
      left_out |= a.type.base == BaseType::Tensor;
      args.emplace_back(static_cast<int64_t>(i));
    }
    if (!op->written.empty() || left_out) continue;
    EXPECT_EQ(to_string(call(*op, args)[0].tensor().meta(), MetaStyle::People), "f32[2,3]{1,2}@cuda:0") << op->name;
  }
  EXPECT_THAT(found, testing::ElementsAre("empty_like", "full_like", "ones_like", "rand_like", "randint_like",
                                          "randn_like", "zeros_like"));
}

}  // namespace
}  // namespace ersatz
