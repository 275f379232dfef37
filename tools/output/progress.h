// Progress lines, which are shown on a terminal only.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace ersatz::tools {

/// Switches progress off (`--quiet`) or on.
void silence_progress(bool silent);

/// Shows `label: done of total what` on stderr, at most ten times a second. The destructor erases the line.
class Progress {
 public:
  Progress(std::string label, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Updates the line. Costs little if the line need not be printed yet. `what` may be empty.
  void at(int64_t done, std::string_view what = {}) {
    if (enabled_) show(done, what);
  }

 private:
  void show(int64_t done, std::string_view what);
  std::string label_;
  int64_t total_;
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point due_;
};

/// Shows `label ... 3 s` on stderr once a second, for work whose progress cannot be measured. The destructor erases the
/// line. It starts a thread only if the line may be shown.
class Working {
 public:
  explicit Working(std::string label);
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  struct Clock;
  std::unique_ptr<Clock> clock_;
};

}  // namespace ersatz::tools
