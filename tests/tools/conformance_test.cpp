// Recorded calls of another system, replayed: no overload passes fewer of them than its table says.
//
// The tables are made by tools/record_tables. Whoever makes more records pass writes them anew, so that they stay.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/tools/command_line.h"
#include "tools/calls_run.h"

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

/// Overload -> records that have to pass.
std::map<std::string, int64_t> floor_of(const std::string& table) {
  std::map<std::string, int64_t> rows;
  std::istringstream lines(read_bytes(table));
  std::string op, records, passed, line;
  std::getline(lines, line);
  EXPECT_EQ(line, "op,records,passed,failed,waived,missing,skipped") << table;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::getline(cells, op, ',');
    std::getline(cells, records, ',');
    std::getline(cells, passed, ',');
    rows[op] = std::stoll(passed);
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
  for (const auto& [op, passed] : floor_of(table)) {
    const auto found = now.ops.find(op);
    const int64_t passes = found == now.ops.end() ? 0 : found->second.passed;
    EXPECT_GE(passes, passed) << op << ": fewer records pass than " << table << " says; see ersatz crosscheck --only "
                              << op;
    better += passes > passed;
  }
  if (better > 0) std::cout << better << " overloads pass more than " << table << " says: run tools/record_tables\n";
}

TEST(Conformance, CommittedRecordsPassAsOftenAsTheirTableSays) {
  expect_floor(records_in(kSource + "/tests/conformance"), kSource + "/tests/conformance/records.csv");
}

TEST(Conformance, AllRecordsPassAsOftenAsTheirTableSays) {
  const fs::path folder = fs::path(ERSATZ_DATA) / "conformance" / "aten";
  if (std::string(ERSATZ_DATA).empty() || !fs::is_directory(folder))
    GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded calls";
  expect_floor(records_in(folder), kSource + "/docs/data/records.csv");
}

TEST(Conformance, PredictionsForCudaAreComparedWithoutAGpu) {
  CallsOptions options;
  options.replay = {.no_real = true, .device = cuda()};
  const CallsSummary summary = run_calls(records_in(kSource + "/tests/conformance"), options);
  EXPECT_GT(summary.report.compared, 1000);
  EXPECT_EQ(summary.bugs, 0);
}

}  // namespace
}  // namespace ersatz::tools
