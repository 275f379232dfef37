// A file that says which operators a trace takes apart.
#pragma once

#include <string>

#include "tracer/trace/decomposition_table.h"

namespace ersatz::tools {

/// One operator a line; empty lines and what follows a `#` say nothing. InvalidArgument with the line for an operator
/// that is unknown or that nothing takes apart, and for a file that cannot be read.
DecompositionTable read_decompositions(const std::string& path);

}  // namespace ersatz::tools
