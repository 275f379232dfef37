// ersatz.load: programs.
#include <nanobind/stl/string.h>

#include "fake/crosscheck/finding.h"
#include "python/module/module.h"

namespace ersatz::python {
namespace {

template <class Enum>
Enum named(std::string_view text, int count) {
  for (int i = 0; i < count; ++i) {
    if (name(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  fail_argument("'{}' is no name that findings use", text);
}

std::string finding_text(std::string node, std::string op, int result, const std::string& field, std::string predicted,
                         const std::string& witness, std::string observed, std::string source) {
  Finding f;
  f.node = std::move(node);
  f.op = std::move(op);
  f.result = result;
  f.field = named<FindingField>(field, kFindingFieldCount);
  f.predicted = std::move(predicted);
  f.observed = std::move(observed);
  f.witness = named<Witness>(witness, static_cast<int>(Witness::Declaration) + 1);
  f.source = std::move(source);
  return to_string(f);
}

}  // namespace

void bind_programs(nb::module_& m) {
  m.def("finding_text", &finding_text, nb::arg("node"), nb::arg("op"), nb::arg("result"), nb::arg("field"),
        nb::arg("predicted"), nb::arg("witness"), nb::arg("observed"), nb::arg("source"), "A finding as one line.");
}

}  // namespace ersatz::python
