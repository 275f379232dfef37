#include "fake/waiver.h"

namespace ersatz {
namespace {

std::string_view take_word(std::string_view& line) {
  const size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(begin);
  const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

bool is_field(std::string_view word) {
  for (int f = 0; f <= static_cast<int>(FindingField::Value); ++f) {
    if (word == name(static_cast<FindingField>(f))) return true;
  }
  return word == "*";
}

}  // namespace

Waivers Waivers::parse(std::string_view text, std::string_view file) {
  Waivers waivers;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Waiver row;
    row.op = take_word(line);
    if (row.op.empty() || row.op.starts_with('#')) continue;
    row.field = take_word(line);
    if (!is_field(row.field)) {
      fail_argument("{}:{}: '{}' is no field that a finding has (dtype, size, stride, ... or *)", file, number,
                    row.field);
    }
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) fail_argument("{}:{}: a waiver needs a reason", file, number);
    row.reason = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
    waivers.rows_.push_back(std::move(row));
  }
  return waivers;
}

bool Waivers::waives(const Finding& f) { return waives(f.op, name(f.field)); }

bool Waivers::waives(std::string_view op, std::string_view field) {
  for (Waiver& row : rows_) {
    if ((row.op == "*" || row.op == op) && (row.field == "*" || row.field == field)) {
      ++row.used;
      return true;
    }
  }
  return false;
}

std::vector<const Waiver*> Waivers::unused() const {
  std::vector<const Waiver*> found;
  for (const Waiver& row : rows_) {
    if (row.used == 0) found.push_back(&row);
  }
  return found;
}

}  // namespace ersatz
