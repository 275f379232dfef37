// The classes of errors that earlier versions of PyTorch raise, by error_classes.def.
#pragma once

namespace ersatz {

void set_error_classes();

}  // namespace ersatz
