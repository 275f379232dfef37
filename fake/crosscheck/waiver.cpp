#include "fake/crosscheck/waiver.h"

#include <algorithm>
#include <charconv>

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

/// If the next word of `line` begins with `name`, removes the word from `line` and returns the text after `name`.
/// Otherwise returns nullopt.
std::optional<std::string_view> take_option(std::string_view& line, std::string_view name) {
  const size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  if (!line.substr(begin).starts_with(name)) return std::nullopt;
  return take_word(line).substr(name.size());
}

bool is_field(std::string_view word) { return word == "*" || parse_finding_field(word); }

}  // namespace

bool Waiver::same_as(const Waiver& other) const {
  return op == other.op && field == other.field && reason == other.reason && until == other.until &&
         record == other.record && known == other.known;
}

uint64_t record_checksum(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  uint64_t sum = 0xcbf29ce484222325;
  for (const char c : line) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

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
    if (const auto date = take_option(line, "until="); date && *date != "never") {
      row.until = parse_date(*date);
      if (!row.until) fail_argument("{}:{}: '{}' is no day (2027-01-31, or never)", file, number, *date);
      row.expired = today > *row.until;
    }
    if (const auto checksum = take_option(line, "record=")) {
      row.record.emplace();
      const char* end = checksum->data() + checksum->size();
      if (std::from_chars(checksum->data(), end, *row.record, 16) != std::from_chars_result{end, std::errc()}) {
        fail_argument("{}:{}: '{}' is no checksum of a record (hexadecimal)", file, number, *checksum);
      }
    }
    const size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
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
    if (!row.expired && !row.record && (row.op == "*" || row.op == op) && (row.field == "*" || row.field == field)) {
      ++row.used;
      return true;
    }
  }
  return false;
}

/// Returns whether the finding is about values. An error of a kernel that refuses a value counts too.
static bool is_of_values(const Finding& f) {
  return f.field == FindingField::Value ||
         (f.field == FindingField::Error && f.predicted.find(".value]") != std::string::npos);
}

bool Waivers::waives_record(const Finding& f, uint64_t checksum) {
  for (Waiver& row : rows_) {
    if (!row.expired && row.record == checksum && row.op == f.node &&
        (row.field == "*" || row.field == name(f.field) ||
         (row.field == name(FindingField::Value) && is_of_values(f)))) {
      ++row.used;
      return true;
    }
  }
  return false;
}

bool Waivers::has_record(std::string_view id) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Waiver& row) { return row.record && row.op == id; });
}

void Waivers::record_passed(std::string_view id, uint64_t checksum, bool values) {
  for (Waiver& row : rows_) {
    if (row.op == id && row.record == checksum && (values || row.field != name(FindingField::Value))) ++row.passed;
  }
}

void Waivers::append(const Waivers& more, bool known) {
  for (Waiver row : more.rows_) {
    row.known = known;
    rows_.push_back(std::move(row));
  }
}

void Waivers::add_uses(const std::vector<Waiver>& rows) {
  for (const Waiver& from : rows) {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Waiver& r) { return r.same_as(from); });
    if (row != rows_.end()) row->used += from.used;
  }
}

std::vector<const Waiver*> Waivers::broken() const {
  std::vector<const Waiver*> found;
  for (const Waiver& row : rows_) {
    if (row.broken()) found.push_back(&row);
  }
  return found;
}

}  // namespace ersatz
