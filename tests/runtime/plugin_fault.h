// Loading test plugins whose fault an environment variable chooses.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "runtime/base/error.h"
#include "runtime/plugin/plugin.h"

namespace ersatz {

/// The message of the InvalidArgument that `f` raises, or `accepted`.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << e.message;
    return e.message;
  }
  return "accepted";
}

/// Sets the fault that test plugins show, until the end of the scope.
struct Fault {
  explicit Fault(const char* name) { setenv("ERSATZ_TEST_FAULT", name, 1); }
  ~Fault() { unsetenv("ERSATZ_TEST_FAULT"); }
};

inline std::string load_error_of(const char* plugin, const char* fault) {
  const Fault f(fault);
  return error_of([&] { load_plugin(plugin); });
}

}  // namespace ersatz
