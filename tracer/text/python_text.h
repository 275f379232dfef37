// A program as Python for PyTorch, for bug reports and for comparing runs: no torch version, no export format.
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
// Nested graphs are functions before it. Mutation outputs are copied into their inputs at the end, as a run here does.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

struct PythonOptions {
  bool inline_values = false;  ///< the bytes of all weights; otherwise those of more than 64 KiB are made up
};

/// NotSupported, with the reason, where PyTorch cannot say it: operators that it lacks (all of them are named), opaque
/// objects, inputs whose sizes are symbols without an example.
std::string print_python(const Program& program, const PythonOptions& options = {});

}  // namespace ersatz
