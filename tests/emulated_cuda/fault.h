// What ends a program on the emulated device: one line that says what is wrong, then abort.
#pragma once

#include <fmt/format.h>

#include <string>

namespace ersatz::cuda_module::emulated {

/// What work is called: words, or a functor's mangled type name.
std::string readable(const char* name);

[[noreturn]] void fault_text(const std::string& what);

template <class... Args>
[[noreturn]] void fault(fmt::format_string<const Args&...> words, const Args&... args) {
  fault_text(fmt::vformat(words, fmt::make_format_args(args...)));
}

/// From now on an access to device memory that is closed, or no block's, ends in such a line. Faults at other addresses
/// go to the handler that was there before.
void watch_faults();

}  // namespace ersatz::cuda_module::emulated
