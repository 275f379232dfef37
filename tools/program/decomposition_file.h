// Reads a file that lists the operators that a trace decomposes.
#pragma once

#include <string>

#include "tracer/trace/decomposition_table.h"

namespace ersatz::tools {

/// Reads one operator per line. Empty lines and text after `#` are ignored. RAISES InvalidArgument, with the line, for
/// an operator that is unknown or has no decomposition, and for a file that cannot be read.
DecompositionTable read_decompositions(const std::string& path);

}  // namespace ersatz::tools
