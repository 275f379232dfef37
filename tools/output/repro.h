// Prints the call of a finding as a one-call program in the text form. `ersatz crosscheck` runs it to show the finding
// again.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// The call's tensors become inputs with their exact metadata and storage sharing. Their contents are kept if the
/// finding may depend on them and they are small (4 KiB a storage, 16 KiB in all); other contents come from the seed.
/// The program's recorded result is the one that decided the finding: metadata, a number, or the argument whose storage
/// it shares.
///
/// Empty if the call cannot be repeated, because it left its arguments with fewer bytes.
///
/// The program lacks some evidence of the finding, for example values and errors. tools/program/repro_check.h runs it
/// to see whether the finding occurs again.
std::string print_repro(const FindingCall& call);

}  // namespace ersatz::tools
