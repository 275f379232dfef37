// Runs work in a child process, so that a crash or hang can be reported.
//
// The child is forked without exec, so it has the parent's registry and plugins. A fork copies only the calling thread.
// So the parent must not have started thread pools (TBB, OpenMP, BLAS), whose threads would be missing in the child.
// For this reason the processes of `ersatz validate` that fork make no tensor computation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace ersatz::tools {

struct ChildResult {
  bool finished = false;  ///< the work ended normally, and `output` is its result
  std::string output;
  std::string error;       ///< message of the error that the work raised
  int signal = 0;          ///< signal that ended the child; 0: none
  int exit_status = 0;     ///< the child's exit status, if it exited before the work was finished
  bool timed_out = false;  ///< the child was killed because it made no progress
  int64_t at = -1;         ///< the last value of the progress counter; -1: none
  std::string last_words;  ///< the end of the child's stderr
  /// Returns how the child ended: `died of SIGSEGV`, `no end within 20 s`, `exited with status 3`; empty if it
  /// finished.
  std::string how() const;

  double limit_s = 0;
};

/// The progress counter of the work. It is in memory shared with the parent, which reads it after the child has died.
using Progress64 = std::atomic<int64_t>;

/// Runs `work` in a child process. The child is killed if its progress counter does not change for `limit_s` seconds.
ChildResult run_in_child(const std::function<std::string(Progress64& at)>& work, double limit_s);

/// Returns the number of threads of this process.
int thread_count();

}  // namespace ersatz::tools
