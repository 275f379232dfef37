#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tests/fake/cache_calls.h"

namespace ersatz {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Tensor add(const Tensor& x, const Value& y) { return call_one("aten.add.Tensor", {x, y}); }

// CACHE-01
TEST(Cache, TheFirstCallMissesAndTheSecondHits) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[4,3]")), y = mode.make(meta_of("f32[4,3]"));
  mode.cache_clear();
  EXPECT_EQ(counts(mode), Counts(0, 0));
  const Tensor first = add(x, y);
  EXPECT_EQ(counts(mode), Counts(0, 1));
  const Tensor second = add(x, y);
  EXPECT_EQ(counts(mode), Counts(1, 1));
  EXPECT_EQ(first.meta(), second.meta());
  EXPECT_EQ(spelled(second), "f32[4,3]{3,1}+0@cpu");
  EXPECT_TRUE(mode.owns(second));
  EXPECT_FALSE(second.shares_storage(first));
  EXPECT_EQ(second.storage()->nbytes().as_int(), 48);
}

// CACHE-02
TEST(Cache, InfoIsASnapshotAndClearingZeroesIt) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[2,3]"));
  add(x, x);
  const CacheInfo before = mode.cache_info();
  add(x, x);
  call_one("aten.unsqueeze_.default", {x, 0});
  EXPECT_EQ(before.hits, 0u);
  EXPECT_THAT(before.bypasses, IsEmpty());
  const CacheInfo after = mode.cache_info();
  EXPECT_EQ(after.hits, 1u);
  EXPECT_EQ(after.misses, 1u);
  EXPECT_EQ(after.size, 1u);
  EXPECT_THAT(after.bypasses, SizeIs(1));
  mode.cache_clear();
  const CacheInfo cleared = mode.cache_info();
  EXPECT_EQ(cleared.hits, 0u);
  EXPECT_EQ(cleared.misses, 0u);
  EXPECT_EQ(cleared.size, 0u);
  EXPECT_THAT(cleared.bypasses, IsEmpty());
}

// CACHE-09
TEST(Cache, AnotherDefaultDtypeIsAnotherCall) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("i32[2]"));
  EXPECT_EQ(add(x, 1.0).dtype(), DType::F32);
  EXPECT_EQ(counts(mode), Counts(0, 1));
  {
    ContextGuard half([](RuleContext& c) { c.default_dtype = DType::F16; });
    EXPECT_EQ(add(x, 1.0).dtype(), DType::F16);
    EXPECT_EQ(counts(mode), Counts(0, 2));
  }
  EXPECT_EQ(add(x, 1.0).dtype(), DType::F32);
  EXPECT_EQ(counts(mode), Counts(1, 2));
}

// CACHE-10
TEST(Cache, AnotherDefaultDeviceIsAnotherCall) {
  FakeMode mode = caching_mode();
  FakeScope scope(mode);
  const auto make = [] { return call_one("aten.zeros.default", {Value::int_list(std::vector<int64_t>{2})}).device(); };
  EXPECT_EQ(make(), kCPU);
  EXPECT_EQ(counts(mode), Counts(0, 1));
  {
    ContextGuard on_cuda([](RuleContext& c) { c.default_device = cuda(0); });
    EXPECT_EQ(make(), cuda(0));
    EXPECT_EQ(counts(mode), Counts(0, 2));
  }
  EXPECT_EQ(make(), kCPU);
  EXPECT_EQ(counts(mode), Counts(1, 2));
}

// CACHE-11
TEST(Cache, CallsInAndOutsideInferenceModeAreApart) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[2]"));
  const auto inside = [&] {
    ContextGuard inference([](RuleContext& c) { c.inference_mode = true; });
    return add(x, x);
  };
  const Tensor out = add(x, x), in = inside();
  EXPECT_EQ(counts(mode), Counts(0, 2));
  EXPECT_FALSE(out.meta().inference);
  EXPECT_TRUE(in.meta().inference);
  EXPECT_EQ(add(x, x).meta(), out.meta());
  EXPECT_EQ(counts(mode), Counts(1, 2));
  EXPECT_EQ(inside().meta(), in.meta());
  EXPECT_EQ(counts(mode), Counts(2, 2));
}

// CACHE-23
TEST(Cache, RaisingCallIsNotRememberedAndRaisesAgain) {
  FakeMode mode = caching_mode(), other = caching_mode(), without;
  const auto message = [](const FakeMode& m) {
    const Tensor x = m.make(meta_of("f32[2]")), y = m.make(meta_of("f32[3]"));
    return error_of([&] { add(x, y); }).message;
  };
  const std::string first = message(mode);
  EXPECT_THAT(first, testing::HasSubstr("add: "));
  EXPECT_EQ(message(mode), first);
  EXPECT_EQ(counts(mode), Counts(0, 0));
  EXPECT_EQ(mode.cache_info().size, 0u);
  // BEY-23: the error of a call has one message, with and without a cache
  EXPECT_EQ(message(other), first);
  EXPECT_EQ(message(without), first);
}

// CACHE-25, BEY-26: the cache is off where it does not save time
TEST(Cache, WithoutItResultsAreEqualAndUncounted) {
  FakeOptions off, real;
  off.cache = CachePolicy::Never;
  real.cache = CachePolicy::Always;
  real.propagate_real = true;
  for (const FakeMode& mode : {FakeMode(off), FakeMode(real), FakeMode()}) {
    const Tensor x = mode.make(meta_of("f32[4,3]{1,4}"));
    EXPECT_EQ(spelled(add(x, x)), "f32[4,3]{1,4}+0@cpu");
    EXPECT_EQ(spelled(add(x, x)), "f32[4,3]{1,4}+0@cpu");
    EXPECT_EQ(counts(mode), Counts(0, 0));
    EXPECT_EQ(mode.cache_info().size, 0u);
  }
}

// BEY-23: each mode has its own cache
TEST(Cache, ModesRememberApart) {
  FakeMode a = caching_mode(), b = caching_mode();
  const Tensor x = a.make(meta_of("f32[2]")), y = b.make(meta_of("f32[2]"));
  add(x, x);
  add(y, y);
  EXPECT_EQ(counts(a), Counts(0, 1));
  EXPECT_EQ(counts(b), Counts(0, 1));
}

// BEY-23: a full cache drops the least recently used entry
TEST(Cache, TheEntryUsedLongestAgoMakesRoom) {
  FakeOptions options;
  options.cache_entries = 2;
  FakeMode mode = caching_mode(options);
  const Tensor a = mode.make(meta_of("f32[1]")), b = mode.make(meta_of("f32[2]")), c = mode.make(meta_of("f32[3]"));
  add(a, a);
  add(b, b);
  add(a, a);
  add(c, c);  // drops the entry of b
  EXPECT_EQ(counts(mode), Counts(1, 3));
  EXPECT_EQ(mode.cache_info().size, 2u);
  add(a, a);
  EXPECT_EQ(counts(mode), Counts(2, 3));
  add(b, b);
  EXPECT_EQ(counts(mode), Counts(2, 4));
}

// BEY-23: users can list the entries
TEST(Cache, EntriesTellTheirOpAnswerAndHits) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[2,3]"));
  call_one("aten.t.default", {x});
  add(x, x);
  add(x, x);
  const auto entries = mode.cache_entries();
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0].op, "aten.add.Tensor");
  EXPECT_EQ(entries[0].answer, "[f32[2,3]{3,1}+0@cpu]");
  EXPECT_EQ(entries[0].hits, 1u);
  EXPECT_EQ(entries[1].op, "aten.t.default");
  EXPECT_EQ(entries[1].answer, "[f32[3,2]{1,3}+0@cpu ~in0]");
  EXPECT_EQ(entries[1].hits, 0u);
}

TEST(Cache, NoEntryKeepsTensorOrStorageAlive) {
  FakeMode mode = caching_mode();
  WeakRef<TensorImpl> tensor;
  WeakRef<Storage> storage;
  {
    const Tensor x = mode.make(meta_of("f32[2]"));
    const Tensor y = call_one("aten.view.default", {x, Value::int_list(std::vector<int64_t>{2, 1})});
    tensor = WeakRef<TensorImpl>(x.ref());
    storage = WeakRef<Storage>(y.storage());
  }
  EXPECT_EQ(mode.cache_info().size, 1u);
  EXPECT_TRUE(tensor.expired());
  EXPECT_TRUE(storage.expired());
}

}  // namespace
}  // namespace ersatz
