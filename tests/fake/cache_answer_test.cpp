// A cache hit returns the objects, storages, offsets and versions that the first call returned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fake/cache_calls.h"

namespace ersatz {
namespace {

Value ints(std::initializer_list<int64_t> v) { return Value::int_list(std::vector<int64_t>(v)); }

// CACHE-12
TEST(CacheAnswer, AnInPlaceOpAnswersTheSameObject) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[4,3]")), y = mode.make(meta_of("f32[4,3]"));
  EXPECT_TRUE(call_one("aten.add_.Tensor", {x, y}).is(x));
  EXPECT_EQ(counts(mode), Counts(0, 1));
  EXPECT_EQ(x.version(), 1u);
  EXPECT_TRUE(call_one("aten.add_.Tensor", {x, y}).is(x));
  EXPECT_EQ(counts(mode), Counts(1, 1));
  EXPECT_EQ(x.version(), 2u);
}

// CACHE-13: a cached in-place call returns a view of `base` if its argument is a view, and otherwise a tensor with own
// storage
TEST(CacheAnswer, InPlaceOpOnViewAndNonViewDiffer) {
  for (const bool view_first : {false, true}) {
    FakeMode mode = caching_mode();
    const Tensor base = mode.make(meta_of("f32[4]")), y = mode.make(meta_of("f32[4]"));
    const Tensor view = call_one("aten.alias.default", {base}), plain = mode.make(meta_of("f32[4]"));
    for (const Tensor& x : {view_first ? view : plain, view_first ? plain : view}) {
      const Tensor result = call_one("aten.add_.Tensor", {x, y});
      EXPECT_TRUE(result.is(x));
      EXPECT_EQ(result.shares_storage(base), x.is(view));
    }
    EXPECT_EQ(base.version(), 1u);
    EXPECT_EQ(plain.version(), 1u);
  }
}

// CACHE-14, BEY-24: a cached view shares the storage of the argument of its own call
TEST(CacheAnswer, ViewSharesStorageOfItsOwnArgument) {
  FakeMode mode = caching_mode();
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor x = mode.make(meta_of("f32[6,4]"));
    const Tensor y = call_one("aten.slice.Tensor", {x, 0, 2, 6, 2});
    EXPECT_EQ(counts(mode), Counts(hit, 1));
    EXPECT_EQ(spelled(y), "f32[2,4]{8,1}+8@cpu");
    EXPECT_TRUE(y.shares_storage(x));
  }
}

// CACHE-14, BEY-24: a view is made of the argument that was recorded, not of the first argument
TEST(CacheAnswer, AViewOfALaterArgumentStaysThat) {
  FakeMode mode = caching_mode();
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor a = mode.make(meta_of("f32[2]")), b = mode.make(meta_of("f32[2]"));
    const Tensor y = call_test_op("second", {a, b});
    EXPECT_EQ(counts(mode), Counts(hit, 1));
    EXPECT_TRUE(y.shares_storage(b));
    EXPECT_FALSE(y.shares_storage(a));
  }
}

// CACHE-14: a hit returns the conj and neg bits, and storages of zero bytes, of the first call
TEST(CacheAnswer, FlagsAndEmptyStoragesComeBack) {
  FakeMode mode = caching_mode();
  for (int hit = 0; hit < 2; ++hit) {
    TensorMeta meta = meta_of("c64[0,3]");
    meta.conj = meta.neg = true;
    const Tensor x = mode.make(meta);
    const Tensor y = call_one("aten.alias.default", {x});
    const Tensor z = call_one("aten.add.Tensor", {mode.make(meta_of("c64[0,3]")), 1});
    EXPECT_EQ(counts(mode), Counts(2 * hit, 2));
    EXPECT_TRUE(y.meta().conj && y.meta().neg);
    EXPECT_EQ(z.storage()->nbytes().as_int(), 0);
  }
}

// CACHE-14: a hit returns a new output with the first output's offset into its storage
TEST(CacheAnswer, AFreshOutputKeepsItsOffset) {
  FakeMode mode = caching_mode();
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor y = call_test_op("shifted", {mode.make(meta_of("f32[4]"))});
    EXPECT_EQ(counts(mode), Counts(hit, 1));
    EXPECT_EQ(spelled(y), "f32[4]{1}+3@cpu");
    EXPECT_EQ(y.storage()->nbytes().as_int(), 28);
  }
}

// BEY-24: a hit returns views without elements, and results of as_strided, on the storage of the argument
TEST(CacheAnswer, ZeroElementViewsKeepTheirStorage) {
  FakeMode mode = caching_mode();
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor x = mode.make(meta_of("f32[4]")), empty = mode.make(meta_of("f32[0]"));
    EXPECT_TRUE(call_one("aten.as_strided.default", {x, ints({0, 2}), ints({1, 1}), 3}).shares_storage(x));
    EXPECT_TRUE(call_one("aten.slice.Tensor", {x, 0, 2, 2, 1}).shares_storage(x));
    EXPECT_TRUE(call_one("aten.view.default", {empty, ints({0, 5})}).shares_storage(empty));
    EXPECT_EQ(counts(mode), Counts(3 * hit, 3));
  }
}

// BEY-24: a call with one tensor twice and a call with two tensors have different keys
TEST(CacheAnswer, CallRefusedForAliasingGetsNoOthersAnswer) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[4]"));
  const Tensor part = mode.make_on(x.storage(), meta_of("f32[3]{1}+1")),
               to = mode.make_on(x.storage(), meta_of("f32[3]"));
  const Tensor other = mode.make(meta_of("f32[3]{1}+1"), 16), into = mode.make(meta_of("f32[3]"), 16);
  call_one("aten.add_.Tensor", {into, other});
  EXPECT_THAT(error_of([&] { call_one("aten.add_.Tensor", {to, part}); }).message, testing::HasSubstr("memory"));
}

// BEY-25: the cache stores several results, lists, numbers and none
TEST(CacheAnswer, TuplesListsNumbersAndNoneAreRemembered) {
  FakeMode mode = caching_mode();
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor x = mode.make(meta_of("f32[4,6]"));
    const Values three = call("aten.native_layer_norm.default", {x, ints({6}), Value(), Value(), 1e-5});
    ASSERT_EQ(three.size(), 3u);
    EXPECT_EQ(spelled(three[0].tensor()), "f32[4,6]{6,1}+0@cpu");
    EXPECT_EQ(spelled(three[2].tensor()), "f32[4,1]{1,1}+0@cpu");
    const Values list = call("aten.split.Tensor", {x, 4, 1});
    ASSERT_EQ(list.size(), 1u);
    ASSERT_EQ(list[0].as_list().size(), 2u);
    EXPECT_EQ(spelled(list[0].as_list()[1].tensor()), "f32[4,2]{6,1}+4@cpu");
    EXPECT_TRUE(list[0].as_list()[1].tensor().shares_storage(x));
    const Values mixed = call(test_op("mixed"), std::vector<Value>{x});
    ASSERT_EQ(mixed.size(), 3u);
    EXPECT_EQ(mixed[0], Value(24));
    EXPECT_TRUE(mixed[1].is_none());
    EXPECT_TRUE(mixed[2].tensor().is(x));
    EXPECT_EQ(counts(mode), Counts(3 * hit, 3));
  }
}

// BEY-24: a cache entry also lists writes that the schema does not mark
TEST(CacheAnswer, RunningStatisticsAreWrittenOnAHitToo) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[2,3,4,4]")), mean = mode.make(meta_of("f32[3]"));
  const Tensor var = mode.make(meta_of("f32[3]"));
  for (uint32_t call_number = 1; call_number <= 2; ++call_number) {
    call("aten.native_batch_norm.default", {x, Value(), Value(), mean, var, true, 0.1, 1e-5});
    EXPECT_EQ(mean.version(), call_number);
    EXPECT_EQ(var.version(), call_number);
    EXPECT_EQ(x.version(), 0u);
  }
  EXPECT_EQ(counts(mode), Counts(1, 1));
}

// CONST rows with a cache: after a hit that writes a known value, the value is unknown, as after a miss
TEST(CacheAnswer, InPlaceHitDropsTheWrittenKnownValue) {
  FakeMode mode = caching_mode();
  const Tensor y = mode.make(meta_of("f32[]"));
  for (int i = 0; i < 2; ++i) {
    const Tensor known = mode.from_constant(tensor_of<float>({3}, {}));
    const Tensor view = mode.make_on(known.storage(), known.meta());
    call_one("aten.add_.Tensor", {view, y});
    EXPECT_FALSE(known_value(known));
    EXPECT_EQ(counts(mode), Counts(i, 1));
  }
}

TEST(CacheAnswer, OutArgumentIsResizedOnHitToo) {
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[4,3]"));
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor out = mode.make(meta_of("f32[0]"));
    const std::pair<std::string, Value> keywords[] = {{"out", Value(out)}};
    const Value args[] = {x, x};
    EXPECT_TRUE(call(op_named("aten.add.out"), args, keywords)[0].tensor().is(out));
    EXPECT_EQ(spelled(out), "f32[4,3]{3,1}+0@cpu");
    EXPECT_EQ(out.storage()->nbytes().as_int(), 48);
    EXPECT_EQ(counts(mode), Counts(hit, 1));
  }
}

}  // namespace
}  // namespace ersatz
