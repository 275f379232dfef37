// Prints a program as a table with one row for each result.
#pragma once

#include "tools/output/document.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

/// Returns rows for the inputs, nodes and outputs of every graph: name, operator, metadata, bytes, the user's line.
/// Columns are as narrow as possible, and paths as short as they can be without ambiguity. The key `rows` has the rows
/// with whole paths: `[{"graph", "name", "op", "meta", "bytes", "source"}, ...]`. `bytes` is a number, an expression or
/// null.
Document node_table(const Program& program);

}  // namespace ersatz::tools
