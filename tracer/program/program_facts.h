// Moves facts about sizes between a program and its ShapeEnv.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// Adds the program's constraints and recorded conditions to its environment as facts. Ranges of single symbols are
/// there already. A repeated call changes nothing. Raises InvalidArgument, with the facts, if no sizes or not the
/// example sizes satisfy them.
void add_constraints(const Program& program);

/// Appends the decisions that a run made about sizes to the program's conditions. The run may have used another
/// environment.
void add_conditions(Program& program, RecordedCondition::Kind kind, std::span<const Guard> decisions);

}  // namespace ersatz
