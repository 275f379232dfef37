// The message that an optional library, opened at first use, is not on this machine.
#pragma once

#include <cstdio>

namespace ersatz {

/// Prints one line on stderr. The caller tries to open the library only once, so the line appears once.
inline void say_missing_library(const char* file, const char* package, const char* instead) {
  std::fprintf(stderr, "ersatz: there is no %s here (Debian package %s): %s\n", file, package, instead);
}

}  // namespace ersatz
