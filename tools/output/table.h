// A table of text: columns with a header, aligned for people, or separated by commas for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz::tools {

/// `part` of `whole` in percent; 0 of nothing.
double percent(int64_t part, int64_t whole);

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// A row may be shorter than the header.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }

  /// Each column as wide as its widest cell, two spaces between columns, a rule under the header, no space at a line's
  /// end.
  std::string text() const;
  /// The same as lines of RFC 4180: a cell with a comma, a quote or a line's end is quoted.
  std::string csv() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the first is the header
};

}  // namespace ersatz::tools
