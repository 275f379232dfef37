// Example sizes for printed graphs whose text does not have them.
//
// Each symbol gets an example, so that the graph can run. If the symbol is a number that depends on data (`u0`,
// `n.item()`), no data may give that example. Calls that depend on it are not compared with records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// The symbols of `synthetic` that are numbers which depend on data, and not sizes of an input.
std::vector<std::string> synthetic_numbers(const Program& program, std::vector<std::string> synthetic);
/// True if an argument or a result of the call depends on a number in `synthetic`.
bool takes_synthetic(const NodeCall& call, std::span<const std::string> synthetic);
/// Removes the records.
void drop_records(std::span<ResultFacts> facts);
/// Adds a note that lists the example sizes.
void note_synthetic(const Program& program, std::span<const std::string> synthetic, std::vector<std::string>& notes);

}  // namespace ersatz::tools
