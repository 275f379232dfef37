// What a program declares of its sizes, told to its environment.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// The program's constraints become facts of its environment; ranges of single symbols are that already. Twice is once.
/// InvalidArgument: constraints that no sizes satisfy, or that the example sizes do not; it names both.
void add_constraints(const Program& program);

}  // namespace ersatz
