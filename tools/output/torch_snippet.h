// The repro program of a finding as Python lines for PyTorch.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Lines that make the storages and tensors of `repro` (text form), call its operators by `torch.ops`, and print the
/// results' metadata. A comment at the head has the finding. Synthetic storages are random. No name of the program is
/// used. Empty if the text has unusual names, nested graphs or symbols.
std::string torch_snippet(const std::string& repro, const Finding& finding);

}  // namespace ersatz::tools
