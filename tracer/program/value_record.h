// Records an observed value in a program. It may be tensor metadata, a number, a bool or an expression over symbols.
#pragma once

#include "tracer/program/program.h"

namespace ersatz {

/// Returns the kind of a value. It is Object unless the value is a tensor, a real number or a bool.
ValueKind value_kind(const Value& v);
/// Sets kind and record of `value` to those of `seen`. Other fields are unchanged.
void record_value(Program& program, GraphValue& value, const Value& seen);

}  // namespace ersatz
