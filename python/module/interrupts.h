// Lets Ctrl-C end long work that runs without the GIL.
#pragma once

#include <optional>
#include <utility>

#include "python/module/module.h"
#include "runtime/base/error.h"
#include "tools/output/interrupt.h"

namespace ersatz::python {

/// Runs `work` without the GIL and returns its result. After Ctrl-C, the work stops at the next place at which it can.
/// Then Python's SIGINT handler runs, which raises KeyboardInterrupt unless the program has installed another handler.
/// Only the main thread gets signals, so in other threads the work goes on.
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
