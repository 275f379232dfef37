// Ctrl-C in long work without the GIL.
#pragma once

#include <optional>
#include <utility>

#include "python/module/module.h"
#include "runtime/base/error.h"
#include "tools/output/interrupt.h"

namespace ersatz::python {

/// Runs `work` without the GIL and returns its result. On Ctrl-C the work stops at the next place where it can. Then
/// Python's SIGINT handler runs, which raises KeyboardInterrupt unless the program installed another. Only the main
/// thread receives signals: in other threads the work continues.
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
