// What this thread works on, for the one line that a crash leaves.
//
// A kernel that crashes takes the program with it. While a note lives, a fatal signal on its thread prints the note to
// stderr before the program dies as it would have. Where somebody else handles these signals (a sanitizer), nothing is
// installed.
#pragma once

#include <initializer_list>
#include <string_view>

namespace ersatz::tools {

class CrashNote {
 public:
  /// Costs a copy of a few bytes. Long texts are cut. Notes do not nest.
  explicit CrashNote(std::string_view text) : CrashNote(std::initializer_list<std::string_view>{text}) {}
  /// The pieces one behind the other.
  explicit CrashNote(std::initializer_list<std::string_view> pieces);
  ~CrashNote();
  /// Watches for the signals from now on and not only from the first note: a module that is loaded in between and
  /// handles them too (the emulated device) then hands on what is not its own.
  static void watch();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

}  // namespace ersatz::tools
