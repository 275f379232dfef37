// The elements of a fallback's synthetic inputs, and the error if a kernel refuses them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fake/fallback_ops.h"

namespace ersatz {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Tensor fake(const FakeMode& mode, const char* meta) { return mode.make(meta_of(meta)); }

std::vector<double> look_at(std::optional<Fill> fill, const char* meta) {
  const FakeMode mode = falling_back(fill);
  call(fallback_op("look"), std::vector<Value>{fake(mode, meta)});
  return seen_input().elements;
}

// FALL-04: each fake is replaced by zeros of its shape, dtype and strides, on its device.
TEST(FallbackFill, FakesAreReplacedByZerosOfTheirMetadata) {
  EXPECT_THAT(look_at(std::nullopt, "f32[2,3]{1,2}"), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(to_string(seen_input().text.meta), "f32[2,3]{1,2}+0@cpu");
  EXPECT_THAT(look_at(std::nullopt, "i16[3]"), ElementsAre(0, 0, 0));
}

// BEY-13: each fill writes its elements.
TEST(FallbackFill, EveryStrategyFillsAsItSays) {
  EXPECT_THAT(look_at(Fill::Ones, "f32[3]"), ElementsAre(1, 1, 1));
  EXPECT_THAT(look_at(Fill::Ramp, "i64[9]"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 0, 1));
  EXPECT_THAT(look_at(Fill::Identity, "f32[2,3]"), ElementsAre(1, 0, 0, 0, 1, 0));
  EXPECT_THAT(look_at(Fill::Identity, "f64[2,2,2]{1,4,2}"), ElementsAre(1, 0, 0, 1, 1, 0, 0, 1));
  EXPECT_THAT(look_at(Fill::Identity, "f32[2]"), ElementsAre(1, 1));
  const std::vector<double> random = look_at(Fill::Random, "f32[64]");
  EXPECT_THAT(random, Each(testing::AllOf(testing::Ge(-1.0), testing::Lt(1.0))));
  EXPECT_NE(random[0], random[1]);
  EXPECT_EQ(random, look_at(Fill::Random, "f32[64]"));
}

// BEY-13: cholesky succeeds with identity matrices; with zeros, the error says that the fill may be the problem.
TEST(FallbackFill, CholeskyTakesIdentitiesAndFailsOnZeros) {
  const FakeMode identity = falling_back(Fill::Identity);
  EXPECT_EQ(to_string(call(fallback_op("cholesky"), std::vector<Value>{fake(identity, "f32[3,3]")})[0].tensor().meta()),
            "f32[3,3]{3,1}+0@cpu");
  const FakeMode zeros = falling_back();
  const Error e = error_of([&] { call(fallback_op("cholesky"), std::vector<Value>{fake(zeros, "f32[3,3]")}); });
  EXPECT_THAT(e.message, HasSubstr("minor 1 is not positive definite"));
  EXPECT_THAT(e.message, HasSubstr("fbtest.cholesky.default, run on made-up inputs, fill zeros"));
  EXPECT_THAT(e.message, HasSubstr("the fill may be the problem, not the call: other fills are ones, ramp, random, "
                                   "identity, sample"));
  EXPECT_EQ(e.suggestion, "another fill: ones, ramp, random, identity, sample");
  EXPECT_THAT(e.arguments, ElementsAre("f32[3,3]{3,1}+0@cpu"));
}

// BEY-13: an index lookup into 10 rows succeeds: the op declares the domain of its indices.
TEST(FallbackFill, DeclaredIndexDomainsHoldWhateverTheFill) {
  for (const Fill fill : {Fill::Zeros, Fill::Ones, Fill::Ramp, Fill::Random, Fill::Identity}) {
    const FakeMode mode = falling_back(fill);
    const std::vector<Value> args{fake(mode, "f32[10,4]"), fake(mode, "i64[32]")};
    EXPECT_EQ(to_string(call(fallback_op("lookup"), args)[0].tensor().meta()), "f32[32,4]{4,1}+0@cpu") << name(fill);
  }
  const FakeMode ramp = falling_back(Fill::Ramp);
  call(fallback_op("lookup"), std::vector<Value>{fake(ramp, "f32[3,4]"), fake(ramp, "i32[5]")});
  EXPECT_THAT(seen_input().elements, ElementsAre(0, 1, 2, 0, 1));
  const FakeMode ones = falling_back(Fill::Ones);
  call(fallback_op("lookup"), std::vector<Value>{fake(ones, "f32[1,4]"), fake(ones, "i64[2]")});
  EXPECT_THAT(seen_input().elements, ElementsAre(0, 0));
}

TEST(FallbackFill, IndexWithoutADomainBlamesTheFill) {
  const FakeMode mode = falling_back(Fill::Ramp);
  const std::vector<Value> args{fake(mode, "f32[3,4]"), fake(mode, "i64[5]")};
  const Error e = error_of([&] { call(fallback_op("lookup_anywhere"), args); });
  EXPECT_EQ(e.family, ErrorFamily::Index);
  EXPECT_THAT(e.message, HasSubstr("index 3 is out of range of 3 rows"));
  EXPECT_THAT(e.message, HasSubstr("other fills are zeros, ones, random, identity, sample"));
}

TEST(FallbackFill, DomainIsListPositionOrNamedDim) {
  const FakeMode mode = falling_back(Fill::Ramp);
  const Tensor self = fake(mode, "f32[2,3]");
  const Value list = Value::list(std::vector<Value>{fake(mode, "i64[4]"), fake(mode, "i64[4]")});
  call(fallback_op("each_dim"), std::vector<Value>{self, list});
  EXPECT_THAT(seen_input().elements, ElementsAre(0, 1, 0, 1, 0, 1, 2, 0));
  call(fallback_op("one_dim"), std::vector<Value>{self, Value(-2), fake(mode, "i64[3]")});
  EXPECT_THAT(seen_input().elements, ElementsAre(0, 1, 0));
}

// BEY-13: the kernel gets the sample that the user gives.
TEST(FallbackFill, AUsersSampleIsWhatTheKernelSees) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fill = Fill::Sample;
  options.fallback_sample = [](const OpEntry& op, size_t argument, const TensorMeta& meta) {
    if (op.name != "fbtest.look.default" || argument != 0 || meta.dtype != DType::F32) return Tensor();
    return tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  };
  const FakeMode mode(options);
  call(fallback_op("look"), std::vector<Value>{fake(mode, "f32[2,3]{1,2}")});
  EXPECT_THAT(seen_input().elements, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(to_string(seen_input().text.meta), "f32[2,3]{1,2}+0@cpu");
  call(fallback_op("look"), std::vector<Value>{fake(mode, "f64[2]")});
  EXPECT_THAT(seen_input().elements, ElementsAre(0, 0));
  const Error e = error_of([&] { call(fallback_op("look"), std::vector<Value>{fake(mode, "f32[7]")}); });
  EXPECT_THAT(e.message, HasSubstr("a sample has to be a real cpu tensor of the argument's dtype and sizes"));
}

TEST(FallbackFill, ASampleOfIndicesIsNotTouched) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fill = Fill::Sample;
  options.fallback_sample = [](const OpEntry&, size_t argument, const TensorMeta&) {
    return argument == 1 ? tensor_of<int64_t>({7, 2}, {2}) : Tensor();
  };
  const FakeMode mode(options);
  call(fallback_op("lookup"), std::vector<Value>{fake(mode, "f32[10,4]"), fake(mode, "i64[2]")});
  EXPECT_THAT(seen_input().elements, ElementsAre(7, 2));
}

TEST(FallbackFill, TheSampleFillNeedsSamples) {
  const FakeMode mode = falling_back(Fill::Sample);
  const Error e = error_of([&] { call(fallback_op("look"), std::vector<Value>{fake(mode, "f32[2]")}); });
  EXPECT_THAT(e.message, HasSubstr("FakeOptions::fallback_sample is empty"));
}

// BEY-14: synthetic inputs have the fakes' strides (also 0 and overlap), offset, storage size, conj and neg bits.
TEST(FallbackFill, StandInsHaveTheLayoutOfTheirFakes) {
  const FakeMode mode = falling_back();
  const auto seen = [&](const char* meta, int64_t storage_bytes) {
    call(fallback_op("look"), std::vector<Value>{mode.make(meta_of(meta), SymInt(storage_bytes))});
    return to_string(seen_input().text);
  };
  EXPECT_EQ(seen("f32[2,3]{0,1}+2", 40), "f32[2,3]{0,1}+2@cpu storage=40B");
  EXPECT_EQ(seen("f32[3,3]{1,1}", 20), "f32[3,3]{1,1}+0@cpu storage=20B");
  EXPECT_EQ(seen("c64[2] conj neg", 16), "c64[2]{1}+0@cpu conj neg storage=16B");
}

}  // namespace
}  // namespace ersatz
