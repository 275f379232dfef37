// Faults on the emulated device: the program prints the fault in one line, then aborts.
#pragma once

#include <fmt/format.h>

#include <string>

namespace ersatz::cuda_module::emulated {

/// Returns the readable name of a piece of work, which is given as words or as a functor's mangled type name.
std::string readable(const char* name);

[[noreturn]] void fault_text(const std::string& what);

template <class... Args>
[[noreturn]] void fault(fmt::format_string<const Args&...> words, const Args&... args) {
  fault_text(fmt::vformat(words, fmt::make_format_args(args...)));
}

/// Installs a SIGSEGV handler. An access to device memory that is closed or not allocated ends the program with one
/// line. Faults at other addresses go to the previous handler.
void watch_faults();

}  // namespace ersatz::cuda_module::emulated
