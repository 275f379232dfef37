#include "runtime/base/nearest.h"

#include <algorithm>
#include <cctype>

namespace ersatz {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

constexpr size_t kLongest = 200;  // a longer text is not a mistyped name

/// Returns the edit distance of `a` and `b`: the number of letters that are inserted, deleted, replaced or swapped with
/// their neighbour (optimal string alignment).
size_t edits(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

constexpr size_t kFar = size_t(-1);

/// Returns how far `text` is from `name`, both in lower case: 0 if they are equal, 1 if `text` is a prefix of `name`.
/// Else it is 1 + edits() if edits() is at most a third of the letters of `text`, or 1. Else it is a little more if
/// `text` is in `name`, and kFar if not.
size_t distance(const std::string& text, const std::string& name) {
  if (text == name) return 0;
  if (text.size() >= 2 && name.starts_with(text)) return 1;
  const size_t most = std::max<size_t>(1, text.size() / 3);
  const size_t apart = text.size() > name.size() ? text.size() - name.size() : name.size() - text.size();
  if (apart <= most) {
    const size_t n = edits(text, name);
    if (n <= most) return 1 + n;
  }
  return text.size() >= 4 && name.find(text) != name.npos ? 2 + most : kFar;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, size_t most) {
  if (text.size() > kLongest) return {};
  const std::string wanted = lower(text);
  std::vector<std::pair<size_t, const std::string*>> near;
  for (const std::string& name : names) {
    const size_t d = name.size() > kLongest ? kFar : distance(wanted, lower(name));
    if (d != kFar) near.emplace_back(d, &name);
  }
  // Among equally near names the shortest comes first: `ad` is more likely `add` than `adaptive_avg_pool1d`.
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second->size()) < std::pair(b.first, b.second->size());
  });
  std::vector<std::string> found;
  for (const auto& [d, name] : near) {
    if (found.size() < most) found.push_back(*name);
  }
  return found;
}

std::string did_you_mean(const std::vector<std::string>& nearest) {
  if (nearest.empty()) return "";
  std::string out = "; did you mean " + nearest[0];
  for (size_t i = 1; i < nearest.size(); ++i) out += (i + 1 == nearest.size() ? " or " : ", ") + nearest[i];
  return out + "?";
}

}  // namespace ersatz
