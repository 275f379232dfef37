// Records of the programs that a session ran, one for each frame (tools/session/timings.h).
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace ersatz::tools {

struct RunRecord {
  int64_t id = 0;    ///< the frame's number
  std::string name;  ///< the program's file
  int64_t graphs = 0, nodes = 0, inputs = 0, guards = 0, ops = 0;
  double seconds = 0;
  std::set<std::string> op_set;
  std::string failure_kind, failure_reason, failure_place;  ///< empty if nothing failed
};
nlohmann::ordered_json to_json(const RunRecord& record);

/// Keeps the last records. Each record is also written to the log when it is added: `run {...}`, with sets as lists.
class RunRecords {
 public:
  static constexpr size_t kLimit = 64;
  /// Adds a record. If there are more than the limit, the oldest one is dropped.
  void add(RunRecord record);
  void set_limit(size_t limit);
  void clear() { records_.clear(); }
  /// Returns the records, oldest first.
  std::vector<RunRecord> snapshot() const { return {records_.begin(), records_.end()}; }

 private:
  void shrink();
  size_t limit_ = kLimit;
  std::deque<RunRecord> records_;
};

}  // namespace ersatz::tools
