// Deep copies of modules: real copies, and fake copies in a FakeCopyScope.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/object/fake_copy.h"
#include "fake/object/module_tree.h"
#include "fake/object/parameter.h"
#include "fake/object/tensor_record.h"
#include "kernels/shape/clone.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/log_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

std::shared_ptr<Module> batch_norm_2d(int64_t channels) {
  auto bn = std::make_shared<Module>();
  bn->type = "BatchNorm2d";
  bn->parameters = {{"weight", Parameter(ones_f32({channels}))}, {"bias", Parameter(ones_f32({channels}), false)}};
  bn->buffers = {{"running_mean", ones_f32({channels})},
                 {"running_var", ones_f32({channels})},
                 {"num_batches_tracked", tensor_of<int64_t>({0}, {})}};
  return bn;
}

/// Returns a module with one child under two names. In the child, `a` and `b` are one tensor, and `c` is a view of it.
std::shared_ptr<Module> module_that_shares() {
  auto child = std::make_shared<Module>();
  const Tensor a = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  child->buffers = {{"a", a}, {"b", a}, {"c", make_view(a, meta_of("f32[2]{1}+2"))}};
  auto root = std::make_shared<Module>();
  root->children = {{"left", child}, {"right", child}, {"none", nullptr}};
  return root;
}

const char* const kTensorsOfBatchNorm[] = {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"};

// COPY-01: every parameter and buffer is fake, with equal metadata; the original is untouched
TEST(FakeCopy, FakeBatchNormIsEqualInMetadata) {
  const auto bn = batch_norm_2d(10);
  const FakeMode mode;
  const AllocatorFigures before = host_allocator().figures();
  std::shared_ptr<Module> copy;
  {
    FakeCopyScope scope(mode);
    copy = deep_copy(bn);
  }
  EXPECT_EQ(host_allocator().figures().allocations, before.allocations);
  EXPECT_EQ(copy->type, "BatchNorm2d");
  for (const char* name : kTensorsOfBatchNorm) {
    const Tensor real = bn->find(name), fake = copy->find(name);
    ASSERT_TRUE(real && fake) << name;
    EXPECT_TRUE(mode.owns(fake)) << name;
    EXPECT_EQ(record_of(fake), record_of(real)) << name;
    EXPECT_EQ(is_parameter(fake), is_parameter(real)) << name;
    EXPECT_EQ(fake.meta().requires_grad, std::string(name) == "weight") << name;
    EXPECT_FALSE(real.is_fake()) << name;
    EXPECT_EQ(real.version(), 0u) << name;
  }
  EXPECT_TRUE(is_parameter(copy->find("bias")));
  EXPECT_EQ(to_string(bn->find("weight")).substr(0, 13), "Tensor(f32[10");
}

// COPY-02: one tensor object is copied once; copies of views share the storage of their base's copy
TEST(FakeCopy, KeepsWhatIsTheSame) {
  const auto module = module_that_shares();
  const FakeMode mode;
  FakeCopyScope scope(mode);
  const auto copy = deep_copy(module);
  const Tensor a = copy->find("left.a"), c = copy->find("left.c");
  EXPECT_TRUE(a.is_fake() && a.is(copy->find("left.b")) && a.is(copy->find("right.a")));
  EXPECT_TRUE(c.shares_storage(a) && !c.is(a));
  EXPECT_EQ(to_string(c.meta()), "f32[2]{1}+2@cpu");
  EXPECT_EQ(copy->children[0].second, copy->children[1].second);
  EXPECT_FALSE(copy->children[2].second);
}

// COPY-03: copies have plain sizes; only `clone` and `deep_copy` are redirected
TEST(FakeCopy, RedirectsCopiesOnly) {
  const FakeMode mode;
  const Tensor real = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor turned = make_view(real, meta_of("f32[3,2]{1,3}"));
  FakeCopyScope scope(mode);
  const Tensor copy = deep_copy(real), clone = ops::clone(turned);
  EXPECT_TRUE(mode.owns(copy) && mode.owns(clone));
  EXPECT_FALSE(copy.meta().is_symbolic() || clone.meta().is_symbolic());
  EXPECT_EQ(to_string(clone.meta()), "f32[3,2]{1,3}+0@cpu");
  EXPECT_FALSE(clone.shares_storage(mode.from_tensor(real)));
  EXPECT_EQ(to_string(call_test_op("twice", {real})), "Tensor(f32[2,3]@cpu, [[2, 4, 6], [8, 10, 12]])");
  EXPECT_TRUE(mode.owns(call_test_op("twice", {copy})));
}

TEST(FakeCopy, EndsWithItsScopeAndSuspendsWithModes) {
  const FakeMode mode;
  {
    FakeCopyScope scope(mode);
    SuspendModes suspended;
    EXPECT_FALSE(deep_copy(ones_f32({2})).is_fake());
  }
  EXPECT_FALSE(ops::clone(ones_f32({2})).is_fake());
}

// COPY-04: a warning is logged, and NotSupported has the original error
TEST(FakeCopy, OfWhatCannotBeFakeSaysWhy) {
  auto module = batch_norm_2d(3);
  const Tensor broken = ones_f32({2});
  broken.impl()->meta.strides.clear();  // no fake has sizes without strides
  module->buffers.emplace_back("broken", broken);
  const FakeMode mode;
  const LogText logged(LogLevel::Warn);
  FakeCopyScope scope(mode);
  std::string text, original;
  try {
    deep_copy(module);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::NotSupported);
    text = e.message;
    try {
      std::rethrow_if_nested(e);
    } catch (const Error& inner) {
      EXPECT_EQ(inner.kind, ErrorKind::UnsupportedFakeTensor);
      original = inner.message;
    }
  }
  EXPECT_THAT(original, HasSubstr("rank of sizes and strides must match"));
  EXPECT_EQ(text, "Unsupported: " + original + " with fake tensor propagation.");
  EXPECT_THAT(logged.text(), HasSubstr(text));
}

TEST(DeepCopy, RealTensorsGetOwnBytesAndKeepSharing) {
  const auto module = module_that_shares();
  const auto copy = deep_copy(module);
  const Tensor a = copy->find("left.a"), c = copy->find("right.c");
  EXPECT_TRUE(a.is(copy->find("left.b")) && c.shares_storage(a));
  module->find("left.a").data<float>()[2] = 99;
  EXPECT_EQ(to_string(c), "Tensor(f32[2]+2@cpu, [3, 4])");
  a.data<float>()[3] = 7;
  EXPECT_EQ(to_string(c), "Tensor(f32[2]+2@cpu, [3, 7])");
  EXPECT_TRUE(is_parameter(deep_copy(Parameter(ones_f32({2})))));
}

TEST(DeepCopy, CopyOfFakeHasItsModeAndStorage) {
  const FakeMode mode;
  const Tensor fake = mode.make(meta_of("f32[2,3]{1,2}+1@cuda:1"), SymInt(64));
  const Tensor copy = deep_copy(fake);
  EXPECT_TRUE(mode.owns(copy) && !copy.shares_storage(fake));
  EXPECT_EQ(record_of(copy), record_of(fake));
}

TEST(DeepCopy, RealTensorInAFakeScopeIsRefused) {
  const FakeMode mode;
  FakeScope scope(mode);
  const Error e = error_of([] { deep_copy(ones_f32({2})); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("Please convert all Tensors to fake tensors first"));
  EXPECT_THAT(e.suggestion, HasSubstr("FakeCopyScope"));
}

TEST(DeepCopy, OfModulesThatContainEachOtherEnds) {
  auto a = std::make_shared<Module>(), b = std::make_shared<Module>();
  a->children = {{"b", b}};
  b->children = {{"a", a}};
  const auto copy = deep_copy(a);
  EXPECT_EQ(copy->children[0].second->children[0].second, copy);
  a->children.clear();
  copy->children.clear();
}

}  // namespace
}  // namespace ersatz
