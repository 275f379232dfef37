// Errors whose class depends on the version of PyTorch, listed in error_classes.def.
#pragma once

namespace ersatz {

void set_error_classes();

}  // namespace ersatz
