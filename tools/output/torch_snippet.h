// The program of a finding as a few lines of Python for PyTorch.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Lines that make the storages and tensors of `repro` (text form), call its operators by `torch.ops`, and print the
/// metadata of what they return; at their head what the finding says. Made storages are random numbers. Nothing of the
/// program's own names is in them. Empty where the text cannot be said so: unusual names, nested graphs, symbols.
std::string torch_snippet(const std::string& repro, const Finding& finding);

}  // namespace ersatz::tools
