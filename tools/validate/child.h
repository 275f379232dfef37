// Work in a child process, so that a crash or a hang of it is something that can be told.
//
// The child is forked, not executed: it has the registry and the plugins that its parent has. A fork takes the calling
// thread alone with it, so the parent must not have computed before (thread pools of TBB, OpenMP, BLAS would be missing
// in the child). The processes of `ersatz validate` that fork never compute.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace ersatz::tools {

struct ChildResult {
  bool finished = false;  ///< `output` is what the work returned
  std::string output;
  std::string error;       ///< the work raised this instead
  int signal = 0;          ///< that ended it
  int exit_status = 0;     ///< it exited by itself, before it was finished
  bool timed_out = false;  ///< it made no progress, and was ended
  int64_t at = -1;         ///< the last number that it noted
  std::string last_words;  ///< the end of what it wrote to stderr
  /// `died of SIGSEGV`, `no end within 20 s`, `exited with status 3`; empty where it ended as it should.
  std::string how() const;

  double limit_s = 0;
};

/// What the work notes of where it is. Shared with the parent, which reads it when the child is dead.
using Progress64 = std::atomic<int64_t>;

/// Runs `work` in a child. `limit_s`: the child is ended when what it notes has not changed for so long.
ChildResult run_in_child(const std::function<std::string(Progress64& at)>& work, double limit_s);

/// How many threads this process has.
int thread_count();

}  // namespace ersatz::tools
