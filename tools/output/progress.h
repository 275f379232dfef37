// One line of progress on a terminal; silent in a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace ersatz::tools {

/// No progress is shown any more, or again: `--quiet`.
void silence_progress(bool silent);

/// Shows `label: done of total what` on stderr, at most ten times a second, and wipes it at the end.
class Progress {
 public:
  Progress(std::string label, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Cheap when nothing is due. `what` may be empty.
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

/// Work whose progress cannot be measured: shows `label ... 3 s` on stderr, once a second, from the first on, and
/// wipes it at the end. Costs a thread where it may show something.
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
