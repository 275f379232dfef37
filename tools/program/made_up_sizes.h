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

/// The symbols of `made_up` that are numbers which depend on data, and not sizes of an input.
std::vector<std::string> made_up_numbers(const Program& program, std::vector<std::string> made_up);
/// True if an argument or a result of the call depends on a number in `made_up`.
bool takes_made_up(const NodeCall& call, std::span<const std::string> made_up);
/// Removes the records.
void drop_records(std::span<ResultFacts> facts);
/// Adds a note that lists the example sizes.
void note_made_up(const Program& program, std::span<const std::string> made_up, std::vector<std::string>& notes);

}  // namespace ersatz::tools
