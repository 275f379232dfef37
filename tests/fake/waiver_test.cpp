// Waivers: findings that they hide, expiry, and rows that are not needed.
#include "fake/crosscheck/waiver.h"

#include <fstream>
#include <iterator>

#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::chrono::year_month_day kToday = 2026y / 11 / 21;

CrosscheckOptions waiving(std::string_view rows) {
  CrosscheckOptions options;
  options.waivers = Waivers::parse(rows, "waivers.txt", kToday);
  return options;
}
Report wrong_stride(std::string_view rows) {
  return check_in_mode("claims", {ones_f32({2, 3}), "stride"}, waiving(rows));
}

// BEY-31: a row has op, field, reason and expiry; the report lists applied rows.
TEST(Waiver, AppliedRowHidesItsFindingAndIsListed) {
  const Report report = wrong_stride("xtest.claims.default stride until=2027-01-31 the library picks it\n");
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.waived, 1);
  ASSERT_EQ(report.waivers.size(), 1u);
  EXPECT_EQ(to_string(report.waivers[0]),
            "xtest.claims.default stride until 2027-01-31, used 1 times: the library picks it");
  EXPECT_EQ(state(report.waivers[0]), "applied");
}

// BEY-31: a row that matches nothing fails.
TEST(Waiver, ARowThatMatchesNothingFails) {
  const Report report =
      wrong_stride("xtest.claims.default stride until=never known\nxtest.other.default stride until=never known\n");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.compared, 1);
  EXPECT_FALSE(report.clean());
  EXPECT_EQ(state(report.waivers[1]), "unused");
}

// BEY-31: an expired row fails, and hides nothing.
TEST(Waiver, AnExpiredRowFailsAndHidesNothing) {
  const Report expired = wrong_stride("xtest.claims.default stride until=2026-11-20 soon mended\n");
  EXPECT_EQ(expired.findings.size(), 1u);
  EXPECT_EQ(state(expired.waivers[0]), "expired");
  EXPECT_FALSE(expired.clean());
  EXPECT_TRUE(wrong_stride("xtest.claims.default stride until=2026-11-21 soon mended\n").clean());
}

// BEY-31: the first row of the committed file is about the device of attention's seed and offset.
TEST(Waiver, FirstEntryIsOfAttentionsSeedAndOffset) {
  std::ifstream file(ERSATZ_SOURCE_DIR "/docs/data/prediction_waivers.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Waivers rows = Waivers::parse(text, "prediction_waivers.txt", kToday);
  ASSERT_FALSE(rows.rows().empty());
  const Waiver& first = rows.rows()[0];
  EXPECT_THAT(first.op, HasSubstr("attention"));
  EXPECT_EQ(first.field, "device");
  EXPECT_EQ(first.reason, "seed and offset of efficient attention are on the CPU");
}

// BEY-31
TEST(Waiver, HidesFieldThatItNamesAndNoOther) {
  Waivers rows = Waivers::parse(
      "# known differences\n"
      "aten._scaled_dot_product_flash_attention.default device until=never seed and offset live on the cpu\n",
      "waivers.txt", kToday);
  Finding f;
  f.op = "aten._scaled_dot_product_flash_attention.default";
  f.field = FindingField::Device;
  f.result = 6;
  EXPECT_TRUE(rows.waives(f));
  f.field = FindingField::Stride;
  EXPECT_FALSE(rows.waives(f));
}

TEST(Waiver, RowsWithoutADateNeverExpire) {
  const Waivers rows = Waivers::parse("a.b.c stride known for long\n", "w", kToday);
  EXPECT_EQ(until_text(rows.rows()[0]), "never");
  EXPECT_EQ(rows.rows()[0].reason, "known for long");
}

TEST(Waiver, ARowMayBeAboutOneRecordedCall) {
  const std::string line = R"({"id":"foo/1"})";
  EXPECT_EQ(record_checksum(line), record_checksum(line + "\r\n"));
  EXPECT_NE(record_checksum(line), record_checksum(line + " "));
  Waivers rows = Waivers::parse(fmt::format("foo/1 stride until=never record={:016x} why\n", record_checksum(line)),
                                "w.txt", kToday);
  Finding f;
  f.node = "foo/1";
  f.op = "aten.foo.default";
  f.field = FindingField::Stride;
  EXPECT_FALSE(rows.waives(f));
  EXPECT_FALSE(rows.waives_record(f, record_checksum("another")));
  EXPECT_TRUE(rows.waives_record(f, record_checksum(line)));
  f.node = "foo/2";
  EXPECT_FALSE(rows.waives_record(f, record_checksum(line)));
  EXPECT_THAT(error_of([] { Waivers::parse("a/1 stride record=12xyz why\n", "w.txt", kToday); }).message,
              HasSubstr("w.txt:1: '12xyz' is no checksum"));
}

TEST(Waiver, RowAboutRecordedValuesCoversAKernelsRefusal) {
  Waivers rows = Waivers::parse("foo/1 value record=000000000000002a why\n", "w.txt", kToday);
  Finding f;
  f.node = "foo/1";
  f.field = FindingField::Error;
  f.predicted = "InvalidArgument (runtime): foo: index 7 is out of range [foo.C1]";
  EXPECT_FALSE(rows.waives_record(f, 42));
  f.predicted = "InvalidArgument (runtime): foo: index 7 is out of range [foo.value]";
  EXPECT_TRUE(rows.waives_record(f, 42));
}

TEST(Waiver, KnownRowFailsIfItsCallPasses) {
  Waivers rows;
  rows.append(Waivers::parse("foo/1 value record=1 why\nfoo/2 stride record=2 why\n", "w", kToday), true);
  EXPECT_FALSE(rows.rows()[0].broken());  // the call that the first row names was not checked
  rows.record_passed("foo/1", 1, false);  // no values were compared, so the row may still be needed
  rows.record_passed("foo/2", 3, true);   // another call with the same id
  EXPECT_EQ(rows.broken().size(), 0u);
  rows.record_passed("foo/1", 1, true);
  rows.record_passed("foo/2", 2, false);
  EXPECT_EQ(rows.broken().size(), 2u);
}

TEST(Waiver, ADateThatIsNoneIsRefused) {
  for (const char* date : {"2026-13-01", "2026-02-30", "tomorrow", "2026-1-1", "2026-11-2x"}) {
    const std::string row = fmt::format("a.b.c stride until={} why\n", date);
    EXPECT_THAT(error_of([&] { Waivers::parse(row, "w.txt", kToday); }).message, HasSubstr("w.txt:1: '")) << date;
  }
  EXPECT_THAT(error_of([&] { Waivers::parse("a.b.c stride until=never\n", "w.txt", kToday); }).message,
              HasSubstr("a waiver needs a reason"));
}

}  // namespace
}  // namespace ersatz
