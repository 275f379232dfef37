// Runs tests of this binary again, with propagate_real as the default of every fake mode.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ersatz {

/// Runs the tests that match `filter` in a child process. Returns its exit status; -1 if a signal ended the process.
inline int run_propagating(const std::string& filter) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("ERSATZ_PROPAGATE_REAL", "1", 1);
    const std::string argument = "--gtest_filter=" + filter;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    execl(self.c_str(), self.c_str(), argument.c_str(), "--gtest_brief=1", nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace ersatz
