// What became of each program that a session ran: one record a frame.
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
  std::string failure_kind, failure_reason, failure_place;  ///< empty where nothing failed
};
nlohmann::ordered_json to_json(const RunRecord& record);

/// The last ones. Each is written to the log as it comes: `run {...}`, sets as lists.
class RunRecords {
 public:
  static constexpr size_t kLimit = 64;
  /// Where there are more than the limit, the oldest is dropped.
  void add(RunRecord record);
  void set_limit(size_t limit);
  void clear() { records_.clear(); }
  /// Oldest first.
  std::vector<RunRecord> snapshot() const { return {records_.begin(), records_.end()}; }

 private:
  void shrink();
  size_t limit_ = kLimit;
  std::deque<RunRecord> records_;
};

}  // namespace ersatz::tools
