// The functions of the live crosscheck that concern gradients.
#pragma once

#include "python/module/module.h"
#include "python/module/report_object.h"
#include "tools/live/live_session.h"

namespace ersatz::python {

/// Adds the functions to the session's class. REQUIRES: `Crosscheck` has `session()`, and `alone()`, which locks the
/// session.
template <class Crosscheck>
nb::class_<Crosscheck> bind_live_gradients(nb::class_<Crosscheck> type) {
  type.def(
          "judge_gradients",
          [](Crosscheck& c, const std::string& line, const std::string& at) {
            const auto lock = c.alone();
            return c.session().judge_gradients(line, at);
          },
          nb::arg("line"), nb::arg("at"))
      .def(
          "add_gradient_finding",
          [](Crosscheck& c, const FindingObject& f) {
            const auto lock = c.alone();
            c.session().add_gradient_findings({f.finding}, {}, "", f.finding.source);
          },
          nb::arg("finding"))
      .def(
          "count_gradients",
          [](Crosscheck& c, int64_t compared, const tools::CallCounts& left_out) {
            const auto lock = c.alone();
            c.session().gradients = {compared, left_out};
          },
          nb::arg("compared"), nb::arg("left_out"));
  return type;
}

}  // namespace ersatz::python
