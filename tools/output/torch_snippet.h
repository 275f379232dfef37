// Writes the repro program of a finding as Python code for PyTorch.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Returns Python code that makes the storages and tensors of `repro` (text form), calls its operators through
/// `torch.ops`, and prints the results' metadata. A comment at the start has the finding. Synthetic storages get random
/// values. No name of the program is used in the code. Empty if `repro` has unusual names, nested graphs or symbols.
std::string torch_snippet(const std::string& repro, const Finding& finding);

}  // namespace ersatz::tools
