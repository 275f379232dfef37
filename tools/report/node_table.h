// A program as a table with one row for each result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

/// Rows for inputs, nodes and outputs of every graph: name, operator, metadata, bytes, the user's line. Columns are as
/// narrow as possible, and paths as short as they can be without ambiguity.
std::string node_table(const Program& program);

/// The rows as JSON: `[{"graph", "name", "op", "meta", "bytes", "source"}, ...]`, with whole paths. `bytes` is a
/// number, an expression or null.
nlohmann::ordered_json node_rows(const Program& program);

}  // namespace ersatz::tools
