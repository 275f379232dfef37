// A finding's call as a program of its own, in the text form: `ersatz crosscheck` takes it and shows the finding again.
#pragma once

#include <string>

#include "fake/finding.h"

namespace ersatz::tools {

/// The call's tensors become inputs with their exact metadata, storage sharing and, where they are small, values; what
/// the deciding witness says of each result stands as its record.
std::string print_repro(const FindingCall& call);

}  // namespace ersatz::tools
