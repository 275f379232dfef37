// The exit status of a command. If several apply, the command exits with the highest.
#pragma once

#include <stdexcept>
#include <string>

namespace ersatz::tools {

enum class ExitStatus : int {
  Clean = 0,     ///< something was compared or done, and there is no finding
  Findings = 1,  ///< there are findings, or nothing was compared
  /// Input, arguments, device or output cannot be used, or an operator is missing without --keep-going.
  Unusable = 2,
  Bug = 3,           ///< a bug of ersatz
  Interrupted = 130  ///< Ctrl-C (SIGINT); the report has all findings up to then
};

/// Returns the `status` in the JSON report: `clean`, `findings`, `unusable`, `bug`, `interrupted`.
constexpr const char* name(ExitStatus s) {
  if (s == ExitStatus::Interrupted) return "interrupted";
  constexpr const char* names[] = {"clean", "findings", "unusable", "bug"};
  return names[static_cast<int>(s)];
}

}  // namespace ersatz::tools
