// A note on the current work of a thread, which is printed if it crashes.
//
// A crashing kernel ends the program. While a note exists, a fatal signal on its thread first prints the note to
// stderr. If another handler exists (a sanitizer's), nothing is installed.
#pragma once

#include <initializer_list>
#include <string_view>

namespace ersatz::tools {

class CrashNote {
 public:
  /// Copies the text, cut to a fixed length. Notes do not nest.
  explicit CrashNote(std::string_view text) : CrashNote(std::initializer_list<std::string_view>{text}) {}
  /// The note is the concatenation of the pieces.
  explicit CrashNote(std::initializer_list<std::string_view> pieces);
  ~CrashNote();
  /// Installs the signal handlers now, and not at the first note. A module that is loaded later and has handlers too
  /// (the emulated device) then passes on the signals that it does not handle.
  static void watch();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

}  // namespace ersatz::tools
