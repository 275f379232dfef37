// The user's source line that is being executed, for errors, events and findings.
//
// An Interpreter sets the line for each node. C++ programs may set it themselves:
//   SourceLine line("model.py:12: x = self.fc(x)");
// Each thread has its own lines. SourceLine objects nest, and the innermost line is used.
#pragma once

#include <string>
#include <string_view>

namespace ersatz {

namespace detail {
extern thread_local constinit std::string_view t_source_line;
}

/// Returns the innermost source line of this thread; empty if none is set.
inline std::string_view current_source_line() { return detail::t_source_line; }

class SourceLine {
 public:
  /// REQUIRES: `line` outlives the guard.
  explicit SourceLine(std::string_view line) : saved_(detail::t_source_line) { detail::t_source_line = line; }
  /// Returns the file and line that call `here`: `file.cpp:12`. (clang 14 has no std::source_location.)
  static std::string here(const char* file = __builtin_FILE(), int line = __builtin_LINE());
  ~SourceLine() { detail::t_source_line = saved_; }
  SourceLine(const SourceLine&) = delete;
  SourceLine& operator=(const SourceLine&) = delete;

 private:
  std::string_view saved_;
};

}  // namespace ersatz
