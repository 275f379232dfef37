// Schemas for which the build writes typed functions, as `ops::flip(self, dims)`.
//
// The functions are declared in a generated header, typed/shape/flip.h. kernels/shape/flip.h, which defines the schema,
// includes that header, and the comment above the schema documents the functions. cmake/typed_functions.cpp says how a
// signature follows from a schema.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// Declares a typed function for the in-place form too: `put_` in addition to `put`.
inline constexpr struct AndInplace {
} kAndInplace;

/// A schema with a typed C++ function. In a family of ops, each further string makes one function: it has the texts for
/// the placeholders `{}`, with `|` between them: `TypedSchema kVariance{"aten::{}(Tensor self) -> {}", "var|Tensor",
/// "std|Tensor"}`. Only cmake/typed_functions.cpp reads that.
class TypedSchema : public Schema {
 public:
  template <class... Forms>
  consteval explicit TypedSchema(const char* text, const Forms&...) : Schema(text) {}
};

}  // namespace ersatz
