#include "tools/calls/accepted_predictions.h"

#include <nlohmann/json.hpp>

#include "runtime/base/error.h"

namespace ersatz::tools {

namespace {
constexpr size_t kMostIds = 10;
}

std::string refusal_name(const Error& error) {
  return error.label.empty() ? std::string(name(error.kind)) : error.label;
}

void AcceptedPredictions::add(const Key& key, const std::string& id, const std::string& words) {
  Calls& calls = rows_[key];
  if (calls.count++ == 0) calls.words = words;
  if (calls.ids.size() < kMostIds) calls.ids.push_back(id);
}

void AcceptedPredictions::add(const AcceptedPredictions& later) {
  for (const auto& [key, more] : later.rows_) {
    Calls& calls = rows_[key];
    if (calls.count == 0) calls.words = more.words;
    calls.count += more.count;
    for (const std::string& id : more.ids) {
      if (calls.ids.size() < kMostIds) calls.ids.push_back(id);
    }
  }
}

int64_t AcceptedPredictions::total() const {
  int64_t n = 0;
  for (const auto& [key, calls] : rows_) n += calls.count;
  return n;
}

int64_t AcceptedPredictions::answered_by_run() const {
  int64_t n = 0;
  for (const auto& [key, calls] : rows_) n += key.run_answers ? calls.count : 0;
  return n;
}

nlohmann::ordered_json to_json(const AcceptedPredictions& accepted) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& [key, calls] : accepted.rows()) {
    rows.push_back({{"op", key.op},
                    {"refusal", key.refusal},
                    {"run_answers", key.run_answers},
                    {"count", calls.count},
                    {"ids", calls.ids},
                    {"words", calls.words}});
  }
  return rows;
}

}  // namespace ersatz::tools
