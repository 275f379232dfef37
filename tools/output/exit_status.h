// The exit status of a command. If several apply, the command exits with the highest.
#pragma once

#include <stdexcept>
#include <string>

namespace ersatz::tools {

enum class ExitStatus : int {
  Clean = 0,         ///< something was compared (or done) and there is no finding
  Findings = 1,      ///< there are findings, or nothing was compared
  Unusable = 2,      ///< input, arguments, device or output is unusable; a missing op without --keep-going
  Bug = 3,           ///< a bug of ersatz
  Interrupted = 130  ///< SIGINT; the report has all findings up to then
};

/// The `status` of the envelope: `clean`, `findings`, `unusable`, `bug`, `interrupted`.
constexpr const char* name(ExitStatus s) {
  if (s == ExitStatus::Interrupted) return "interrupted";
  constexpr const char* names[] = {"clean", "findings", "unusable", "bug"};
  return names[static_cast<int>(s)];
}

}  // namespace ersatz::tools
