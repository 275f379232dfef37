// A text table with a header, aligned for people or comma-separated for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz::tools {

/// `part` in percent of `whole`; 0 if `whole` is 0.
double percent(int64_t part, int64_t whole);

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// A row may be shorter than the header.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }

  /// Columns are as wide as their widest cell, with two spaces between them and a line under the header. There are no
  /// trailing spaces.
  std::string text() const;
  /// The table as CSV (RFC 4180): a cell with a comma, a quote or a line end is quoted.
  std::string csv() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the first row is the header
};

}  // namespace ersatz::tools
