// Examples of a program's numbers, for calls that are bound and checked without a run.
#pragma once

#include <optional>

#include "runtime/op/value.h"
#include "tracer/program/graph.h"

namespace ersatz {

/// Returns a number of the kind; nullopt for a tensor, an object and an unknown kind.
inline std::optional<Value> example_number(ValueKind kind) {
  switch (kind) {
    case ValueKind::Int:
      return Value(int64_t(1));
    case ValueKind::Float:
      return Value(1.0);
    case ValueKind::Bool:
      return Value(true);
    default:
      return std::nullopt;
  }
}

}  // namespace ersatz
