// Replays PyTorch's recorded calls: no overload passes fewer of them than its table requires.
//
// scripts/record_tables writes the table. Run it when more records pass: then the test requires the new number.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/tools/accepted_table.h"
#include "tests/tools/command_line.h"
#include "tools/calls/replay_files.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;

const std::string kSource = ERSATZ_SOURCE_DIR;

std::vector<std::string> records_in(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// For each overload of a table: the number of records that must pass, and how many of these with compared values.
std::map<std::string, std::pair<int64_t, int64_t>> floor_of(const std::string& table) {
  std::map<std::string, std::pair<int64_t, int64_t>> rows;
  std::istringstream lines(read_bytes(table));
  std::string op, records, passed, line;
  std::getline(lines, line);
  EXPECT_EQ(line, "op,records,passed,failed,waived,missing,skipped,values") << table;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::getline(cells, op, ',');
    std::getline(cells, records, ',');
    std::getline(cells, passed, ',');
    rows[op] = {std::stoll(passed), std::stoll(line.substr(line.rfind(',') + 1))};
  }
  EXPECT_FALSE(rows.empty()) << table;
  return rows;
}

void expect_floor(const std::vector<std::string>& files, const std::string& table) {
  ASSERT_FALSE(files.empty());
  CallsOptions options;
  const std::string waivers = kSource + "/docs/data/record_waivers.txt";
  options.waivers = Waivers::parse(read_bytes(waivers), waivers);
  const CallsSummary now = run_calls(files, options);
  EXPECT_LE(100 * now.records.waived, now.records.records - now.records.missing);
  EXPECT_GT(now.report.compared, 0);
  EXPECT_EQ(now.report.compared + now.report.skipped_total(), now.report.results);
  int64_t better = 0;
  for (const auto& [op, floor] : floor_of(table)) {
    const auto found = now.ops.find(op);
    const auto [passed, with_values] = floor;
    const int64_t passes = found == now.ops.end() ? 0 : found->second.passed;
    const int64_t compared = found == now.ops.end() ? 0 : found->second.with_values;
    EXPECT_GE(compared, with_values) << op << ": values of fewer records are compared than " << table << " says";
    EXPECT_GE(passes, passed) << op << ": fewer records pass than " << table << " says; see ersatz crosscheck --only "
                              << op;
    better += passes > passed;
  }
  if (better > 0) std::cout << better << " overloads pass more than " << table << " says: run scripts/record_tables\n";
}

// BEY-34: every result of every recorded call is compared with eager's, also of ops with several results.
TEST(Conformance, CommittedRecordsPassAsOftenAsTableSays) {
  expect_floor(records_in(kSource + "/tests/conformance"), kSource + "/tests/conformance/records.csv");
}

// OPS-01: recorded calls of factories, `like` and `new` constructors and their out= forms agree with eager.
TEST(Conformance, ConstructorsAnswerWhatEagerDid) {
  std::vector<std::string> files;
  for (const char* op :
       {"arange",        "empty",        "empty_like",   "empty_permuted", "empty_strided", "eye",
        "full",          "full_like",    "linspace",     "logspace",       "new_empty",     "new_empty_strided",
        "new_full",      "new_ones",     "new_zeros",    "ones",           "ones_like",     "rand",
        "rand_like",     "randint",      "randint_like", "randn",          "randn_like",    "randperm",
        "scalar_tensor", "tril_indices", "triu_indices", "zeros",          "zeros_like"}) {
    files.push_back(kSource + "/tests/conformance/" + op + ".jsonl");
  }
  const CallsSummary now = run_calls(files, {});
  EXPECT_GT(now.report.compared, 500);
  EXPECT_EQ(now.report.mismatched, 0);
  EXPECT_EQ(now.records.failed, 0);
  EXPECT_EQ(now.records.missing, 0);
}

TEST(Conformance, AllRecordsPassAsOftenAsTableSays) {
  const fs::path folder = fs::path(ERSATZ_DATA) / "conformance" / "aten";
  if (std::string(ERSATZ_DATA).empty() || !fs::is_directory(folder))
    GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded calls";
  expect_floor(records_in(folder), kSource + "/docs/data/records.csv");
}

TEST(Conformance, CommittedGradientsPassAsOftenAsTableSays) {
  expect_floor(records_in(kSource + "/tests/gradients"), kSource + "/tests/gradients/records.csv");
}

TEST(Conformance, AllGradientsPassAsOftenAsTableSays) {
  const fs::path folder = fs::path(ERSATZ_DATA) / "gradients" / "ops";
  if (std::string(ERSATZ_DATA).empty() || !fs::is_directory(folder))
    GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded gradients";
  expect_floor(records_in(folder), kSource + "/docs/data/gradient_records.csv");
}

/// Expects that every difference from a prediction for CUDA has a reason, and that accepted_table.h has the counts of
/// accepted predictions. Returns the waivers that were used.
std::vector<Waiver> expect_predictions_met(const std::vector<std::string>& files, RecordsReplayed records) {
  CallsOptions options;
  options.run = {.device = cuda(), .no_real = true};
  const std::string waivers = kSource + "/docs/data/prediction_waivers.txt";
  options.waivers = Waivers::parse(read_bytes(waivers), waivers);
  const CallsSummary summary = run_calls(files, options);
  EXPECT_GT(summary.report.compared, 1000);
  EXPECT_EQ(summary.bugs, 0);
  EXPECT_EQ(summary.report.mismatched, 0);
  EXPECT_EQ(summary.records.failed, 0);
  for (const CallCause& cause : summary.causes) ADD_FAILURE() << cause.text << ": " << to_string(cause.finding);
  // At most a tenth of the records is contradicted, and at most a hundredth is waived.
  EXPECT_GT(summary.prediction_contradicted, 0);
  EXPECT_LE(10 * summary.prediction_contradicted, summary.records.passed);
  EXPECT_LE(100 * summary.records.waived, summary.records.passed);
  const std::string accepted = kSource + "/docs/data/prediction_accepts.tsv";
  for (const std::string& line :
       differences(parse_accepted_rows(read_bytes(accepted)), summary.prediction_accepts, records)) {
    ADD_FAILURE() << accepted << ": " << line << "; see scripts/prediction_table";
  }
  return summary.report.waivers;
}

TEST(Conformance, CommittedPredictionsForCudaAreMetWithoutGpu) {
  expect_predictions_met(records_in(kSource + "/tests/conformance"), &AcceptedRow::committed);
}

TEST(Conformance, AllCudaPredictionsAreMetWithNeededWaivers) {
  const fs::path folder = fs::path(ERSATZ_DATA) / "conformance" / "aten";
  if (std::string(ERSATZ_DATA).empty() || !fs::is_directory(folder))
    GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded calls";
  for (const Waiver& row : expect_predictions_met(records_in(folder), &AcceptedRow::all))
    EXPECT_FALSE(row.broken()) << to_string(row);
}

}  // namespace
}  // namespace ersatz::tools
