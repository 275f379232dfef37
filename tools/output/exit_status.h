// How a command ends, for scripts. The highest wins, 2 over 1.
#pragma once

#include <stdexcept>
#include <string>

namespace ersatz::tools {

enum class ExitStatus : int {
  Clean = 0,         ///< something was compared (or done) and there is no finding
  Findings = 1,      ///< findings, or nothing was compared
  Unusable = 2,      ///< input, arguments, device or output cannot be used; a missing op without --keep-going
  Bug = 3,           ///< our own
  Interrupted = 130  ///< by SIGINT; what was found so far is reported
};

/// `clean`, `findings`, `unusable`, `bug`, `interrupted`: the envelope's `status`.
constexpr const char* name(ExitStatus s) {
  if (s == ExitStatus::Interrupted) return "interrupted";
  constexpr const char* names[] = {"clean", "findings", "unusable", "bug"};
  return names[static_cast<int>(s)];
}

}  // namespace ersatz::tools
