// Recorded calls for which the prediction for CUDA has a result and ersatz raises an error: counts by overload and
// error, compared with a table.
#include "tools/calls/accepted_predictions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "tests/tools/accepted_table.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A record of `select` with an index out of range, for which the prediction has a result. `outcome` is the CPU run's.
std::string select(const std::string& id, const std::string& outcome) {
  return R"({"id":")" + id +
         R"(","op":"aten.select.int","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8},0,5],"kwargs":{},)" + outcome +
         R"(,"cuda_fake":{"out":[{"t":"f32[]{}+0@cuda:0","s":0,"n":8}]}})" + "\n";
}
const std::string kAnswers = R"("out":[{"t":"f32[]{}+0@cpu","s":0,"n":8}])", kRefuses = R"("err":"IndexError")";

CommandResult replay(const std::string& records, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"crosscheck", scratch_file("accepted.jsonl", records), "--device", "cuda",
                                        "--no-real"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

TEST(AcceptedPredictions, AreReportedByOverloadAndRefusal) {
  const nlohmann::json calls =
      replay(select("a", kRefuses) + select("b", kAnswers) + select("c", kAnswers), {"--json"}).json()["calls"];
  EXPECT_EQ(calls["prediction_accepts"], 3);
  const nlohmann::json& rows = calls["prediction_accepts_ops"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["op"], "aten.select.int");
  EXPECT_EQ(rows[0]["run_answers"], false);
  EXPECT_EQ(rows[0]["count"], 1);
  EXPECT_EQ(rows[1]["run_answers"], true);
  EXPECT_EQ(rows[1]["ids"], (nlohmann::json{"b", "c"}));
  EXPECT_EQ(rows[1]["refusal"], "select.C2");
  EXPECT_THAT(rows[1]["words"], HasSubstr("select"));
}

TEST(AcceptedPredictions, TextSaysHowManyOfThemRunAnswers) {
  EXPECT_THAT(replay(select("a", kRefuses) + select("b", kAnswers)).out,
              HasSubstr("prediction_accepts 2, prediction_contradicted 0\n  of those that the prediction accepts and "
                        "ersatz refuses, the recorder's real run answers 1\n"));
}

TEST(AcceptedPredictions, ErrorWithoutLabelIsNamedByItsKind) {
  EXPECT_EQ(refusal_name(Error(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "no")), "NotSupported");
}

const std::string kHeader = "overload\trefusal\tcpu\tcommitted\tall\treason\n";

std::string refusal_of(const std::string& rows) {
  try {
    parse_accepted_rows(kHeader + rows);
  } catch (const Error& e) {
    return e.message;
  }
  return "read";
}

TEST(AcceptedTable, RefusesRowsWithoutAReason) {
  EXPECT_EQ(refusal_of("op\tcat.C1\tanswers\t1\t2\tdata: as many as there are\n"), "read");
  EXPECT_EQ(refusal_of("op\t*\trefuses\t1\t2\trefused there too\n"), "read");
  EXPECT_THAT(refusal_of("op\tcat.C1\tanswers\t1\t2\trefused there too\n"), HasSubstr("line 2: 'refused there too'"));
  EXPECT_THAT(refusal_of("op\tcat.C1\tanswers\t1\t2\t?\n"), HasSubstr("'?' is no reason"));
}

TEST(AcceptedTable, RepeatedRowIsRefused) {
  const std::string row = "op\tcat.C1\tanswers\t1\t2\tdata: so\n";
  EXPECT_THAT(refusal_of(row + row), HasSubstr("line 3: stands in line 2 too"));
}

TEST(AcceptedTable, RefusedRowWithALabelIsRefused) {
  EXPECT_THAT(refusal_of("op\tcat.C1\trefuses\t1\t2\trefused there too\n"), HasSubstr("counted by overload"));
}

TEST(AcceptedTable, ImpossibleCountsAreRefused) {
  EXPECT_THAT(refusal_of("op\tcat.C1\tanswers\t3\t2\tdata: so\n"), HasSubstr("the counts cannot be"));
  EXPECT_THAT(refusal_of("op\tcat.C1\tanswers\t0\t0\tdata: so\n"), HasSubstr("the counts cannot be"));
  EXPECT_THAT(refusal_of("op\tcat.C1\tanswers\tx\t2\tdata: so\n"), HasSubstr("'x' is no count"));
}

TEST(AcceptedTable, UnknownAnswerOfTheCpuIsRefused) {
  EXPECT_THAT(refusal_of("op\tcat.C1\tperhaps\t1\t2\tdata: so\n"), HasSubstr("'perhaps' of the CPU"));
}

TEST(AcceptedTable, RowOfTooFewCellsIsRefused) {
  EXPECT_THAT(refusal_of("op\tcat.C1\tanswers\t1\n"), HasSubstr("4 cells"));
}

AcceptedPredictions counted(int n, bool run_answers = true) {
  AcceptedPredictions run;
  for (int i = 0; i < n; ++i) run.add({"op", "cat.C1", run_answers}, "op/" + std::to_string(i), "no");
  return run;
}

TEST(AcceptedTable, RunIsHeldAgainstCountOfItsRecords) {
  const auto rows = parse_accepted_rows(kHeader + "op\tcat.C1\tanswers\t1\t2\tdata: so\n");
  EXPECT_THAT(differences(rows, counted(1), &AcceptedRow::committed), IsEmpty());
  EXPECT_THAT(differences(rows, counted(2), &AcceptedRow::all), IsEmpty());
  EXPECT_THAT(differences(rows, counted(1), &AcceptedRow::all),
              ElementsAre("op cat.C1 (the CPU answers): 1 calls, the table says 2: op/0: no"));
  EXPECT_THAT(differences(rows, counted(2), &AcceptedRow::committed),
              ElementsAre("op cat.C1 (the CPU answers): 2 calls, the table says 1: op/0 op/1: no"));
}

TEST(AcceptedTable, UnlistedAndUnmetPredictionsDiffer) {
  const auto rows = parse_accepted_rows(kHeader + "op\tcat.C1\tanswers\t0\t2\tdata: so\n");
  EXPECT_THAT(differences(rows, counted(0), &AcceptedRow::committed), IsEmpty());
  EXPECT_THAT(differences(rows, counted(2, false), &AcceptedRow::all),
              ElementsAre("op * (the CPU refuses): 2 calls, the table says 0: op/0 op/1: no",
                          "op cat.C1 (the CPU answers): no call, the table says 2"));
}

TEST(AcceptedTable, RefusalsOnBothDevicesAreCountedByOverload) {
  const auto rows = parse_accepted_rows(kHeader + "op\t*\trefuses\t0\t3\trefused there too\n");
  AcceptedPredictions run = counted(2, false);
  run.add({"op", "cat.C2", false}, "op/9", "no");
  EXPECT_THAT(differences(rows, run, &AcceptedRow::all), IsEmpty());
}

TEST(AcceptedPredictions, CountsOfPiecesAddUpInTheirOrder) {
  AcceptedPredictions all = counted(8);
  all.add(counted(8));
  EXPECT_EQ(all.total(), 16);
  EXPECT_EQ(all.rows().begin()->second.ids.size(), 10u);
  EXPECT_EQ(all.rows().begin()->second.ids[8], "op/0");
}

}  // namespace
}  // namespace ersatz::tools
