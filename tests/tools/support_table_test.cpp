// Tables that `ersatz ops --markdown` reads.
#include "tools/report/support_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "runtime/op/registry.h"

namespace ersatz::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

template <class F>
std::string refusal(const F& parse) {
  try {
    parse();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "not refused";
}

TEST(VerifiedKernels, AreListedWithTheirCards) {
  EXPECT_THAT(parse_verified_csv("op,card,driver,date\n"
                                 "aten.mm.default,L4,550.54,2026-11-20\n"
                                 "\n"
                                 "aten.add.Tensor,H200,570.86,2026-11-21\n",
                                 "v.csv"),
              ElementsAre(Pair("aten.add.Tensor", "H200"), Pair("aten.mm.default", "L4")));
}

TEST(VerifiedKernels, RowOfWrongCellCountIsRefused) {
  for (const std::string row : {"aten.mm.default,L4,550.54", "aten.mm.default,L4,550.54,2026-11-20,more", ",L4,1,2"}) {
    EXPECT_EQ(refusal([&] { parse_verified_csv("op,card,driver,date\n\n" + row + "\n", "v.csv"); }),
              "v.csv:3: a row is op,card,driver,date: '" + row + "'");
  }
}

TEST(KernelsOfPtx, AreListedOneARow) {
  EXPECT_THAT(parse_ptx_csv("op\naten.mm.default\n\naten.add.Tensor\n", "p.csv"),
              ElementsAre("aten.add.Tensor", "aten.mm.default"));
  EXPECT_EQ(refusal([&] { parse_ptx_csv("op\naten.mm.default,L4\n", "p.csv"); }),
            "p.csv:2: a row is op: 'aten.mm.default,L4'");
}

CudaSupport support(std::map<std::string, std::string> verified, std::set<std::string> ptx) {
  return {true, "", std::move(verified), std::move(ptx)};
}

std::string cuda_state(const CudaSupport& cuda) {
  const OpEntry* const op = registry().find("aten.add.Tensor");
  return support_report({&op, 1}, cuda, false).data["ops"][0]["cuda"];
}

TEST(KernelsOfPtx, AreBetweenUnverifiedAndVerified) {
  EXPECT_EQ(cuda_state(support({}, {})), "unverified");
  EXPECT_EQ(cuda_state(support({}, {"aten.add.Tensor"})), "runs as PTX");
  EXPECT_EQ(cuda_state(support({{"aten.add.Tensor", "L4"}}, {"aten.add.Tensor"})), "verified");
}

TEST(RecordTable, HoldsWhatBecameOfEachOverload) {
  const RecordedOps counts = parse_records_csv(
      "op,records,passed,failed,waived,missing,skipped,values\n"
      "aten.mm.default,8,7,6,5,4,3,2\n",
      "r.csv");
  ASSERT_EQ(counts.size(), 1u);
  const OpRecords& mm = counts.at("aten.mm.default");
  EXPECT_EQ(mm.records, 8);
  EXPECT_EQ(mm.passed, 7);
  EXPECT_EQ(mm.failed, 6);
  EXPECT_EQ(mm.waived, 5);
  EXPECT_EQ(mm.missing, 4);
  EXPECT_EQ(mm.skipped, 3);
  EXPECT_EQ(mm.with_values, 2);
}

TEST(RecordTable, OfARowWithoutANumberIsRefused) {
  for (const std::string row : {"aten.mm.default,8,7,6,5,4,3", "aten.mm.default,x,7,6,5,4,3,2"}) {
    EXPECT_EQ(refusal([&] { parse_records_csv("head\n" + row, "r.csv"); }),
              "r.csv:2: a row is op,records,passed,failed,waived,missing,skipped,values: '" + row + "'");
  }
}

}  // namespace
}  // namespace ersatz::tools
