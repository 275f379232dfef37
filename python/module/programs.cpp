// ersatz.load: programs.
#include "python/module/module.h"

namespace ersatz::python {
void bind_programs(nb::module_&) {}
}  // namespace ersatz::python
