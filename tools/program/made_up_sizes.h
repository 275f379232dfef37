// Sizes of a printed graph whose text does not say what they were.
//
// Each symbol has an example, so that the graph can be run. Where the symbol is no size of an input, but a number that
// data give (`u0`, `n.item()`), the example may be one that no data give: calls that take it are not judged by records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// Those symbols of `made_up` that are numbers of data, and no sizes of an input.
std::vector<std::string> made_up_numbers(const Program& program, std::vector<std::string> made_up);
/// Does an argument or a result of the call depend on such a number?
bool takes_made_up(const NodeCall& call, std::span<const std::string> made_up);
/// Takes the records away.
void drop_records(std::span<ResultFacts> facts);
/// Says for people which sizes were taken.
void note_made_up(const Program& program, std::span<const std::string> made_up, std::vector<std::string>& notes);

}  // namespace ersatz::tools
