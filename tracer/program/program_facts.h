// What a program says of its sizes, told to its environment, and back.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// The program's constraints and recorded conditions become facts of its environment; ranges of single symbols are so
/// already. Twice is once. InvalidArgument: some that no sizes satisfy, or that the examples do not; it names both.
void add_constraints(const Program& program);

/// What a run decided of sizes, in its own environment maybe, becomes a condition of the program, behind those that it
/// has.
void add_conditions(Program& program, RecordedCondition::Kind kind, std::span<const Guard> decisions);

}  // namespace ersatz
