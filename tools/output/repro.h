// A finding's call as a one-call program in the text form, which `ersatz crosscheck` runs to show the finding again.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// The call's tensors become inputs with their exact metadata and storage sharing. Their contents are kept if the
/// finding may depend on them and they are small (4 KiB a storage, 16 KiB in all); other contents come from the seed.
/// The deciding witness's result becomes the record: metadata, a number, or the argument whose storage it shares.
///
/// Empty if the call cannot be repeated because it left its arguments with fewer bytes.
///
/// A program has less information than a witness (which values, which error). Running it shows whether the finding
/// comes again (tools/program/repro_check.h).
std::string print_repro(const FindingCall& call);

}  // namespace ersatz::tools
