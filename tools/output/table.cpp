#include "tools/output/table.h"

#include <algorithm>

namespace ersatz::tools {
namespace {

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

double percent(int64_t part, int64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string Table::text() const {
  std::vector<size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (size_t i = 0; i < std::min(row.size(), widths.size()); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  const auto line = [&](const auto& cell) {
    std::string text;
    for (size_t i = 0; i < widths.size(); ++i) {
      text += cell(i);
      text.resize(text.size() + widths[i] - cell(i).size() + 2, ' ');
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  for (const auto& row : rows_) {
    line([&](size_t i) { return i < row.size() ? row[i] : std::string(); });
    if (&row == rows_.data()) line([&](size_t i) { return std::string(widths[i], '-'); });
  }
  return out;
}

std::string Table::csv() const {
  std::string out;
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) out += (i ? "," : "") + quoted(row[i]);
    out += "\n";
  }
  return out;
}

}  // namespace ersatz::tools
