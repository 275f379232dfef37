// Schemas for which the build generates typed functions: `ops::flip(self, dims)`.
//
// The functions are declared in a generated header, for example typed/shape/flip.h. The header that defines the schema,
// kernels/shape/flip.h, includes the generated one, and the comment above the schema documents the functions.
// cmake/typed_functions.cpp explains how a signature is made from a schema.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz {

/// Requests a typed function for the in-place variant too: `put_` in addition to `put`.
inline constexpr struct AndInplace {
} kAndInplace;

/// A schema with a typed C++ function. For a family of ops, each further string requests one function. It has the texts
/// that replace the placeholders `{}`, separated by `|`. Only cmake/typed_functions.cpp reads these strings. Example:
/// `TypedSchema kVariance{"aten::{}(Tensor self) -> {}", "var|Tensor", "std|Tensor"}`.
class TypedSchema : public Schema {
 public:
  template <class... Forms>
  consteval explicit TypedSchema(const char* text, const Forms&...) : Schema(text) {}
};

}  // namespace ersatz
