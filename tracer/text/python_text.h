// Prints a program as Python for PyTorch, for bug reports and to compare runs. The text depends on no version of
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
// Nested graphs become functions above `forward`. Mutation outputs are copied into their inputs at the end, like in a
// run.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

struct PythonOptions {
  bool inline_values = false;  ///< print the bytes of all weights; otherwise weights over 64 KiB get synthetic values
};

/// Raises NotSupported, with the reason, for a program that PyTorch cannot run: operators that PyTorch lacks (all are
/// named), opaque objects, inputs whose sizes are symbols without an example.
std::string print_python(const Program& program, const PythonOptions& options = {});

}  // namespace ersatz
