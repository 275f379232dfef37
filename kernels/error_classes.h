// Registers the errors whose class depends on the version of PyTorch. error_classes.def lists them.
#pragma once

namespace ersatz {

void set_error_classes();

}  // namespace ersatz
