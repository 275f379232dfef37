// Samples: layouts do not change the values, shared memory stays shared, and bad text is refused.
#include "runtime/op/sample.h"

#include <gtest/gtest.h>

#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

struct TestOp : OpEntry {
  explicit TestOp(std::string_view text, Tags t = {}) {
    schema = parse_schema(text);
    tags = t;
  }
};

float at(const Tensor& t, int64_t i, int64_t j) {
  return t.data<float>()[i * t.stride(0).as_int() + j * t.stride(1).as_int()];
}

TEST(Sample, EveryLayoutHoldsTheSameValues) {
  TestOp op("ns::f(Tensor x) -> Tensor");
  Tensor plain = sample_arguments(op, Sample{"f32[2,3]"})[0].tensor();
  Tensor transposed = sample_arguments(op, Sample{"f32[2,3]"}, {SampleLayout::Permuted})[0].tensor();
  Tensor sliced = sample_arguments(op, Sample{"f32[2,3]"}, {SampleLayout::Sliced})[0].tensor();
  EXPECT_EQ(to_string(transposed.meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(to_string(sliced.meta()), "f32[2,3]{7,2}+1@cpu");
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      EXPECT_EQ(at(transposed, i, j), at(plain, i, j));
      EXPECT_EQ(at(sliced, i, j), at(plain, i, j));
    }
  }
}

TEST(Sample, ExpandsWhatIsNotWritten) {
  TestOp op("ns::f(Tensor(a!) x, Tensor y) -> ()");
  auto args = sample_arguments(op, Sample{"f32[1,2,3], f32[1,2,3]"}, {SampleLayout::Expanded});
  EXPECT_EQ(to_string(args[0].tensor().meta()), "f32[1,2,3]{6,3,1}+0@cpu");
  EXPECT_EQ(to_string(args[1].tensor().meta()), "f32[1,2,3]{6,0,1}+0@cpu");
}

TEST(Sample, ChangesDimZeroOfTheHighestRank) {
  TestOp op("ns::f(Tensor x, Tensor y) -> Tensor", Tag::Pointwise);
  auto args = sample_arguments(op, Sample{"f32[4,3], i64[3]"}, {SampleLayout::SizeZero});
  EXPECT_EQ(to_string(args[0].tensor().meta()), "f32[0,3]{3,1}+0@cpu");
  EXPECT_EQ(to_string(args[1].tensor().meta()), "i64[3]{1}+0@cpu");
}

TEST(Sample, FillsIntegersInclusivelyAndReproducibly) {
  Tensor a = make_sample_tensor(parse_meta("i64[1000]")), b = make_sample_tensor(parse_meta("i64[1000]"));
  fill_random(a, 3, 5, 7);
  fill_random(b, 3, 5, 7);
  int64_t seen[3] = {};
  for (int64_t i = 0; i < 1000; ++i) {
    int64_t v = a.data<int64_t>()[i];
    ASSERT_TRUE(v >= 3 && v <= 5) << v;
    ++seen[v - 3];
    ASSERT_EQ(v, b.data<int64_t>()[i]);
  }
  EXPECT_GT(seen[0], 250);
  EXPECT_GT(seen[1], 250);
  EXPECT_GT(seen[2], 250);
}

TEST(Sample, KeepsUnsignedAndBoolInRange) {
  Tensor a = make_sample_tensor(parse_meta("u8[200]")), b = make_sample_tensor(parse_meta("bool[200]"));
  fill_random(a, -2, 2, 0);
  fill_random(b, -2, 2, 0);
  for (int i = 0; i < 200; ++i) {
    ASSERT_LE(a.data<uint8_t>()[i], 2);
    ASSERT_LE(reinterpret_cast<const uint8_t*>(b.data<bool>())[i], 1);
  }
}

TEST(Sample, GapsHoldBytePatternThatIsNoData) {
  Tensor t = make_sample_tensor(parse_meta("u8[2]{2}+1"));
  fill_random(t, 0, 1, 0);
  const std::byte* bytes = t.storage()->data();
  EXPECT_EQ(std::to_integer<int>(bytes[0]), 0x7f);
  EXPECT_EQ(std::to_integer<int>(bytes[2]), 0x7f);
}

TEST(Sample, SharesStorageWhereTheTextSaysSo) {
  TestOp op("ns::f(Tensor x, Tensor y) -> Tensor");
  auto args = sample_arguments(op, Sample{"f32[4], f32[4]{1}+2@cpu ~in0"}, {SampleLayout::Sliced});
  Tensor x = args[0].tensor(), y = args[1].tensor();
  EXPECT_TRUE(x.shares_storage(y));
  EXPECT_EQ(x.storage()->nbytes().as_int(), 24);
  EXPECT_EQ(to_string(x.meta()), "f32[4]{1}+0@cpu") << "shared tensors are made as written";
}

TEST(Sample, RefusesAStorageThatIsTooSmall) {
  TestOp op("ns::f(Tensor x) -> Tensor");
  EXPECT_THROW(sample_arguments(op, Sample{"f32[4]{1}+0@cpu storage=8B"}), Error);
  EXPECT_THROW(sample_arguments(op, Sample{"f32[4]{1}+0@cpu ~in3"}), Error);
}

TEST(Sample, FillsListsOfTensors) {
  TestOp op("ns::f(Tensor[] xs, int dim=0) -> Tensor");
  auto args = sample_arguments(op, Sample{"[f32[2], f32[3]], dim=-1"});
  ASSERT_EQ(args[0].as_list().size(), 2u);
  EXPECT_NE(args[0].as_list()[0].tensor().data<float>()[0], args[0].as_list()[1].tensor().data<float>()[0]);
  EXPECT_EQ(args[1], Value(-1));
}

}  // namespace
}  // namespace ersatz
