#include "fake/waiver.h"

#include <algorithm>

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
  for (int f = 0; f < kFindingFieldCount; ++f) {
    if (word == name(static_cast<FindingField>(f))) return true;
  }
  return word == "*";
}

}  // namespace

std::string_view state(const Waiver& row) { return row.expired ? "expired" : row.used == 0 ? "unused" : "applied"; }

std::string until_text(const Waiver& row) {
  if (!row.until) return "never";
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(row.until->year()),
                     static_cast<unsigned>(row.until->month()), static_cast<unsigned>(row.until->day()));
}

std::string to_string(const Waiver& row) {
  return fmt::format("{} {} until {}, used {} times: {}", row.op, row.field, until_text(row), row.used, row.reason);
}

std::chrono::year_month_day clock_date() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

std::optional<std::chrono::year_month_day> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  unsigned parts[3] = {};
  constexpr size_t first[] = {0, 5, 8}, length[] = {4, 2, 2};
  for (size_t i = 0; i < 3; ++i) {
    for (const char c : text.substr(first[i], length[i])) {
      if (c < '0' || c > '9') return std::nullopt;
      parts[i] = parts[i] * 10 + static_cast<unsigned>(c - '0');
    }
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(parts[0])), std::chrono::month(parts[1]),
                                         std::chrono::day(parts[2])};
  return date.ok() ? std::optional(date) : std::nullopt;
}

Waivers Waivers::parse(std::string_view text, std::string_view file, std::chrono::year_month_day today) {
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
    size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    if (constexpr std::string_view kUntil = "until="; line.substr(begin).starts_with(kUntil)) {
      std::string_view date = take_word(line);
      date.remove_prefix(kUntil.size());
      if (date != "never") {
        row.until = parse_date(date);
        if (!row.until) fail_argument("{}:{}: '{}' is no day (2027-01-31, or never)", file, number, date);
        row.expired = today > *row.until;
      }
      begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    }
    if (begin == line.size()) fail_argument("{}:{}: a waiver needs a reason", file, number);
    row.reason = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
    waivers.rows_.push_back(std::move(row));
  }
  return waivers;
}

bool Waivers::waives(const Finding& f) {
  return waives(f.op, name(f.field)) || (!f.node.empty() && waives(f.node, name(f.field)));
}

bool Waivers::waives(std::string_view op, std::string_view field) {
  for (Waiver& row : rows_) {
    if (!row.expired && (row.op == "*" || row.op == op) && (row.field == "*" || row.field == field)) {
      ++row.used;
      return true;
    }
  }
  return false;
}

void Waivers::add_uses(const std::vector<Waiver>& rows) {
  for (size_t i = 0; i < std::min(rows.size(), rows_.size()); ++i) rows_[i].used += rows[i].used;
}

std::vector<const Waiver*> Waivers::broken() const {
  std::vector<const Waiver*> found;
  for (const Waiver& row : rows_) {
    if (row.broken()) found.push_back(&row);
  }
  return found;
}

}  // namespace ersatz
