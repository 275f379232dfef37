#include "fake/mode/fallback_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/count_text.h"

namespace ersatz {

std::string_view name(Fill fill) {
  constexpr std::string_view names[] = {"zeros", "ones", "ramp", "random", "identity", "sample"};
  return names[static_cast<int>(fill)];
}

std::string_view name(FallbackPolicy policy) {
  constexpr std::string_view names[] = {"rule", "zeros", "refuse"};
  return names[static_cast<int>(policy)];
}

bool FallbackLog::add(FallbackEvent event) {
  std::lock_guard lock(mutex_);
  const bool first =
      std::none_of(events_.begin(), events_.end(), [&](const FallbackEvent& e) { return e.op == event.op; });
  events_.push_back(std::move(event));
  return first;
}

std::vector<FallbackEvent> FallbackLog::events() const {
  std::lock_guard lock(mutex_);
  return events_;
}

namespace {

/// The sums over all events with one op, fill and reason.
struct SummaryRow {
  const FallbackEvent* first;
  int64_t uses = 0, bytes = 0, nanoseconds = 0, numbers = 0, failed = 0, on_cpu = 0;
};

std::string to_string(const SummaryRow& row) {
  std::string text =
      fmt::format("{}: {}, {} bytes of {}, {:.3g} ms ({})", row.first->op, count_of(row.uses, "use"), row.bytes,
                  name(row.first->fill), static_cast<double>(row.nanoseconds) / 1e6, row.first->reason);
  if (row.numbers) text += fmt::format(", {} numbers come from the fill", row.numbers);
  if (row.on_cpu) text += fmt::format(", {} on the cpu in place of cuda", row.on_cpu);
  if (row.failed) text += fmt::format(", {} failed", row.failed);
  if (!row.first->source.empty()) text += fmt::format(", first at {}", row.first->source);
  return text + "\n";
}

}  // namespace

std::string fallback_summary(std::span<const FallbackEvent> events) {
  if (events.empty()) return "fallback: none\n";
  std::vector<SummaryRow> rows;
  std::vector<std::string_view> ops;
  int64_t bytes = 0, nanoseconds = 0;
  for (const FallbackEvent& e : events) {
    bytes += e.bytes;
    nanoseconds += e.nanoseconds;
    if (std::find(ops.begin(), ops.end(), e.op) == ops.end()) ops.push_back(e.op);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const SummaryRow& r) {
      return r.first->op == e.op && r.first->fill == e.fill && r.first->reason == e.reason;
    });
    if (row == rows.end()) row = rows.insert(rows.end(), SummaryRow{&e});
    ++row->uses;
    row->bytes += e.bytes;
    row->nanoseconds += e.nanoseconds;
    row->numbers += e.numbers;
    row->failed += e.failed;
    row->on_cpu += e.on_cpu;
  }
  std::string text;
  for (const SummaryRow& row : rows) text += to_string(row);
  return text +
         fmt::format("fallback: {} of {}, {} bytes, {:.3g} ms\n", count_of(static_cast<int64_t>(events.size()), "use"),
                     count_of(static_cast<int64_t>(ops.size()), "op"), bytes, static_cast<double>(nanoseconds) / 1e6);
}

}  // namespace ersatz
