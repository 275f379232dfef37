// Ctrl-C in long work without the GIL.
#pragma once

#include <optional>
#include <utility>

#include "python/module/module.h"
#include "runtime/base/error.h"
#include "tools/output/interrupt.h"

namespace ersatz::python {

/// Does the work without the GIL. On Ctrl-C the work leaves off at the next place where it can, and what Python does on
/// SIGINT is done: KeyboardInterrupt is raised, unless the program has another handler. Signals are the main thread's:
/// in any other one the work goes on.
template <class F>
auto interruptible(F&& work) {
  const nb::object threading = nb::module_::import_("threading");
  const bool is_main = threading.attr("current_thread")().is(threading.attr("main_thread")());
  bool seen = false;
  const auto signalled = [&] {
    if (!seen) return;
    PyErr_SetInterrupt();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  try {
    auto result = [&] {
      const nb::gil_scoped_release released;
      std::optional<tools::InterruptScope> watched;
      if (is_main) watched.emplace();
      try {
        auto r = work();
        seen = is_main && tools::interrupted();
        return r;
      } catch (...) {
        seen = is_main && tools::interrupted();
        throw;
      }
    }();
    signalled();
    return result;
  } catch (const tools::Interruption& left_off) {
    signalled();
    fail_argument("interrupted {}", left_off.during);
  } catch (const Error&) {
    signalled();
    throw;
  }
}

}  // namespace ersatz::python
