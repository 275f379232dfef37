// Helpers to load test plugins. An environment variable chooses the plugin's fault.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "runtime/base/error.h"
#include "runtime/plugin/plugin.h"

namespace ersatz {

/// Returns the message of the InvalidArgument that `f` raises, or `accepted`.
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

/// Scope in which test plugins have the fault `name`.
struct Fault {
  explicit Fault(const char* name) { setenv("ERSATZ_TEST_FAULT", name, 1); }
  ~Fault() { unsetenv("ERSATZ_TEST_FAULT"); }
};

inline std::string load_error_of(const char* plugin, const char* fault) {
  const Fault f(fault);
  return error_of([&] { load_plugin(plugin); });
}

}  // namespace ersatz
