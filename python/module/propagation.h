// Propagation of a live model: its runs are passed on call by call (tools/propagate/live_runs.h).
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

void bind_propagation(nb::module_& m);

}  // namespace ersatz::python
