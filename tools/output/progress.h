// One line of progress on a terminal; silent in a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ersatz::tools {

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

}  // namespace ersatz::tools
