#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_converter.h"
#include "fake/mode/fake_mode_state.h"
#include "runtime/autograd/autograd_meta.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

Tensor real(const char* meta) { return make_real_tensor(meta_of(meta)); }
Tensor view_of(const Tensor& t, const char* meta) { return make_view(t, meta_of(meta)); }

// CONV-01
TEST(FakeConverter, TheSameTensorGivesTheSameFake) {
  FakeMode mode;
  const Tensor x = real("f32[2,2]");
  const Tensor fake = mode.from_tensor(x);
  EXPECT_TRUE(mode.from_tensor(x).is(fake));
  EXPECT_EQ(mode.tensor_memo_size(), 1u);
}

TEST(FakeConverter, FakeOfThisModeIsReturnedItself) {
  FakeMode mode;
  const Tensor fake = mode.make(meta_of("f32[2]"));
  EXPECT_TRUE(mode.from_tensor(fake).is(fake));
}

TEST(FakeConverter, AFakeOfAnotherModeIsConverted) {
  FakeMode a, b;
  const Tensor x = a.make(meta_of("f32[2]{3}+1"));
  const Tensor y = b.from_tensor(x);
  EXPECT_TRUE(b.owns(y));
  EXPECT_TRUE(a.owns(x));
  EXPECT_EQ(y.meta(), x.meta());
}

// CONV-04
TEST(FakeConverter, ViewsShareOneFakeStorageWhicheverComesFirst) {
  for (const bool view_first : {false, true}) {
    FakeMode mode;
    const Tensor x = real("f32[4,3]"), y = view_of(x, "f32[3]{1}+3");
    const Tensor first = mode.from_tensor(view_first ? y : x), second = mode.from_tensor(view_first ? x : y);
    EXPECT_TRUE(first.shares_storage(second));
    EXPECT_EQ(to_string(mode.from_tensor(y).meta()), "f32[3]{1}+3@cpu");
    EXPECT_EQ(first.storage()->nbytes().as_int(), 48);
  }
}

// CONV-05: the second tensor is no view: `set_` moved it to the storage.
TEST(FakeConverter, TensorsSetToOneStorageShareFakeStorage) {
  for (const bool set_one_first : {false, true}) {
    FakeMode mode;
    const Tensor x = real("f32[4,3]"), y = real("f32[2]");
    call("aten.set_.source_Tensor", {Value(y), Value(x)});
    ASSERT_TRUE(y.shares_storage(x));
    const Tensor first = mode.from_tensor(set_one_first ? y : x), second = mode.from_tensor(set_one_first ? x : y);
    EXPECT_TRUE(first.shares_storage(second));
    EXPECT_FALSE(first.is(second));
    EXPECT_EQ(mode.storage_memo_size(), 1u);
  }
}

// CONV-11
TEST(FakeConverter, MetadataAndFlagsAreKept) {
  FakeMode mode;
  for (const char* text : {"c64[2,3]{0,7}+5@cpu conj", "f64[0,3]", "bf16[3,2]{1,3}", "c64[2] neg"}) {
    const Tensor x = real(text);
    x.impl()->meta.requires_grad = true;
    x.impl()->meta.inference = true;
    EXPECT_EQ(mode.from_tensor(x).meta(), x.meta()) << text;
  }
}

// CONV-11
TEST(FakeConverter, StorageSizesAreKeptEvenIfZero) {
  FakeMode mode;
  const Tensor odd(meta_of("f32[2]"), Storage::allocate(100, kCPU)), empty = real("f32[0]");
  EXPECT_EQ(mode.from_tensor(odd).storage()->nbytes().as_int(), 100);
  EXPECT_EQ(mode.from_tensor(empty).storage()->nbytes().as_int(), 0);
}

// CONV-07
TEST(FakeConverter, DroppingTheModeAndTheFakeFreesBoth) {
  const Tensor x = real("f32[4]");
  auto state = make_ref<FakeModeState>(FakeOptions());
  const WeakRef<FakeModeState> weak_state(state);
  Tensor fake = FakeMode(state).from_tensor(x);
  const WeakRef<TensorImpl> weak_fake(fake.ref());
  EXPECT_EQ(state->converter.tensor_memo_size(), 1u);
  state = nullptr;
  EXPECT_FALSE(weak_state.expired());
  fake = Tensor();
  EXPECT_TRUE(weak_fake.expired());
  EXPECT_TRUE(weak_state.expired());
}

// CONV-12
TEST(FakeConverter, ViewOfAnotherDTypeSharesStorageAndVersions) {
  FakeMode mode;
  const Tensor x = real("c64[3]");
  const Tensor parts = call("aten.view_as_real.default", {Value(x)})[0].tensor();
  const Tensor fake_parts = mode.from_tensor(parts), fake_x = mode.from_tensor(x);
  EXPECT_EQ(to_string(fake_parts.meta()), "f32[3,2]{2,1}+0@cpu");
  EXPECT_TRUE(fake_parts.shares_storage(fake_x));
  EXPECT_TRUE(autograd_meta(fake_parts.impl())->base.is(fake_x));  // fake_parts is a view of fake_x
  call("aten.zero_.default", {Value(fake_parts)});
  EXPECT_EQ(fake_x.version(), 1u);
  EXPECT_EQ(x.version(), 0u);
}

// CONV-12
TEST(FakeConverter, RealAsComplexViewsShareStorageAndVersions) {
  FakeMode mode;
  const Tensor x = real("f32[3,2]");
  const std::pair<Tensor, const char*> views[] = {
      {call("aten.view_as_complex.default", {Value(x)})[0].tensor(), "c64[3]{1}+0@cpu"},
      {call("aten.view.dtype", {Value(x), Value(DType::I16)})[0].tensor(), "i16[3,4]{4,1}+0@cpu"}};
  const Tensor fake_x = mode.from_tensor(x);
  for (const auto& [view, meta] : views) {
    const Tensor fake = mode.from_tensor(view);
    EXPECT_EQ(to_string(fake.meta()), meta);
    EXPECT_TRUE(fake.shares_storage(fake_x));
    const uint32_t before = fake_x.version();
    call("aten.zero_.default", {Value(fake)});
    EXPECT_EQ(fake_x.version(), before + 1);
  }
}

// CONV-17
TEST(FakeConverter, FakesMadeByOpsKeepTheirSharing) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  FakeMode mode(options);
  const Tensor x = real("f32[4]"), tail = view_of(x, "f32[2]+2");
  const Tensor fake = mode.from_tensor(x);
  const Tensor view = call("aten.view.default", {Value(fake), Value::int_list(std::vector<int64_t>{2, 2})})[0].tensor();
  EXPECT_TRUE(mode.from_tensor(tail).shares_storage(view));
  const Tensor back = call_test_op("tail", {fake, Value(int64_t(1))});
  EXPECT_EQ(mode.fallbacks().size(), 1u);
  EXPECT_TRUE(back.shares_storage(mode.from_tensor(tail)));
}

// CONV-06, DBG-13: the memo drops an entry when its tensor is freed
TEST(FakeConverter, TheMemoForgetsWhatIsGone) {
  FakeMode mode;
  Tensor x = real("f32[4]"), y = view_of(x, "f32[2]");
  Tensor fake_x = mode.from_tensor(x), fake_y = mode.from_tensor(y);
  EXPECT_EQ(mode.tensor_memo_size(), 2u);
  EXPECT_EQ(mode.storage_memo_size(), 1u);
  x = fake_x = Tensor();
  EXPECT_EQ(mode.tensor_memo_size(), 1u);
  EXPECT_EQ(mode.storage_memo_size(), 1u);
  y = fake_y = Tensor();
  EXPECT_EQ(mode.tensor_memo_size(), 0u);
  EXPECT_EQ(mode.storage_memo_size(), 0u);
}

// BEY-38
TEST(FakeConverter, NeitherSideIsKeptAlive) {
  FakeMode mode;
  Tensor x = real("f32[4]");
  const WeakRef<TensorImpl> weak_x(x.ref());
  const WeakRef<TensorImpl> weak_fake(mode.from_tensor(x).ref());
  EXPECT_TRUE(weak_fake.expired());
  EXPECT_FALSE(weak_x.expired());
  x = Tensor();
  EXPECT_TRUE(weak_x.expired());
}

// CONV-06, DBG-13: keys identify tensor objects, not addresses or metadata
TEST(FakeConverter, AReusedAddressIsNoOldAcquaintance) {
  FakeMode mode;
  for (int i = 0; i < 1000; ++i) {
    const Tensor x = real(i % 2 ? "f32[4]" : "f64[3]");
    EXPECT_EQ(mode.from_tensor(x).meta(), x.meta());
  }
  EXPECT_EQ(mode.tensor_memo_size(), 0u);
}

// CONV-02
TEST(FakeConverter, MetaTensorIsConvertedToDeviceAsked) {
  FakeMode mode;
  const Tensor x = real("f32[2,2]@meta");
  const Tensor fake = mode.from_meta(x, cuda(1));
  EXPECT_EQ(to_string(fake.meta()), "f32[2,2]{2,1}+0@cuda:1");
  EXPECT_TRUE(mode.from_meta(x, cuda(1)).is(fake));
  EXPECT_EQ(mode.from_tensor(x).device(), kMeta);
}

// CONV-03
TEST(FakeConverter, OnlyMetaTensorsMayChangeTheirDevice) {
  FakeMode mode;
  const Error e = error_of([&] { mode.from_meta(real("f32[2]"), cuda(0)); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("tensor's device must be `meta`, got cpu instead"));
}

// CONV-12
TEST(FakeConverter, GradientsAndViewBasesAreConvertedToo) {
  FakeMode mode;
  const Tensor base = real("f32[4]"), x = view_of(base, "f32[2]");
  need_autograd_meta(x.impl()).base = base;
  set_grad(x, real("f32[2]{3}"));
  const Tensor fake = mode.from_tensor(x);
  EXPECT_TRUE(autograd_meta(fake.impl())->base.is(mode.from_tensor(base)));
  EXPECT_EQ(to_string(grad(fake).meta()), "f32[2]{3}+0@cpu");
}

// CONV-14
TEST(FakeConverter, WhatIsRefusedLeavesNothingBehind) {
  FakeMode mode;
  TensorMeta broken(DType::F32, DimVec{2, 3});
  broken.strides.pop_back();
  const Tensor x = real("f32[2]");
  need_autograd_meta(x.impl()).base = Tensor(broken, x.storage());
  const Error e = error_of([&] { mode.from_tensor(x); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedFakeTensor);
  EXPECT_THAT(e.message, HasSubstr("rank of sizes and strides must match (2 vs 1)"));
  EXPECT_EQ(mode.tensor_memo_size(), 0u);
  EXPECT_EQ(mode.storage_memo_size(), 0u);
}

TEST(FakeConverter, AnUndefinedTensorIsRefused) {
  FakeMode mode;
  EXPECT_EQ(error_of([&] { mode.from_tensor(Tensor()); }).kind, ErrorKind::UnsupportedFakeTensor);
}

}  // namespace
}  // namespace ersatz
