#include "fake/mode/coverage.h"

#include <fmt/format.h>

#include <algorithm>

namespace ersatz {

std::string_view name(Source s) {
  constexpr std::string_view names[] = {"rule",     "decomposition", "composite", "cache",
                                        "fallback", "constant",      "inferred",  "none"};
  static_assert(std::size(names) == kSourceCount);
  return names[static_cast<int>(s)];
}

std::string_view name(Check c) {
  constexpr std::string_view names[] = {"metadata",      "strides",          "aliases", "unwritten",
                                        "out_of_bounds", "undeclared_write", "values"};
  static_assert(std::size(names) == static_cast<size_t>(Check::Values) + 1);
  return names[static_cast<int>(c)];
}

std::string_view name(NotChecked r) {
  constexpr std::string_view names[] = {"unsupported", "data_dependent", "random",        "tainted",
                                        "unwitnessed", "excluded",       "chosen",        "switched_off",
                                        "no_bytes",    "own_results",    "unknown_layout"};
  static_assert(std::size(names) == static_cast<size_t>(NotChecked::UnknownLayout) + 1);
  return names[static_cast<int>(r)];
}

void Coverage::add_row(OpCoverage& to, const OpCoverage& from) {
  for (size_t i = 0; i < from.sources.size(); ++i) to.sources[i] += from.sources[i];
  for (const Unchecked& u : from.unchecked) to.add_unchecked(u.check, u.reason, u.times);
}

void Coverage::add(const Coverage& other) {
  for (const Row& r : other.rows_) add_row(row(r.id, r.counted.op), r.counted);
}

std::vector<OpCoverage> Coverage::ops() const {
  std::vector<OpCoverage> found;
  for (const Row& r : rows_) found.push_back(r.counted);
  std::sort(found.begin(), found.end(), [](const OpCoverage& a, const OpCoverage& b) { return a.op < b.op; });
  return found;
}

OpCoverage Coverage::total() const {
  OpCoverage total;
  for (const Row& r : rows_) add_row(total, r.counted);
  std::sort(total.unchecked.begin(), total.unchecked.end(), [](const Unchecked& a, const Unchecked& b) {
    return std::pair(a.check, a.reason) < std::pair(b.check, b.reason);
  });
  return total;
}

std::string to_string(const Coverage& coverage) {
  const OpCoverage total = coverage.total();
  std::string sources;
  for (int s = 0; s < kSourceCount; ++s) {
    const int64_t n = total.sources[static_cast<size_t>(s)];
    if (n) sources += fmt::format("{}{} {}", sources.empty() ? "" : ", ", name(static_cast<Source>(s)), n);
  }
  std::string text = fmt::format("answered by: {}\n", sources.empty() ? "nobody" : sources);
  for (size_t i = 0; i < total.unchecked.size(); ++i) {
    const Unchecked& u = total.unchecked[i];
    const bool goes_on = i > 0 && total.unchecked[i - 1].check == u.check;
    const bool ends = i + 1 == total.unchecked.size() || total.unchecked[i + 1].check != u.check;
    text += goes_on ? ", " : fmt::format("not checked: {}: ", name(u.check));
    text += fmt::format("{} {}{}", name(u.reason), u.times, ends ? "\n" : "");
  }
  return text;
}

}  // namespace ersatz
