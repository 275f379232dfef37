// Propagation of a live model: gets the calls of its runs one by one (tools/propagate/live_runs.h).
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

void bind_propagation(nb::module_& m);

}  // namespace ersatz::python
