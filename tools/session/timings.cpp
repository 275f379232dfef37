#include "tools/session/timings.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/output/table.h"

namespace ersatz::tools {
namespace {

template <class Rows, class Is>
auto& found_or_added(Rows& rows, const Is& is, typename Rows::value_type fresh) {
  const auto at = std::find_if(rows.begin(), rows.end(), is);
  return at != rows.end() ? *at : rows.emplace_back(std::move(fresh));
}

double sum(const std::vector<double>& durations) { return std::accumulate(durations.begin(), durations.end(), 0.0); }

}  // namespace

void Timings::add_phase(int64_t frame, const std::string& phase, double seconds) {
  const auto is = [&](const Phase& p) { return p.frame == frame && p.name == phase; };
  found_or_added(phases_, is, {frame, phase, 0}).seconds += seconds;
}

void Timings::add_call(const std::string& function, double seconds) {
  const auto is = [&](const auto& f) { return f.first == function; };
  found_or_added(functions_, is, {function, {}}).second.push_back(seconds);
}

void Timings::add_operator(const std::string& op, double seconds) {
  OperatorTime& time = found_or_added(operators_, [&](const OperatorTime& o) { return o.op == op; }, {op, 0, 0});
  ++time.calls;
  time.seconds += seconds;
}

void Timings::clear() { *this = Timings(); }

double Timings::phase(int64_t frame, const std::string& phase) const {
  for (const Phase& p : phases_) {
    if (p.frame == frame && p.name == phase) return p.seconds;
  }
  return 0;
}

std::vector<std::pair<std::string, double>> Timings::phases() const {
  std::vector<std::pair<std::string, double>> sums;
  for (const Phase& p : phases_) {
    found_or_added(sums, [&](const auto& s) { return s.first == p.name; }, {p.name, 0}).second += p.seconds;
  }
  return sums;
}

std::vector<OperatorTime> Timings::operators() const {
  std::vector<OperatorTime> sorted = operators_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return sorted;
}

std::string Timings::line() const {
  std::string out = "TIMING:";
  for (const auto& [phase, seconds] : phases()) out += fmt::format(" {}:{:.5f}", phase, seconds);
  return out;
}

std::string Timings::text(bool each) const {
  Table table({"Function", "Runtimes (s)"});
  for (const auto& [function, durations] : functions_) {
    std::string seconds;
    if (each) {
      for (const double d : durations) seconds += fmt::format("{}{:.4f}", seconds.empty() ? "" : ", ", d);
    } else {
      seconds = fmt::format("{:.4f}", sum(durations));
    }
    table.add({function, seconds});
  }
  return "ersatz session metrics:\n" + table.text();
}

std::string Timings::csv() const {
  std::vector<std::string> names, seconds;
  for (const auto& [function, durations] : functions_) {
    names.push_back(function);
    seconds.push_back(fmt::format("{:.6f}", sum(durations)));
  }
  Table table(names);
  table.add(seconds);
  return table.csv();
}

}  // namespace ersatz::tools
