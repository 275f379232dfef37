// A fake as an object: its text, invariants, data pointer, parameters, capabilities, stack and wrappers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <thread>

#include "fake/object/capabilities.h"
#include "fake/object/parameter.h"
#include "fake/object/torch_text.h"
#include "fake/object/wrapper.h"
#include "runtime/base/context.h"
#include "runtime/base/log.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/log_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;
using testing::Not;

Tensor f32(std::initializer_list<float> values) {
  return tensor_of<float>(values, {static_cast<int64_t>(values.size())});
}

// TENSOR-01: fakes have PyTorch's exact text and ersatz's own text, both without data
TEST(FakeText, SaysMetadataAndNeverData) {
  FakeMode mode;
  EXPECT_EQ(torch_text(mode.make(meta_of("f32[2,2]"))), "FakeTensor(..., size=(2, 2))");
  EXPECT_EQ(torch_text(mode.make(meta_of("f32[2,2]@meta"))), "FakeTensor(..., device='meta', size=(2, 2))");
  EXPECT_EQ(torch_text(mode.make(meta_of("f64[2]@cuda:1"))),
            "FakeTensor(..., device='cuda:1', size=(2,), dtype=torch.float64)");
  EXPECT_EQ(torch_text(mode.make(meta_of("f32[3,0] grad"))), "FakeTensor(..., size=(3, 0), requires_grad=True)");
  EXPECT_EQ(torch_text(Parameter(mode.make(meta_of("f32[]")))),
            "Parameter(FakeTensor(..., size=(), requires_grad=True))");
  EXPECT_EQ(to_string(mode.from_constant(f32({7}))), "FakeTensor(f32[1]@cpu)");
}

TEST(FakeText, OfARealTensorIsRefused) {
  EXPECT_THAT(error_of([] { torch_text(f32({1})); }).message, HasSubstr("only fakes are spelled so"));
}

// TENSOR-02: printing calls no ops, so an active mode does not change it
TEST(FakeText, RealTensorPrintsItsValuesInsideScope) {
  FakeMode mode;
  FakeScope scope(mode);
  EXPECT_EQ(to_string(f32({1, 2.5})), "Tensor(f32[2]@cpu, [1, 2.5])");
  EXPECT_THAT(to_string(f32({1, 2.5})), Not(HasSubstr("FakeTensor")));
}

// TENSOR-03: a storage with bytes shows its values; a storage without bytes shows `...` and device `meta`
TEST(StorageText, ListsValuesOfRealStoragesOnly) {
  EXPECT_EQ(storage_text(f32({0, 0, 0})), " 0.0\n 0.0\n 0.0\n[Storage(dtype=float32, device=cpu) of size 3]");
  FakeMode mode;
  EXPECT_EQ(storage_text(mode.from_tensor(f32({0, 0, 0}))), "...\n[Storage(dtype=float32, device=meta) of size 3]");
  EXPECT_EQ(storage_text(tensor_of<int64_t>({1, -2}, {2})), " 1\n -2\n[Storage(dtype=int64, device=cpu) of size 2]");
  EXPECT_EQ(storage_text(tensor_of<bool>({true}, {1})), " True\n[Storage(dtype=bool, device=cpu) of size 1]");
}

TEST(StorageText, ListsAThousandElementsAndCountsTheRest) {
  EXPECT_THAT(storage_text(ones_f32({1003})), HasSubstr(" 1.0\n ... 3 more\n[Storage(dtype=float32"));
}

// TENSOR-04: tensors that can become fakes, and the state of a new fake
TEST(FakeObject, StartsWithNothingButItsMetadata) {
  FakeMode mode;
  const Tensor cpu = ones_f32({2});
  EXPECT_THAT(error_of([&] { mode.from_meta(cpu, cuda()); }).message,
              HasSubstr("tensor's device must be `meta`, got cpu instead"));
  EXPECT_THAT(error_of([&] { mode.from_constant(mode.from_tensor(cpu)); }).message, HasSubstr("is a real cpu tensor"));
  EXPECT_EQ(mode.tensor_memo_size(), 0u);  // refused conversions left no entry
  const Tensor trained = make_real_tensor(meta_of("f32[2] grad"));
  const Tensor fake = mode.from_tensor(trained);
  EXPECT_TRUE(fake.meta().requires_grad);
  EXPECT_FALSE(mode.from_tensor(cpu).meta().requires_grad);
  const TensorExtra* extra = fake.impl()->extra.get();
  EXPECT_TRUE(!extra || (!extra->constant && !extra->real));
  EXPECT_FALSE(fake.impl()->autograd);
  EXPECT_FALSE(known_value(fake));

  FakeOptions carries;
  carries.propagate_real = true;
  FakeMode carrying(carries);
  const Tensor without = carrying.make(meta_of("f32[2]"));
  EXPECT_FALSE(real_value(without));
  EXPECT_THAT(error_of([&] { carrying.attach_real(without, fake); }).message, HasSubstr("must be real"));
  EXPECT_FALSE(real_value(without));
}

// TENSOR-05: reading a data pointer raises, or returns null with a warning
TEST(FakeObject, DataPointerIsGivenOnlyIfAllowed) {
  const Tensor refused = FakeMode().make(meta_of("f32[2]"));
  EXPECT_EQ(error_of([&] { refused.raw_data(); }).kind, ErrorKind::DataDependentOutput);
  EXPECT_EQ(error_of([&] { refused.data<float>(); }).kind, ErrorKind::DataDependentOutput);
  FakeOptions options;
  options.allow_data_pointer = true;
  const Tensor allowed = FakeMode(options).make(meta_of("f32[2]+5"));
  const LogText logged(LogLevel::Warn);
  EXPECT_EQ(allowed.raw_data(), nullptr);
  EXPECT_EQ(allowed.data<float>(), nullptr);
  EXPECT_THAT(logged.text(), HasSubstr("deprecated"));
}

struct FlatParameter : Parameter {  // for example a user's type
  FlatParameter(const Tensor& data, std::vector<int64_t> of) : Parameter(data), pieces(std::move(of)) {}
  std::vector<int64_t> pieces;
};

// TENSOR-09: a tensor can be a parameter and a fake, and have a user's type
TEST(FakeParameter, IsBoth) {
  FakeMode mode;
  const Tensor data = mode.make(meta_of("f32[6]"));
  const Parameter p(data);
  EXPECT_TRUE(is_parameter(p) && p.is_fake() && mode.owns(p));
  EXPECT_EQ(to_string(p.meta()), "f32[6]{1}+0@cpu grad");
  EXPECT_TRUE(p.shares_storage(data));
  EXPECT_FALSE(is_parameter(data) || data.meta().requires_grad);
  const FlatParameter flat(data, {2, 4});
  const Tensor handle = flat;
  EXPECT_TRUE(is_parameter(handle) && is_fake(handle));
  EXPECT_EQ(flat.pieces.size(), 2u);
  EXPECT_FALSE(Parameter(data, false).meta().requires_grad);
}

TEST(FakeParameter, OfIntegersCannotRequireGradients) {
  FakeMode mode;
  const Tensor data = mode.make(meta_of("i64[6]"));
  EXPECT_THAT(error_of([&] { Parameter p(data); }).message, HasSubstr("floating point and complex"));
  EXPECT_TRUE(is_parameter(Parameter(data, false)));
}

Tensor made_by_an_op(Device device) {
  const std::vector<Value> positional{Value::int_list(std::vector<int64_t>{2, 2})};
  const std::vector<std::pair<std::string, Value>> keywords{{"device", Value(device)}};
  return call(test_op("make"), positional, keywords)[0].tensor();
}

// TENSOR-10: capabilities depend on the fake's device, and on the inference mode when it was made
TEST(Capabilities, FollowTheFakeDevice) {
  FakeMode mode;
  FakeScope scope(mode);
  EXPECT_EQ(to_string(capabilities(made_by_an_op(kCPU))), "CPU, ADInplaceOrView, AutogradCPU, AutocastCPU");
  EXPECT_EQ(to_string(capabilities(made_by_an_op(cuda(1)))), "CUDA, ADInplaceOrView, AutogradCUDA, AutocastCUDA");
  EXPECT_EQ(to_string(capabilities(made_by_an_op(kMeta))), "Meta, ADInplaceOrView, AutogradMeta");
  const Tensor before = made_by_an_op(kCPU);
  ContextGuard inference([](RuleContext& c) { c.inference_mode = true; });
  EXPECT_EQ(to_string(capabilities(made_by_an_op(kCPU))), "CPU, AutocastCPU");
  EXPECT_EQ(to_string(capabilities(made_by_an_op(cuda(0)))), "CUDA, AutocastCUDA");
  EXPECT_TRUE(capabilities(before).autograd);
}

// TENSOR-11: a fake of any size has no bytes
TEST(FakeObject, OwnsNoDataOfTensorsFarBeyondMemory) {
  FakeMode mode;
  const AllocatorFigures before = host_allocator().figures();
  host_allocator().reset_peak();
  for (const char* spelling : {"f32[1000000,1000000]@cpu", "f32[1000000,1000000]@cuda:0"}) {
    Tensor x = mode.make(meta_of(spelling));
    for (int i = 0; i < 1000; ++i) x = call_test_op("add", {call_test_op("twice", {x}), x});
    EXPECT_EQ(x.numel().as_int(), 1000000000000);
    EXPECT_EQ(x.storage()->nbytes().as_int(), 4000000000000);
    EXPECT_FALSE(x.storage()->has_bytes());
  }
  EXPECT_EQ(host_allocator().figures().allocations, before.allocations);
  EXPECT_EQ(host_allocator().figures().peak_bytes, before.live_bytes);
}

__attribute__((noinline)) Tensor made_here(const FakeMode& mode) { return mode.make(meta_of("f32[2]")); }

// TENSOR-12: a fake stores its creation stack if the mode or the environment variable asks for it
TEST(FakeObject, RemembersWhereItWasMadeOnDemand) {
  FakeMode plain;
  const Tensor silent = made_here(plain);
  EXPECT_EQ(creation_stack(silent), "");
  EXPECT_FALSE(silent.impl()->extra);  // a fake without a stack has no `extra`, so it needs no memory for one

  FakeOptions options;
  options.keep_stacks = true;
  FakeMode mode(options);
  const Tensor real = ones_f32({2});
  EXPECT_THAT(creation_stack(made_here(mode)), HasSubstr("test_fake"));
  EXPECT_THAT(creation_stack(mode.from_tensor(real)), HasSubstr("test_fake"));
  EXPECT_THAT(creation_stack(call_test_op("twice", {mode.from_tensor(real)})), HasSubstr("test_fake"));
}

// TENSOR-12: the environment variable sets the default of the process
TEST(FakeObject, TheEnvironmentTurnsStacksOn) {
  bool kept = false, kept_by_default = true;
  const auto on_a_new_thread = [](bool* kept) { std::thread([kept] { *kept = FakeOptions().keep_stacks; }).join(); };
  ::setenv("ERSATZ_FAKE_STACKS", "1", 1);
  on_a_new_thread(&kept);
  ::unsetenv("ERSATZ_FAKE_STACKS");
  on_a_new_thread(&kept_by_default);
  EXPECT_TRUE(kept);
  EXPECT_FALSE(kept_by_default);
}

// TENSOR-13: each tensor of a nested list is returned once
TEST(Wrapper, FlattensToItsLeavesOnce) {
  FakeMode mode;
  const Tensor a = mode.make(meta_of("f32[1]")), b = mode.make(meta_of("f32[2]")), c = mode.make(meta_of("f32[3]"));
  const std::vector<Value> inner{b, Value(1), a};
  const std::vector<Value> outer{a, Value::list(inner), Value(), c};
  const std::vector<Tensor> leaves = flatten_tensors(Value::list(outer));
  ASSERT_EQ(leaves.size(), 3u);
  EXPECT_TRUE(leaves[0].is(a) && leaves[1].is(b) && leaves[2].is(c));
  EXPECT_EQ(error_of([&] { flatten_tensors(a); }).kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(error_of([&] { flatten_tensors(Value(3)); }).message, HasSubstr("not 3"));
}

// MODE-18: is_fake, owns and mode_of of a tensor
TEST(Wrapper, ATensorIsFakeInItsModeOnly) {
  FakeMode a, b;
  const Tensor fake = a.make(meta_of("f32[1]")), real = ones_f32({1});
  EXPECT_TRUE(is_fake(fake) && a.owns(fake) && mode_of(fake) == a);
  EXPECT_FALSE(is_fake(real) || b.owns(fake) || b.owns(real) || mode_of(real));
}

// MODE-18: is_fake, owns and mode_of of a nested list, whose tensors must agree
TEST(Wrapper, OfTensorsThatAgreeAnswersForAll) {
  FakeMode a, b;
  const Tensor of_a = a.make(meta_of("f32[1]")), of_b = b.make(meta_of("f32[2]")), real = ones_f32({1});
  const auto wrap = [](std::vector<Value> parts) { return Value::list(std::vector<Value>{Value::list(parts)}); };
  const Value fakes = wrap({of_a, of_a}), reals = wrap({real, Value(2)}), mixed = wrap({of_a, real});
  EXPECT_TRUE(is_fake(fakes) && owns(a, fakes) && mode_of(fakes) == a);
  EXPECT_FALSE(owns(b, fakes) || is_fake(reals) || mode_of(reals) || is_fake(Value(3)));
  for (const auto& ask :
       std::vector<std::function<void()>>{[&] { is_fake(mixed); }, [&] { mode_of(mixed); }, [&] { owns(a, mixed); }}) {
    EXPECT_EQ(error_of(ask).kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(error_of(ask).message, HasSubstr("got mixed fake and real tensors!"));
  }
  EXPECT_THAT(error_of([&] { mode_of(wrap({of_a, of_b})); }).message, HasSubstr("different fake modes"));
}

}  // namespace
}  // namespace ersatz
