// Comparison of rule and kernel in every field (fake/mode/real_comparison.h), and of kernels with their schema.
#include "fake/mode/real_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tests/fake/real_ops.h"

namespace ersatz {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns the error of a call whose kernel is wrong in one field, for an input with metadata `meta`.
Error wrong(std::string_view field, const char* meta = "f32[2,3]") {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(make_real_tensor(meta_of(meta)));
  return error_of([&] { call_real_op("wrong", {x, Value(field)}); });
}

FakeOptions collecting() {
  FakeOptions options = propagating();
  options.collect_mismatches = true;
  return options;
}

// REAL-12
TEST(RealMismatch, NamesBothTensorsTheOutputAndTheOp) {
  const Error e = wrong("dtype");
  EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
  EXPECT_EQ(e.message,
            "wrong: Real tensor propagation found a metadata mismatch between fake tensor f32[2,3]{3,1}+0@cpu and real "
            "tensor f64[2,3]{3,1}+0@cpu, at output[0], for func: realtest.wrong.default (dtype: f32 vs f64)");
}

// REAL-12
TEST(RealMismatch, OfSizesNamesTheDim) {
  EXPECT_EQ(wrong("size").message,
            "wrong: Real tensor propagation found an output size mismatch between fake shape [2, 3] and real shape "
            "[2, 4], at output[0].size(1), for func: realtest.wrong.default (3 vs 4)");
}

// REAL-12
TEST(RealMismatch, OfNumbersShowsBoth) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(ones_f32({1}));
  EXPECT_EQ(error_of([&] { call(real_op("one"), std::vector<Value>{x}); }).message,
            "one: Real tensor propagation found an output value mismatch between fake output value 1 and real output "
            "value 2, at output[0], for func: realtest.one.default");
  EXPECT_THAT(wrong("number").message, HasSubstr("an output value mismatch between fake output value f32[2,3]"));
}

// REAL-12
TEST(RealMismatch, OfAliasesSaysWhoSharesWhat) {
  EXPECT_EQ(wrong("alias").message,
            "wrong: Real tensor propagation found an aliasing mismatch between fake outputs (output[0] has its own "
            "storage) and real outputs (output[0] shares the storage of argument 0), for func: realtest.wrong.default");
  EXPECT_THAT(wrong("stolen").message, HasSubstr("aliasing mismatch"));
}

TEST(RealMismatch, AliasesOfErsatzKernelsResultsAreFoundToo) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(ones_f32({2}));
  const auto entangled = [&](const char* how) {
    return error_of([&] { call(real_op("entangled"), std::vector<Value>{x, Value(how)}); }).message;
  };
  EXPECT_EQ(entangled("storage"),
            "entangled: Real tensor propagation found an aliasing mismatch between fake outputs (output[0] has its own "
            "storage, output[1] has its own storage) and real outputs (output[0] has its own storage, output[1] shares "
            "the storage of result 0), for func: realtest.entangled.default");
  EXPECT_THAT(entangled("object"), HasSubstr("output[1] is result 0"));
}

// REAL-12, BEY-21
TEST(RealMismatch, IsFoundInEveryField) {
  const std::pair<const char*, const char*> fields[] = {
      {"stride", "(stride: [3, 1] vs [1, 2])"}, {"offset", "(offset: 0 vs 1)"},
      {"device", "(device: cpu vs meta)"},      {"conj", "(conj: false vs true)"},
      {"neg", "(neg: false vs true)"},          {"requires_grad", "(requires_grad: false vs true)"}};
  for (const auto& [field, words] : fields) {
    const Error e = wrong(field);
    EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch) << field;
    EXPECT_THAT(e.message, AllOf(HasSubstr("found a metadata mismatch between fake tensor"), HasSubstr(words)));
  }
}

// BEY-20
TEST(RealMismatch, RankComesBeforeSizes) {
  const Error e = wrong("rank");
  EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
  EXPECT_THAT(e.message, HasSubstr("fake tensor f32[2,3]{3,1}+0@cpu and real tensor f32[2,3,4]{12,4,1}+0@cpu"));
  EXPECT_THAT(e.message, HasSubstr("(rank: 2 vs 3)"));
}

// BEY-21: cosmetic differences of strides are no mismatch.
TEST(RealMismatch, StridesThatNoElementCanTellAreNone) {
  EXPECT_EQ(wrong("size-one stride", "f32[1,3]").message, "nothing was raised");
}

TEST(RealMismatch, IsNoneWhereKernelKeepsToItsRule) { EXPECT_EQ(wrong("nothing").message, "nothing was raised"); }

// REAL-12: with collect_mismatches, differences are in the report, and later calls get the kernel's metadata.
TEST(RealMismatch, IsCollectedOnDemandAndFakeAdoptsKernel) {
  FakeMode mode(collecting());
  const Tensor x = mode.from_tensor(ones_f32({2, 3}));
  for (int i = 0; i < 2; ++i) {
    const Tensor y = call_real_op("wrong", {x, Value("stride")});
    EXPECT_EQ(to_string(y.meta()), "f32[2,3]{1,2}+0@cpu");
    EXPECT_EQ(real_value(y).meta(), y.meta());
  }
  const Tensor view = call_real_op("wrong", {x, Value("alias")});
  EXPECT_TRUE(view.shares_storage(x));
  const RealReport report = mode.real_report();
  ASSERT_EQ(report.mismatches.size(), 2u);
  EXPECT_EQ(report.mismatches[0].op, "realtest.wrong.default");
  EXPECT_EQ(report.mismatches[0].count, 2);
  EXPECT_THAT(report.mismatches[1].message, HasSubstr("aliasing mismatch"));
}

TEST(RealMismatch, MemoryUnderAnotherNameIsNotKept) {
  FakeMode mode(collecting());
  const Tensor x = mode.from_tensor(ones_f32({2, 3}));
  EXPECT_FALSE(real_value(call_real_op("wrong", {x, Value("stolen")})));
  EXPECT_THAT(mode.real_report().losses[0].reason, HasSubstr("memory is an argument's"));
}

// REAL-14
TEST(UndeclaredWrite, IsAnErrorThatNamesOpAndArgument) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(ones_f32({2})), weight = mode.from_tensor(ones_f32({3}));
  const Error e = error_of([&] { call_real_op("sneaky", {x, weight}); });
  EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
  EXPECT_THAT(e.message, HasSubstr("argument 1 (`weight`)"));
  EXPECT_THAT(e.message, HasSubstr("specified that the operator does not mutate the argument, but this seems to be "
                                   "empirically wrong"));
  EXPECT_THAT(e.message, HasSubstr("for func: realtest.sneaky.default"));
}

// REAL-14: the user's own tensor is unchanged, although the lazy copy shared its bytes.
TEST(UndeclaredWrite, AdoptedMetadataReachesNoOtherTensor) {
  FakeMode mode(propagating());
  const Tensor original = ones_f32({3});
  const Tensor x = mode.from_tensor(ones_f32({2})), weight = mode.from_tensor(original);
  error_of([&] { call_real_op("sneaky", {x, weight}); });
  EXPECT_THAT(values_of(original), ElementsAre(1, 1, 1));
  EXPECT_FALSE(real_value(weight));
  EXPECT_THAT(values_of(x), ElementsAre(1, 1));
}

// REAL-14
TEST(UndeclaredWrite, IsCollectedOnDemand) {
  FakeMode mode(collecting());
  const Tensor x = mode.from_tensor(ones_f32({2})), weight = mode.from_tensor(ones_f32({3}));
  call_real_op("sneaky", {x, weight});
  ASSERT_EQ(mode.real_report().mismatches.size(), 1u);
  EXPECT_THAT(values_of(weight), ElementsAre(-1, -1, -1));  // an eager run computes this value too
}

// REAL-14
TEST(UndeclaredAlias, OpWithoutRuleIsReportedToo) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(ones_f32({2}));
  const Error e = error_of([&] { call_real_op("hand_back", {x}); });
  EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
  EXPECT_EQ(e.message,
            "hand_back: output[0] shares the storage of argument 0 (`self`): its schema specified that the output does "
            "not alias it, but this seems to be empirically wrong, for func: realtest.hand_back.default");
  EXPECT_TRUE(call_real_op("view_back", {x}).shares_storage(x));
}

}  // namespace
}  // namespace ersatz
