// A note about a thread's current work, which is printed if the thread crashes.
//
// A crashing kernel ends the program. While a note exists, a fatal signal on its thread first prints the note to
// stderr. If another handler is installed already (a sanitizer's), CrashNote installs none.
#pragma once

#include <initializer_list>
#include <string_view>

namespace ersatz::tools {

class CrashNote {
 public:
  /// Copies the text, cut to a fixed length. A thread may have only one note at a time.
  explicit CrashNote(std::string_view text) : CrashNote(std::initializer_list<std::string_view>{text}) {}
  /// The note is the concatenation of `pieces`.
  explicit CrashNote(std::initializer_list<std::string_view> pieces);
  ~CrashNote();
  /// Installs the signal handlers now, instead of at the first note. A module that is loaded later and installs
  /// handlers (the emulated device) then passes on the signals that it does not handle.
  static void watch();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

}  // namespace ersatz::tools
