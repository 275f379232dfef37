// Runs of a live model, told call by call (tools/propagate/live_runs.h).
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

void bind_propagation(nb::module_& m);

}  // namespace ersatz::python
