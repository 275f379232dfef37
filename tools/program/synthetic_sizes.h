// Example sizes for printed graphs whose text has none.
//
// Each symbol gets an example, so that the graph can run. A symbol may be a number that depends on data (`u0`,
// `n.item()`), and that number may never equal the example. Calls that depend on it are not compared with records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// Returns the symbols in `synthetic` that are numbers which depend on data. Symbols that are sizes of an input are
/// left out.
std::vector<std::string> synthetic_numbers(const Program& program, std::vector<std::string> synthetic);
/// True if an argument or a result of the call depends on a symbol in `synthetic`.
bool takes_synthetic(const NodeCall& call, std::span<const std::string> synthetic);
/// Removes the exporter's records from `facts`.
void drop_records(std::span<ResultFacts> facts);
/// Adds a note that lists the example sizes of the symbols in `synthetic`.
void note_synthetic(const Program& program, std::span<const std::string> synthetic, std::vector<std::string>& notes);

}  // namespace ersatz::tools
