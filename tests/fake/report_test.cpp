#include "fake/crosscheck/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/crosscheck/waiver.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

TEST(Report, ClosingLineCountsSkippedResultsByReason) {
  Report r;
  r.compared = 1284;
  EXPECT_EQ(closing_line(r), "crosscheck: 1284 compared, 0 mismatched, 0 skipped");
  r.skip(SkipReason::Unsupported) = 9;
  r.skip(SkipReason::Random) = 3;
  EXPECT_EQ(closing_line(r), "crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)");
}

TEST(Report, NothingComparedIsNotClean) {
  Report r;
  EXPECT_FALSE(r.clean());
  r.compared = 1;
  EXPECT_TRUE(r.clean());
  r.findings.emplace_back();
  EXPECT_FALSE(r.clean());
}

TEST(Report, ReportsAddUp) {
  Report a, b;
  a.compared = 2;
  b.compared = 3;
  b.skip(SkipReason::Tainted) = 1;
  b.witnesses[static_cast<size_t>(Witness::Record)] = 3;
  b.findings.emplace_back();
  a.add(b);
  EXPECT_EQ(a.compared, 5);
  EXPECT_EQ(a.skipped_total(), 1);
  EXPECT_EQ(a.judged_by(Witness::Record), 3);
  EXPECT_EQ(a.findings.size(), 1u);
}

TEST(Finding, OneLineHasPlaceDifferenceAndWitness) {
  Finding f;
  f.node = "relu_3";
  f.op = "aten.relu.default";
  f.result = 0;
  f.field = FindingField::Stride;
  f.predicted = "f32[2,3]{3,1}+0@cpu";
  f.observed = "f32[2,3]{1,2}+0@cpu";
  f.witness = Witness::Eager;
  f.source = "model.py:12";
  EXPECT_EQ(to_string(f),
            "relu_3 = aten.relu.default, result 0: stride: predicted f32[2,3]{3,1}+0@cpu, eager says "
            "f32[2,3]{1,2}+0@cpu (model.py:12)");
}

TEST(Waivers, RowWaivesItsOpAndFieldAndCounts) {
  Waivers w =
      Waivers::parse("# known\n\ndemo.op.default  stride  the library picks it\r\ndemo.* size never\n", "w.txt");
  ASSERT_EQ(w.rows().size(), 2u);
  EXPECT_EQ(w.rows()[0].reason, "the library picks it");
  EXPECT_TRUE(w.waives("demo.op.default", "stride"));
  EXPECT_FALSE(w.waives("demo.op.default", "size"));
  EXPECT_FALSE(w.waives("demo.other.default", "stride"));
  EXPECT_EQ(w.rows()[0].used, 1);
  ASSERT_EQ(w.broken().size(), 1u);
  EXPECT_EQ(w.broken()[0]->op, "demo.*");
}

TEST(Waivers, WrongRowIsNamedByItsLine) {
  EXPECT_THAT(error_of([] { Waivers::parse("a.b.c stride why\na.b.c strides why\n", "w.txt"); }).message,
              testing::HasSubstr("w.txt:2: 'strides' is no field"));
  EXPECT_THAT(error_of([] { Waivers::parse("a.b.c stride \n", "w.txt"); }).message,
              testing::HasSubstr("w.txt:1: a waiver needs a reason"));
}

}  // namespace
}  // namespace ersatz
