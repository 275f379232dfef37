// A program as a table: a row for each result, in columns.
#pragma once

#include "tools/output/document.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

/// Inputs, nodes and outputs of every graph: name, operator, metadata, bytes, the user's line. Columns are as wide as
/// they need be; paths as short as can be told apart. The key `rows` has the same, with whole paths:
/// `[{"graph", "name", "op", "meta", "bytes", "source"}, ...]`; bytes are a number, an expression or null.
Document node_table(const Program& program);

}  // namespace ersatz::tools
