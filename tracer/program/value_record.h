// Records an observed value in a program: tensor metadata, numbers, bools and expressions over symbols.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// Returns Object for a value that is neither a tensor nor a real number nor a bool.
ValueKind value_kind(const Value& v);
/// Sets kind and record of `value` from `seen`; other fields are unchanged.
void record_value(Program& program, GraphValue& value, const Value& seen);

}  // namespace ersatz
