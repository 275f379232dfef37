// A finding's call as a program of its own, in the text form: `ersatz crosscheck` takes it and shows the finding again.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// The call's tensors become inputs with their exact metadata and storage sharing. What they hold is kept where the
/// finding may depend on it and it is small (4 KiB a storage, 16 KiB in all), otherwise made up from the seed. What the
/// deciding witness says of a result becomes its record: metadata, a number, the argument whose storage it shares.
///
/// Empty where the call cannot be made again: it left its arguments fewer bytes than they had.
///
/// A program cannot say everything that a witness does (which values came out, which error): whether it shows the
/// finding is found by running it (tools/program/repro_check.h).
std::string print_repro(const FindingCall& call);

}  // namespace ersatz::tools
