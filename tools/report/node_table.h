// A program as a table: a row for each result, in columns.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

/// Inputs, nodes and outputs of every graph: name, operator, metadata, bytes, the user's line. Columns are as wide as
/// they need be; paths as short as can be told apart.
std::string node_table(const Program& program);

/// The same rows: `[{"graph", "name", "op", "meta", "bytes", "source"}, ...]`, whole paths; bytes are a number, an
/// expression or null.
nlohmann::ordered_json node_rows(const Program& program);

}  // namespace ersatz::tools
