// What is kept of a value that was seen: metadata as they are, numbers, truth values and expressions over symbols.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// Object for what is neither a tensor, a real number nor a truth.
ValueKind value_kind(const Value& v);
/// Kind and record of the value; its other fields stay.
void record_value(Program& program, GraphValue& value, const Value& seen);

}  // namespace ersatz
