// The messages of mismatches, for each check, and the options that switch checks off.
#include "runtime/tensor/layout.h"
#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

Tensor x23() { return ones_f32({2, 3}); }

// XCHK-02: the message of a MetadataMismatch names the op and the difference.
TEST(CrosscheckWords, AMismatchSaysWhichOpAndWhatDiffers) {
  EXPECT_EQ(first_mismatch("claims", {x23(), "size"}),
            "When comparing the output of xtest.claims.default on FakeTensor and concrete Tensors, found mismatched "
            "tensor metadata: Shapes [3, 2] and [2, 3] are not equal!");
}

// XCHK-02: if an op has several outputs, the message has the output's number.
TEST(CrosscheckWords, OneOfSeveralOutputsIsNamedByNumber) {
  EXPECT_THAT(first_mismatch("two", {x23(), "dtype"}),
              HasSubstr("found mismatched tensor metadata for output[1]: Dtypes f32 and f64 are not equal!"));
}

// XCHK-03: a different number of results, and a number in place of a tensor, are found.
TEST(CrosscheckWords, CountsAndKindsOfOutputsAreCompared) {
  EXPECT_THAT(first_mismatch("list", {x23(), Value(3), Value(2)}), HasSubstr("mismatch in number of returns: 3 and 2"));
  EXPECT_THAT(first_mismatch("number", {x23()}), HasSubstr("mismatched number of tensor outputs"));
}

// XCHK-04: the message names the check of aliasing, and has the answers of the fake and of the real call.
TEST(CrosscheckWords, AliasingNamesItsCheckAndBothAnswers) {
  EXPECT_THAT(first_mismatch("hangs", {x23(), "fresh", "view"}),
              HasSubstr("mismatch in outputs_alias_inputs check: false and true"));
  EXPECT_THAT(first_mismatch("hangs", {x23(), "same", "view"}),
              HasSubstr("mismatch in outputs_are_inputs check: true and false"));
  EXPECT_THAT(first_mismatch("two", {x23(), "shared"}),
              HasSubstr("mismatch in outputs_alias_each_other check: false and true"));
}

// XCHK-04: each check of aliasing can be switched off.
TEST(CrosscheckWords, ChecksOfAliasingCanBeSwitchedOff) {
  CrosscheckOptions options;
  options.outputs_alias_inputs = false;
  EXPECT_TRUE(passes(check_in_mode("hangs", {x23(), "fresh", "view"}, options)));
  EXPECT_EQ(check_in_mode("hangs", {x23(), "same", "view"}, options).findings.size(), 1u);
  options = {};
  options.outputs_are_inputs = false;
  EXPECT_TRUE(passes(check_in_mode("hangs", {x23(), "same", "view"}, options)));
  EXPECT_EQ(check_in_mode("hangs", {x23(), "fresh", "view"}, options).findings.size(), 1u);
  options = {};
  options.outputs_alias_each_other = false;
  const Report report = check_in_mode("two", {x23(), "shared"}, options);
  EXPECT_TRUE(passes(report));
  EXPECT_THAT(to_string(report.coverage), HasSubstr("not checked: aliases: switched_off 1"));
}

// XCHK-05: requires_grad, with a hint, and the storage offset have their own messages.
TEST(CrosscheckWords, GradientsAndOffsetsHaveWordsOfTheirOwn) {
  const std::string grad = first_mismatch("claims", {x23(), "requires_grad"});
  EXPECT_THAT(grad, HasSubstr("mismatched requires_grad-ness of outputs: true and false"));
  EXPECT_THAT(grad, HasSubstr("autograd was added at the wrong level"));
  EXPECT_THAT(first_mismatch("claims", {x23(), "offset"}),
              HasSubstr("found mismatched storage offset: Storage offset mismatch! Storage offsets are 1 and 0!"));
}

// XCHK-06: each field has its message.
TEST(CrosscheckWords, EveryFieldHasItsWords) {
  const auto words = [](const char* field) { return first_mismatch("claims", {x23(), field}); };
  EXPECT_THAT(words("size"), EndsWith("Shapes [3, 2] and [2, 3] are not equal!"));
  EXPECT_THAT(words("dtype"), EndsWith("Dtypes f64 and f32 are not equal!"));
  EXPECT_THAT(words("device"), EndsWith("Devices cuda:0 and cpu are not equal!"));
  EXPECT_THAT(words("stride"), EndsWith("Stride mismatch! Strides are [1, 2] and [3, 1] (mismatched at 0)!"));
  EXPECT_THAT(words("conj"), EndsWith("Conj mismatch! is_conj is set to true and false"));
  EXPECT_THAT(words("neg"), EndsWith("Neg mismatch! is_neg is set to true and false"));
}

// XCHK-06: findings are in ersatz's order of fields, and `cuda` means `cuda:0`.
TEST(CrosscheckWords, FieldsAreComparedInTheirOrder) {
  const Checked c = check_call(test_op("twice"), {x23()}, eager("f64[2,3]{1,2}+1@cuda"));
  std::vector<FindingField> fields;
  for (const Finding& f : c.report.findings) fields.push_back(f.field);
  EXPECT_THAT(fields, testing::ElementsAre(FindingField::DType, FindingField::Stride, FindingField::Offset,
                                           FindingField::Device));
  EXPECT_EQ(c.report.findings[3].words, "Devices cpu and cuda:0 are not equal!");
}

// XCHK-07: strides of dims of size 1 and of empty tensors do not count.
TEST(CrosscheckWords, StridesCountOnlyWhereTheyPlaceElements) {
  const Report one = check_in_mode("layout", {ones_f32({1, 3}), "odd_size_one"});
  EXPECT_TRUE(one.clean());
  const Report empty = check_in_mode("layout", {ones_f32({2, 0}), "odd_size_one"});
  EXPECT_TRUE(empty.clean());
  EXPECT_EQ(check_in_mode("layout", {x23(), "odd_size_one"}).findings.size(), 1u);
}

// XCHK-07: the check of strides can be switched off.
TEST(CrosscheckWords, TheCheckOfStridesCanBeSwitchedOff) {
  CrosscheckOptions options;
  options.strides = false;
  const Report report = check_in_mode("claims", {x23(), "stride"}, options);
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(to_string(report.coverage), HasSubstr("strides: switched_off 1"));
  EXPECT_EQ(check_in_mode("claims", {x23(), "size"}, options).findings.size(), 1u);
}

// BEY-08: cosmetic differences are counted by verdict; by default only significant differences fail.
TEST(CrosscheckWords, CosmeticDifferencesAreCountedByTheirVerdict) {
  const Report one = check_in_mode("layout", {ones_f32({1, 3}), "odd_size_one"});
  EXPECT_EQ(one.size_one_only, 1);
  EXPECT_EQ(one.empty_tensor, 0);
  EXPECT_EQ(one.cosmetic, 1);
  const Report empty = check_in_mode("layout", {ones_f32({2, 0}), "odd_size_one"});
  EXPECT_EQ(empty.size_one_only, 0);
  EXPECT_EQ(empty.empty_tensor, 1);
  EXPECT_EQ(check_in_mode("layout", {x23(), "odd_size_one"}).findings[0].verdict, "significant");
  CrosscheckOptions strict;
  strict.cosmetic_fails = true;
  const Report failed = check_in_mode("layout", {ones_f32({1, 3}), "odd_size_one"}, strict);
  ASSERT_EQ(failed.findings.size(), 1u);
  EXPECT_EQ(failed.findings[0].verdict, "size-1 only");
  EXPECT_EQ(check_in_mode("layout", {ones_f32({2, 0}), "odd_size_one"}, strict).findings[0].verdict, "empty tensor");
}

// BEY-08: the finding names both memory formats.
TEST(CrosscheckWords, AnotherMemoryFormatIsSaid) {
  const Report report = check_in_mode("layout", {ones_f32({2, 3, 4, 5}), "channels_last"});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].words, EndsWith("Memory formats are contiguous and channels_last."));
  EXPECT_EQ(report.memory_formats, 1);
  EXPECT_EQ(check_in_mode("claims", {x23(), "stride"}).memory_formats, 0);
}

// BEY-10: a layout that is contiguous and channels-last at once is no finding, and the report has the reason.
TEST(CrosscheckWords, AmbiguousLayoutIsNoFindingAndIsExplained) {
  for (const auto& sizes : {std::initializer_list<int64_t>{2, 1, 4, 5}, {2, 3, 1, 1}}) {
    const Report report = check_in_mode("layout", {ones_f32(sizes), "channels_last"});
    EXPECT_TRUE(report.clean());
    ASSERT_EQ(report.ambiguous.size(), 1u);
    EXPECT_THAT(report.ambiguous[0].why, HasSubstr("contiguous and channels_last hold the same elements"));
    EXPECT_EQ(report.ambiguous[0].op, "xtest.layout.default");
  }
  EXPECT_EQ(check_in_mode("layout", {ones_f32({2, 1, 4, 5}), "channels_last"}).ambiguous[0].why,
            "dims 1 have at most one element: contiguous and channels_last hold the same elements in the same places");
  EXPECT_EQ(check_in_mode("layout", {ones_f32({2, 3, 4, 5}), "channels_last"}).ambiguous_layouts, 0);
}

// BEY-11: a layout that only a library decides is shown as unknown.
TEST(CrosscheckWords, UnknownLayoutIsShownAndKernelsAnswerStands) {
  CrosscheckMode mode;
  {
    ModeGuard guard(mode);
    call(crosscheck_op("library"), std::vector<Value>{ones_f32({2, 3, 4, 5}), "channels_last"});
  }
  const Report report = mode.finish();
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(to_string(report.coverage), HasSubstr("strides: unknown_layout"));
  const Checked c = check_call(crosscheck_op("library"), {ones_f32({2, 3, 4, 5}), "channels_last"});
  EXPECT_EQ(to_string(c.outcome.fake[0].tensor().meta()), "f32[2,3,4,5]{60,1,15,3}+0@cpu");
  FakeOptions counting;
  counting.count_sources = true;
  const FakeMode fakes(counting);
  call(crosscheck_op("library"), std::vector<Value>{fakes.make(meta_of("f32[2,3,4,5]")), "channels_last"});
  EXPECT_THAT(to_string(fakes.coverage()), HasSubstr("not checked: strides: unknown_layout 1"));
}

}  // namespace
}  // namespace ersatz
