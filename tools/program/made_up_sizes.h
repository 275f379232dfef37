// Sizes of a printed graph whose text does not say what they were.
//
// Each symbol has an example, so that the graph can be run. One of a size that follows from data (`u0`) may be a value
// that no data give: what takes it is not judged by records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// Does an argument or a result of the call depend on such a size? `made_up`: symbols whose examples were made up.
bool takes_made_up(const NodeCall& call, std::span<const std::string> made_up);
/// Takes the records away.
void drop_records(std::span<ResultFacts> facts);
/// Says for people which sizes were taken.
void note_made_up(const Program& program, std::span<const std::string> made_up, std::vector<std::string>& notes);

}  // namespace ersatz::tools
