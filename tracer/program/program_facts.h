// Copies facts about sizes between a program and its ShapeEnv.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// Adds the program's constraints and recorded conditions to its ShapeEnv as facts. The ShapeEnv already has the ranges
/// of single symbols. A second call changes nothing. RAISES InvalidArgument, with the facts, if no sizes satisfy them
/// or the example sizes do not.
void add_constraints(const Program& program);

/// Appends the decisions of a run about sizes to the program's conditions. The run may have used another ShapeEnv.
void add_conditions(Program& program, RecordedCondition::Kind kind, std::span<const Guard> decisions);

}  // namespace ersatz
