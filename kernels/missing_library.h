// What is said, once each, where a library that is opened at first use is not on this machine.
#pragma once

#include <cstdio>

namespace ersatz {

/// One line on stderr. Called by what opens the library, which tries once.
inline void say_missing_library(const char* file, const char* package, const char* instead) {
  std::fprintf(stderr, "ersatz: there is no %s here (Debian package %s): %s\n", file, package, instead);
}

}  // namespace ersatz
