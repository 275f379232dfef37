// Prints a program as Python code for PyTorch, for bug reports and to compare runs. The code depends on no version of
// PyTorch and on no export format.
//
//   import torch
//
//   def inputs():                       # tensors of the recorded metadata; stored bytes where they are in memory
//       x = torch.empty_strided((2, 3), (3, 1), dtype=torch.float32, device='cpu').uniform_(-1, 1)
//       return [x]
//
//   def forward(x):
//       relu = torch.ops.aten.relu.default(x)                 # model.py:17
//       return [relu]
//
// Nested graphs become functions above `forward`. At the end, mutation outputs are copied into the inputs that they
// name, as in a run.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

struct PythonOptions {
  bool inline_values = false;  ///< writes the bytes of all weights; otherwise weights over 64 KiB get synthetic values
};

/// Prints the program. RAISES NotSupported, with the reason, if PyTorch cannot run it: PyTorch lacks operators (all are
/// named), or there are opaque objects, or inputs whose sizes are symbols without a hint.
std::string print_python(const Program& program, const PythonOptions& options = {});

}  // namespace ersatz
