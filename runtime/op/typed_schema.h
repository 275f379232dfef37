// A schema for which the build writes a typed function, as `ops::flip(self, dims)`.
//
// The function is declared in a generated header, typed/shape/flip.h. kernels/shape/flip.h, which defines the schema,
// includes that header, and the comment above the schema documents the function.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// A Schema: the name is what cmake/typed_functions.cpp looks for.
using TypedSchema = Schema;

}  // namespace ersatz
