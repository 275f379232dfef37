// A table with a header, printed as aligned text or as CSV.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz::tools {

/// Returns `part` in percent of `whole`; 0 if `whole` is 0.
double percent(int64_t part, int64_t whole);

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// Adds a row. It may have fewer cells than the header.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }

  /// Returns the table as text. Columns are as wide as their widest cell and two spaces apart, with a line under the
  /// header. Lines have no trailing spaces.
  std::string text() const;
  /// Returns the table as CSV (RFC 4180). A cell with a comma, a quote or a line end is quoted.
  std::string csv() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the first row is the header
};

}  // namespace ersatz::tools
