// The functions with which each file adds its part to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace ersatz::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_autograd(nb::module_& m);
void bind_tensors(nb::module_& m);
void bind_modes(nb::module_& m);
void bind_operators(nb::module_& m);
void bind_reports(nb::module_& m);
void bind_programs(nb::module_& m);
void bind_commands(nb::module_& m);
void bind_live(nb::module_& m);
void bind_validation(nb::module_& m);
void bind_torch_graph(nb::module_& m);
void bind_torch_graph_check(nb::module_& m);
void bind_torch_answers(nb::module_& m);

}  // namespace ersatz::python
