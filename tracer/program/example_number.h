// Example numbers for a program's numbers, so that calls can be bound and checked without a run.
#pragma once

#include <optional>

#include "runtime/op/value.h"
#include "tracer/program/graph.h"

namespace ersatz {

/// Returns an example number of this kind; nullopt for a tensor, an object and an unknown kind.
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
