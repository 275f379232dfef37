#include "tools/infer/wrong_fakes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "tools/infer/recorded_prediction.h"

namespace ersatz::tools {

namespace {
constexpr size_t kMostRows = 20000;  // limits the memory, because a file may name any number of operators
constexpr size_t kWrongFakesShown = 40;
}  // namespace

void WrongFakes::add(const CallRecord& record) {
  if (!record.fake || record.outcome.error == "NotImplementedError" || !record.died.empty()) return;
  for (const Finding& f : judge_by_own_record(record).findings) {
    // Unwritten and OutOfBounds come from watching memory. They do not concern the prediction.
    if (f.field == FindingField::Unwritten || f.field == FindingField::OutOfBounds) continue;
    if (f.witness == Witness::Declaration) continue;
    const Key key{f.op, f.result, f.field};
    if (rows_.size() >= kMostRows && !rows_.contains(key)) continue;
    Row& row = rows_[key];
    if (row.calls++ == 0) row.fake = f.predicted, row.run = f.observed, row.id = record.id, row.at = record.at;
  }
}

void WrongFakes::add(const WrongFakes& later) {
  for (const auto& [key, more] : later.rows_) {
    if (rows_.size() >= kMostRows && !rows_.contains(key)) continue;
    Row& row = rows_[key];
    const int64_t calls = row.calls + more.calls;
    if (row.calls == 0) row = more;
    row.calls = calls;
  }
}

int64_t WrongFakes::operators() const {
  int64_t n = 0;
  const std::string* last = nullptr;
  for (const auto& [key, row] : rows_) {
    n += !last || *last != key.op;
    last = &key.op;
  }
  return n;
}

Document wrong_fakes_report(const WrongFakes& fakes, bool whole) {
  Document out;
  nlohmann::ordered_json& rows = out.data["wrong_fakes"] = nlohmann::ordered_json::array();
  if (fakes.rows().empty()) return out;
  out.add(fmt::format("the recorder's own fakes were wrong about {}:\n", count_of(fakes.operators(), "operator")));
  size_t shown = 0;
  for (const auto& [key, row] : fakes.rows()) {
    rows.push_back({{"op", key.op},
                    {"result", key.result},
                    {"field", name(key.field)},
                    {"fake", row.fake},
                    {"run", row.run},
                    {"calls", row.calls},
                    {"id", row.id},
                    {"at", row.at}});
    if (!whole && shown == kWrongFakesShown) continue;
    ++shown;
    const std::string result = key.result >= 0 ? fmt::format(", result {}", key.result) : "";
    const std::string first = row.at.empty() ? fmt::format("the first is record {}", row.id) : row.at;
    out.add(Document::Kind::Below, fmt::format("{}{}: {}: the fake says {}, the run says {} ({}, {})", key.op, result,
                                               name(key.field), row.fake, row.run, count_of(row.calls, "call"), first));
  }
  if (shown < fakes.rows().size()) {
    out.add_term(fmt::format("{} more", fakes.rows().size() - shown), "--json and -o FILE have them");
  }
  return out;
}

}  // namespace ersatz::tools
