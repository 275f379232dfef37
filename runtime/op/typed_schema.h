// A schema for which the build writes a typed function: `ops::flip(self, dims)`, declared in typed/shape/flip.h, which
// the header that spells the schema includes. What is to be said of the function stands above its schema.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// A Schema: the name is what cmake/typed_functions.cpp looks for.
using TypedSchema = Schema;

}  // namespace ersatz
