// Runs work in a child process, so that a crash or hang can be reported.
//
// The child is forked and not executed, so it has the parent's registry and plugins. A fork copies only the calling
// thread. So the parent must not have used thread pools (TBB, OpenMP, BLAS), which would be missing in the child. The
// processes of `ersatz validate` that fork never compute.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace ersatz::tools {

struct ChildResult {
  bool finished = false;  ///< `output` is the result of the work
  std::string output;
  std::string error;       ///< message of the error that the work raised
  int signal = 0;          ///< signal that ended the child
  int exit_status = 0;     ///< status, if it exited before the work was finished
  bool timed_out = false;  ///< it was killed because it made no progress
  int64_t at = -1;         ///< the last number in its progress counter
  std::string last_words;  ///< the end of its stderr
  /// `died of SIGSEGV`, `no end within 20 s`, `exited with status 3`; empty if it finished.
  std::string how() const;

  double limit_s = 0;
};

/// Progress counter of the work. Memory shared with the parent, which reads it when the child is dead.
using Progress64 = std::atomic<int64_t>;

/// Runs `work` in a child. The child is killed if its progress counter does not change for `limit_s`.
ChildResult run_in_child(const std::function<std::string(Progress64& at)>& work, double limit_s);

/// Number of threads of this process.
int thread_count();

}  // namespace ersatz::tools
