#include "fake/mode/cache_key.h"

#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tests/fake/cache_calls.h"

namespace ersatz {
namespace {

class CacheKeys : public testing::Test {
 protected:
  CacheKey key(std::initializer_list<Value> args) {
    CacheKey k;
    EXPECT_EQ(k.make(op, std::span<const Value>(args.begin(), args.size()), rule_context(), mode.options()), "");
    return k;
  }
  CacheKey key_of(const char* meta) { return key({mode.make(meta_of(meta))}); }
  bool same(const Value& a, const Value& b) { return key({a}) == key({b}); }

  FakeMode mode;
  const OpEntry& op = op_named("aten.relu.default");
};

// CACHE-03: dtype, shape and stride are in the key
TEST_F(CacheKeys, KeysAreEqualForEqualMetadataOnly) {
  EXPECT_EQ(key_of("f32[4,3]"), key_of("f32[4,3]"));
  EXPECT_EQ(key_of("f32[4,3]").hash(), key_of("f32[4,3]").hash());
  EXPECT_FALSE(key_of("f32[4,3]") == key_of("f64[4,3]"));
  EXPECT_FALSE(key_of("f32[4,3]") == key_of("f32[4,2]"));
  EXPECT_FALSE(key_of("f32[4,3]") == key_of("f32[4,3]{1,4}"));
}

// CACHE-04: device, memory format and storage offset are in the key
TEST_F(CacheKeys, DeviceMemoryFormatAndOffsetTellTensorsApart) {
  EXPECT_FALSE(key_of("f32[4,3]@cpu") == key_of("f32[4,3]@cuda:0"));
  EXPECT_FALSE(key_of("f32[4,3]@cuda:0") == key_of("f32[4,3]@cuda:1"));
  EXPECT_FALSE(key_of("f32[1,2,3,4]{24,12,4,1}") == key_of("f32[1,2,3,4]{24,1,8,2}"));
  const Tensor three = mode.make(meta_of("f32[3]"));
  const Tensor tail = call_one("aten.slice.Tensor", {three, 0, 1, Value(), 1});
  const Tensor two = mode.make(meta_of("f32[2]"));
  EXPECT_FALSE(key({tail}) == key({two}));
  const Tensor far = mode.make(meta_of("f32[2]{1}+1"), 12), near = mode.make(meta_of("f32[2]{1}+0"), 12);
  EXPECT_FALSE(key({far}) == key({near}));
}

// CACHE-05: conj, neg, requires_grad and inference are in the key
TEST_F(CacheKeys, EachFlagTellsTensorsApart) {
  const auto with = [&](bool TensorMeta::*flag) {
    TensorMeta meta = meta_of("c64[2]");
    meta.*flag = true;
    return key({mode.make(meta)});
  };
  const CacheKey plain = key_of("c64[2]");
  bool TensorMeta::*const flags[] = {&TensorMeta::conj, &TensorMeta::neg, &TensorMeta::requires_grad,
                                     &TensorMeta::inference, &TensorMeta::wrapped_number};
  for (auto a : flags) {
    EXPECT_FALSE(with(a) == plain);
    for (auto b : flags) EXPECT_EQ(with(a) == with(b), a == b);
  }
}

// CACHE-06: the key has the kind of a number and the nesting of a list
TEST_F(CacheKeys, NumbersKeepTheirKind) {
  EXPECT_TRUE(same(1.0, 1.0));
  EXPECT_FALSE(same(1.0, 1));
  EXPECT_FALSE(same(0.0, 0));
  EXPECT_FALSE(same(1, true));
  EXPECT_FALSE(same(0, false));
  EXPECT_FALSE(same(1.0, true));
  EXPECT_FALSE(same(1.0, std::complex<double>(1.0)));
  EXPECT_FALSE(same(std::complex<double>(1, 2), std::complex<double>(2, 1)));
  EXPECT_FALSE(same(Value(), 0));
  EXPECT_FALSE(same("tanh", "none"));
  EXPECT_FALSE(same(std::string_view("a\0", 2), std::string_view("a")));
  EXPECT_FALSE(same(DType::F32, DType::F64));
  EXPECT_FALSE(same(kCPU, cuda(0)));
  EXPECT_FALSE(same(MemoryFormat::ChannelsLast, MemoryFormat::Preserve));
}

// CACHE-06
TEST_F(CacheKeys, ListsAreComparedByItemsAndNesting) {
  const auto list = [](std::vector<Value> items) { return Value::list(items); };
  EXPECT_TRUE(same(list({1, 2.0}), list({1, 2.0})));
  EXPECT_FALSE(same(list({1, 2.0}), list({1.0, 2.0})));
  EXPECT_FALSE(same(list({list({1.0}), 2.0}), list({1.0, list({2.0})})));
  EXPECT_FALSE(same(Value::int_list(std::vector<int64_t>{1, 2}), Value::int_list(std::vector<int64_t>{1, 2, 3})));
  const Value one = list({1}), two = list({2});
  EXPECT_FALSE(key({one, 2}) == key({list({1, 2})}));
}

// CACHE-07, BEY-24: the key has every setting that a rule may read
TEST_F(CacheKeys, OpAndEverySwitchAreInTheKey) {
  const Tensor x = mode.make(meta_of("f32[2]"));
  const Value args[] = {x};
  const auto under = [&](auto change) {
    RuleContext context;
    change(context);
    CacheKey k;
    EXPECT_EQ(k.make(op, args, context, mode.options()), "");
    return k;
  };
  using C = RuleContext&;
  const std::vector<CacheKey> keys{
      under([](C) {}),
      under([](C c) { c.default_dtype = DType::F64; }),
      under([](C c) { c.default_device = cuda(0); }),
      under([](C c) { c.grad_mode = false; }),
      under([](C c) { c.inference_mode = true; }),
      under([](C c) { c.deterministic = true; }),
      under([](C c) { c.allow_tf32 = true; }),
      under([](C c) { c.autocast = 2; }),
      under([](C c) { c.autocast_dtype_cpu = DType::F16; }),
      under([](C c) { c.autocast_dtype_cuda = DType::BF16; }),
      under([](C c) { c.backend.cuda_capability = 90; }),
      under([](C c) { c.backend.cublas_version = 90; }),
      under([](C c) { c.backend.cudnn_version = 90; }),
      under([](C c) {
        c.torch = {2, 11};
      }),
      under([](C c) {
        c.torch = {11, 2};
      }),
  };
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t j = 0; j < keys.size(); ++j) EXPECT_EQ(keys[i] == keys[j], i == j) << i << " and " << j;
  }
  CacheKey other;
  EXPECT_EQ(other.make(op_named("aten.abs.default"), args, RuleContext(), mode.options()), "");
  EXPECT_FALSE(other == keys[0]);
}

// BEY-24: the permission to fall back is in the key
TEST_F(CacheKeys, FallbackPolicyIsInTheKey) {
  const Tensor x = mode.make(meta_of("f32[2]"));
  const Value args[] = {x};
  const auto under = [&](auto change) {
    FakeOptions options;
    change(options);
    CacheKey k;
    EXPECT_EQ(k.make(test_op("opaque"), args, RuleContext(), options), "");
    return k;
  };
  const CacheKey plain = under([](FakeOptions&) {});
  EXPECT_FALSE(plain == under([](FakeOptions& o) { o.fallback = FallbackPolicy::Zeros; }));
  EXPECT_FALSE(plain == under([](FakeOptions& o) { o.fallback = FallbackPolicy::Refuse; }));
  EXPECT_FALSE(plain == under([](FakeOptions& o) { o.fill = Fill::Ones; }));
}

// BEY-24: sharing among arguments is in the key
TEST_F(CacheKeys, SharedObjectsAndStoragesChangeTheKey) {
  const Tensor a = mode.make(meta_of("f32[4]")), b = mode.make(meta_of("f32[4]"));
  const Tensor view = mode.make_on(a.storage(), a.meta());
  EXPECT_FALSE(key({a, a}) == key({a, b}));
  EXPECT_FALSE(key({a, view}) == key({a, b}));
  EXPECT_FALSE(key({a, view}) == key({a, a}));
  EXPECT_EQ(key({a, b}), key({b, a}));
  EXPECT_FALSE(key({a, b, b}) == key({a, b, a}));
}

TEST_F(CacheKeys, AliasingIsSeenAmongManyTensorsToo) {
  std::vector<Value> items;
  for (int i = 0; i < 40; ++i) items.emplace_back(mode.make(meta_of("f32[4]")));
  std::vector<Value> other = items;
  const Value apart = Value::list(items);
  const CacheKey before = key({apart});
  other[39] = other[3];
  EXPECT_FALSE(before == key({Value::list(other)}));
  const CacheKey with_3 = key({Value::list(other)});
  other[39] = other[20];
  EXPECT_FALSE(with_3 == key({Value::list(other)}));
}

TEST_F(CacheKeys, TheSizeOfTheStorageTellsTensorsApart) {
  EXPECT_FALSE(key({mode.make(meta_of("f32[4]"))}) == key({mode.make(meta_of("f32[4]"), 32)}));
}

TEST_F(CacheKeys, ACallOfThousandsOfTensorsHasNone) {
  const std::vector<Value> items(1000, Value(mode.make(meta_of("f32[4]"))));
  const Value args[] = {Value::list(items)};
  CacheKey k;
  EXPECT_EQ(k.make(op, args, rule_context(), mode.options()), "too many arguments");
}

}  // namespace
}  // namespace ersatz
