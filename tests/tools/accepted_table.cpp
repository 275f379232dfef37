#include "tests/tools/accepted_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <sstream>

#include "runtime/base/error.h"

namespace ersatz::tools {

namespace {

constexpr size_t kColumns = 6;
constexpr std::string_view kHeader = "overload\trefusal\tcpu\tcommitted\tall\treason";

std::array<std::string, kColumns> cells_of(const std::string& line, int number) {
  std::array<std::string, kColumns> cells;
  std::istringstream in(line);
  size_t n = 0;
  for (std::string cell; std::getline(in, cell, '\t'); ++n) {
    if (n < kColumns) cells[n] = cell;
  }
  if (n != kColumns) fail_argument("line {}: {} cells, not {}", number, n, kColumns);
  return cells;
}

int64_t count_of(const std::string& cell, int number) {
  int64_t n = -1;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), n);
  if (error != std::errc() || end != cell.data() + cell.size() || n < 0) {
    fail_argument("line {}: '{}' is no count", number, cell);
  }
  return n;
}

/// The key under which a call is counted. Calls that the CPU run refuses too are counted by overload only.
AcceptedPredictions::Key bounded(AcceptedPredictions::Key key) {
  if (!key.run_answers) key.refusal = "*";
  return key;
}

AcceptedRow row_of(const std::string& line, int number) {
  const auto cells = cells_of(line, number);
  AcceptedRow row;
  row.key = {cells[0], cells[1], cells[2] == "answers"};
  if (cells[2] != "answers" && cells[2] != "refuses") fail_argument("line {}: '{}' of the CPU", number, cells[2]);
  if (row.key != bounded(row.key)) fail_argument("line {}: what the CPU refuses too is counted by overload: *", number);
  row.committed = count_of(cells[3], number);
  row.all = count_of(cells[4], number);
  row.reason = cells[5];
  if (row.all == 0 || row.all < row.committed) fail_argument("line {}: the counts cannot be", number);
  const auto begins = [&](std::string_view word) { return row.reason.starts_with(word); };
  // If the CPU run also refuses the call, only the reason "refused there too" is possible.
  const bool has_reason = row.key.run_answers ? begins("data: ") || begins("kernel: ") || begins("here: ")
                                              : row.reason == "refused there too";
  if (!has_reason) fail_argument("line {}: '{}' is no reason", number, row.reason);
  return row;
}

std::string spell(const AcceptedPredictions::Key& key) {
  return fmt::format("{} {} (the CPU {})", key.op, key.refusal, key.run_answers ? "answers" : "refuses");
}

}  // namespace

std::vector<AcceptedRow> parse_accepted_rows(const std::string& text) {
  std::vector<AcceptedRow> rows;
  std::map<AcceptedPredictions::Key, int> lines;
  std::istringstream in(text);
  int number = 0;
  bool header = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with('#')) continue;
    if (!header) {
      if (line != kHeader) fail_argument("line {}: the columns are {}", number, kHeader);
      header = true;
      continue;
    }
    rows.push_back(row_of(line, number));
    const auto [first, fresh] = lines.emplace(rows.back().key, number);
    if (!fresh) fail_argument("line {}: stands in line {} too", number, first->second);
  }
  return rows;
}

std::vector<std::string> differences(const std::vector<AcceptedRow>& rows, const AcceptedPredictions& run,
                                     RecordsReplayed records) {
  std::map<AcceptedPredictions::Key, int64_t> expected;
  for (const AcceptedRow& row : rows) {
    if (row.*records > 0) expected[row.key] = row.*records;
  }
  std::map<AcceptedPredictions::Key, AcceptedPredictions::Calls> counted;
  for (const auto& [key, calls] : run.rows()) {
    AcceptedPredictions::Calls& sum = counted[bounded(key)];
    const int64_t before = sum.count;
    if (before == 0) sum = calls;
    sum.count = before + calls.count;
  }
  std::vector<std::string> found;
  for (const auto& [key, calls] : counted) {
    const auto row = expected.find(key);
    const int64_t n = row == expected.end() ? 0 : row->second;
    if (n == calls.count) continue;
    found.push_back(fmt::format("{}: {} calls, the table says {}: {}: {}", spell(key), calls.count, n,
                                fmt::join(calls.ids, " "), calls.words));
  }
  for (const auto& [key, n] : expected) {
    if (!counted.contains(key)) found.push_back(fmt::format("{}: no call, the table says {}", spell(key), n));
  }
  return found;
}

}  // namespace ersatz::tools
