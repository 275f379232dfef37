// Counters, timings and debug directory of one command. A thread's current session collects them.
//
//   Session session;
//   const SessionScope scope(session);
//   {
//     const TimedCall timed("ersatz::tools::run_fake", "run");   // in the function
//     ...
//   }
//   session.report();
//
// A Session implements RunWatch (tracer/run/run_watch.h): it times operators, and writes an execution record for the
// call that ends a run. Any thread may call the counting functions. Only the thread with the scope may call the others.
#pragma once

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>

#include "fake/mode/dispatch_cache.h"
#include "tools/session/debug_directory.h"
#include "tools/session/run_record.h"
#include "tools/session/timings.h"
#include "tracer/run/run_watch.h"

namespace ersatz::tools {

/// Counters in groups, for example `counters["graphs"]["run"] += 1`. A new counter is 0.
using Counters = std::map<std::string, std::map<std::string, int64_t>>;

class Session final : public RunWatch {
 public:
  Session() = default;
  ~Session() override;

  /// Begins a frame for the next program or set of recorded calls. Timings that follow belong to that frame.
  void begin_frame(const std::string& name);
  int64_t frames() const { return frames_; }
  void count_ops(int64_t n);
  int64_t ops() const { return ops_; }
  void add_call(const std::string& function, const std::string& phase, double seconds);
  void add_operator(const std::string& op, double seconds);
  /// Adds the cache misses of a fake mode, by reason.
  void add_cache_misses(const CacheInfo& info);
  /// Removes all frames and timings.
  void reset();

  Timings timings;
  RunRecords records;
  Counters counters;  ///< groups: `graphs` with `run` and `call nodes`; `cache misses` with the reasons

  /// `--timings`: programs are timed, and a report is printed.
  void time(bool on) { timed_ = on; }
  bool shows_times() const { return timed_; }
  /// `--timings-csv`: the timings are written to a file.
  void time_into(const std::string& file) { times_file_ = file; }
  const std::string& times_file() const { return times_file_; }
  bool times() const { return timed_ || !times_file_.empty(); }
  /// `--debug-dir`: debug.log and records of failing calls are written below the folder `root`. If ERSATZ_DEBUG is 1,
  /// `use_environment` does this below ERSATZ_DEBUG_DIR (default ersatz_debug). ERSATZ_LOG_FILE names another file for
  /// the log.
  void debug_into(const std::string& root);
  void use_environment();
  /// Returns the paths of the execution records that were written.
  const std::vector<std::string>& failures() const { return failures_; }
  bool watches() const { return times() || !folder_.empty(); }

  /// Ends the last frame and returns the report as text: functions, phases, operators, graphs and cache misses.
  std::string report();
  nlohmann::ordered_json json();

  void begins(const PreparedProgram& prepared) override;
  void ends(const PreparedProgram& prepared) override;
  void ran(const NodeCall& call, double seconds) override;
  void failed(const NodeCall& call, const Error& error) override;

  /// Returns the current session of this thread; null if no SessionScope exists.
  static Session* current();

 private:
  void end_frame();
  mutable std::mutex mutex_;
  int64_t frames_ = 0, ops_ = 0;
  bool timed_ = false;
  std::optional<RunRecord> frame_;
  std::chrono::steady_clock::time_point frame_start_;
  std::string folder_, times_file_;
  std::vector<std::string> failures_;
  std::vector<std::unique_ptr<LogFile>> logs_;
};

class SessionScope {
 public:
  explicit SessionScope(Session& session) : SessionScope(&session) {}
  /// For another thread that works for the same session. `session` may be null: then the thread has no session.
  explicit SessionScope(Session* session);
  ~SessionScope();
  SessionScope(const SessionScope&) = delete;
  SessionScope& operator=(const SessionScope&) = delete;

 private:
  Session* outer_;
};

/// Measures its own lifetime. If there is a current session, the time is added as a call of `function` and to a phase
/// of the current frame. If an exception ends the scope, nothing is added.
class TimedCall {
 public:
  TimedCall(std::string_view function, std::string_view phase) : function_(function), phase_(phase) {}
  ~TimedCall();
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;

 private:
  std::string_view function_, phase_;
  int exceptions_ = std::uncaught_exceptions();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Measures its own lifetime. If the current session takes times, the time is added to an operator.
class TimedOperator {
 public:
  explicit TimedOperator(const std::string& op);
  ~TimedOperator();
  TimedOperator(const TimedOperator&) = delete;
  TimedOperator& operator=(const TimedOperator&) = delete;

 private:
  const std::string& op_;
  Session* session_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace ersatz::tools
