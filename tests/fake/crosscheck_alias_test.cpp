// Crosscheck of shared bytes, and of changes that a call makes to its arguments.
#include <cstring>

#include "fake/watch/alias_map.h"
#include "fake/watch/input_watch.h"
#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

// BEY-05: for a view shifted by one element, the finding has the argument, the output and the byte ranges.
TEST(CrosscheckAlias, ViewShiftedByElementIsReportedWithBytes) {
  const Report report = check_in_mode("shifted", {ones_f32({4})});
  ASSERT_TRUE(one_finding(report, "xtest.shifted.default", FindingField::Offset));
  EXPECT_EQ(report.findings[0].result, 0);
  EXPECT_EQ(report.findings[0].predicted, "f32[3]{1}+0@cpu ~arg0[0:12)");
  EXPECT_EQ(report.findings[0].observed, "f32[3]{1}+1@cpu ~arg0[4:16)");
}

// BEY-05: the shift is found also if the kernel returns the memory in a new storage, so that the metadata agree.
TEST(CrosscheckAlias, SharedBytesAreComparedThoughTheMetadataAgree) {
  const Report report = check_in_mode("stolen_shifted", {ones_f32({4})});
  ASSERT_TRUE(one_finding(report, "xtest.stolen_shifted.default", FindingField::Alias));
  EXPECT_EQ(report.findings[0].predicted, "is a view of argument 0 at bytes [0,12) with strides {1}");
  EXPECT_EQ(report.findings[0].observed, "is a view of argument 0 at bytes [4,16) with strides {1}");
}

// BEY-05: an output is an input, a view of an input or output at some bytes, or fresh.
TEST(CrosscheckAlias, EveryOutputHasItsPlace) {
  const Tensor a = ones_f32({2, 3}), b = ones_f32({6});
  const Tensor view = make_view(b, meta_of("f32[2,2]{3,1}+1"));
  const Tensor fresh = ones_f32({4}), half = make_view(fresh, meta_of("f32[2]{1}+2"));
  TensorImpl* const arguments[] = {a.impl(), b.impl()};
  const Value results[] = {a, view, fresh, half};
  const AliasMap map = alias_map(arguments, results);
  std::vector<std::string> places;
  for (size_t k = 0; k < map.size(); ++k) places.push_back(to_string(map[k], 2, *results[k].tensor_impl()));
  EXPECT_THAT(places,
              testing::ElementsAre("is argument 0", "is a view of argument 1 at bytes [4,24) with strides {3,1}",
                                   "has its own storage", "is a view of result 2 at bytes [8,16) with strides {1}"));
}

TEST(CrosscheckAlias, TaggedOpMayReturnItsArgument) {
  CrosscheckMode mode;
  {
    ModeGuard guard(mode);
    const Tensor x = ones_f32({2});
    EXPECT_TRUE(call("aten.conj_physical.default", {x})[0].tensor().is(x));
  }
  const Report report = mode.finish();
  EXPECT_THAT(report.findings, testing::IsEmpty());
  EXPECT_EQ(report.results, 1);
  EXPECT_EQ(report.compared, 0) << "nobody outside the rule speaks for it";
}

// BEY-06: an undeclared write names the argument and the first element that differs.
TEST(CrosscheckAlias, AnUndeclaredWriteNamesArgumentAndElement) {
  const Report report = check_in_mode("scribble", {ones_f32({2}), ones_f32({2, 3})});
  ASSERT_TRUE(one_finding(report, "xtest.scribble.default", FindingField::UndeclaredWrite));
  EXPECT_EQ(report.findings[0].observed, "element [1, 2] of argument 1 was written");
}

TEST(CrosscheckAlias, WriteBesideAnArgumentNamesItsByte) {
  const Tensor base = ones_f32({6}), first = make_view(base, meta_of("f32[2]{2}"));
  EXPECT_EQ(byte_place(first.meta(), 9, 1), "element [1]");
  EXPECT_EQ(byte_place(first.meta(), 20, 1), "byte 20 of its storage, beside its elements");
  EXPECT_EQ(byte_place(first.meta(), 65536, 4096), "one of the bytes [65536,69632) of its storage");
  EXPECT_EQ(byte_place(meta_of("f32[2,3]{1,2}"), 4, 1), "element [1, 0]");
}

// BEY-06: a change of an argument's metadata that nothing declares is found.
TEST(CrosscheckAlias, AnArgumentWhoseMetadataChangeIsFound) {
  const Report report = check_in_mode("transposes", {ones_f32({2, 3})});
  ASSERT_TRUE(one_finding(report, "xtest.transposes.default", FindingField::Mutation));
  EXPECT_EQ(report.findings[0].predicted, "argument 0 becomes f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(report.findings[0].observed, "it becomes f32[3,2]{3,1}+0@cpu");
}

// BEY-06: a change of an argument's storage, or of its version, is found.
TEST(CrosscheckAlias, ArgumentGivenAnotherStorageOrVersionIsFound) {
  const Report moved = check_in_mode("moves", {ones_f32({2, 3})});
  ASSERT_FALSE(moved.findings.empty());
  EXPECT_EQ(moved.findings[0].field, FindingField::Mutation);
  EXPECT_EQ(moved.findings[0].observed, "argument 0 is given another storage");
  const Report bumped = check_in_mode("bumps", {ones_f32({2, 3})});
  ASSERT_TRUE(one_finding(bumped, "xtest.bumps.default", FindingField::Mutation));
  EXPECT_EQ(bumped.findings[0].observed, "argument 0 is written");
}

TEST(CrosscheckAlias, LargeInputsAreHashedByBlocks) {
  const Tensor large = make_real_tensor(TensorMeta(DType::U8, DimVec{InputWatch::kMostCopied + 10}));
  std::memset(large.storage()->data(), 0, static_cast<size_t>(InputWatch::kMostCopied + 10));
  CopyBuffers buffers;
  InputWatch watch(buffers);
  watch.watch(large.impl(), 0, true);
  EXPECT_TRUE(watch.find_changes().empty());
  large.storage()->data()[InputWatch::kMostCopied + 3] = std::byte{1};
  const auto changes = watch.find_changes();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].byte, InputWatch::kMostCopied);
  EXPECT_EQ(changes[0].span, 10);
}

}  // namespace
}  // namespace ersatz
