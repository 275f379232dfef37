// Prints the call of a finding as a one-call program in the text form. `ersatz crosscheck` runs it to show the finding
// again.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// The call's tensors become inputs with their exact metadata and storage sharing. Their contents are kept if the
/// finding may depend on them and they are small (4 KiB a storage, 16 KiB in all). Other contents come from the seed.
/// The program records the result that decided the finding: metadata, a number, or the argument with which it shares
/// storage.
///
/// Empty if the call cannot be repeated, because it left an argument with fewer bytes than its metadata need.
///
/// The program lacks some evidence of the finding, for example values and errors. tools/program/repro_check.h runs it
/// to see whether the finding occurs again.
std::string print_repro(const FindingCall& call);

}  // namespace ersatz::tools
