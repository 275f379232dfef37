// Recorded calls that the recorder's prediction for CUDA accepts and ersatz refuses. They are counted by operator
// overload, by refusal_name(), and by whether the recorder's CPU run accepts them.
//
// If the CPU run refuses the call too, the prediction is wrong. If the CPU run accepts it, there are three possible
// reasons: CUDA has no kernel, acceptance depends on data, or the rule of ersatz for CUDA refuses too much.
// docs/data/prediction_accepts.tsv gives the reason for each of these counts.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ersatz {
class Error;
}

namespace ersatz::tools {

/// Why `error` refused a call: the constraint's label (`cat.C2`), or else the kind of the error (`NotSupported`).
std::string refusal_name(const Error& error);

class AcceptedPredictions {
 public:
  struct Key {
    std::string op, refusal;
    bool run_answers = false;  ///< the recorder's CPU run has results and no error
    auto operator<=>(const Key&) const = default;
  };
  struct Calls {
    int64_t count = 0;
    std::vector<std::string> ids;  ///< ids of the first recorded calls
    std::string words;             ///< message of the first refusal
  };

  void add(const Key& key, const std::string& id, const std::string& words);
  void add(const AcceptedPredictions& later);
  const std::map<Key, Calls>& rows() const { return rows_; }
  int64_t total() const;
  /// Number of calls for which the recorder's CPU run has results.
  int64_t answered_by_run() const;

 private:
  std::map<Key, Calls> rows_;
};

/// `[{"op":..,"refusal":..,"run_answers":..,"count":..,"ids":[..],"words":..}, ..]`
nlohmann::ordered_json to_json(const AcceptedPredictions& accepted);

}  // namespace ersatz::tools
