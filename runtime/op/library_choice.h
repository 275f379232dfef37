// Results that a call's arguments do not fully determine, because a library chooses one of several correct results.
//
// Examples: signs of eigenvectors, a basis of a degenerate eigenspace, the order of equal elements. Crosscheck does not
// compare these results element by element. Instead it tests the equation that they satisfy, for example A V = V
// diag(w) with V orthonormal. Ops declare their choices while the registry is filled; afterwards any thread may read
// them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

struct LibraryChoice {
  uint32_t free = 0;  ///< bit i is set if a library chooses result i; the other results are determined by the arguments
  /// Returns by how much the results (lists flattened) miss their equation, relative to the size of the arguments. NaN
  /// if a result contains NaN. REQUIRES: complete arguments, and all tensors on the CPU.
  double (*residual)(std::span<const Value> args, std::span<const Value> results) = nullptr;
};

/// Is the residual of the results at most `tolerance`? False if the residual is NaN.
inline bool is_satisfied(const LibraryChoice& choice, std::span<const Value> args, std::span<const Value> results,
                         double tolerance) {
  return choice.residual(args, results) <= tolerance;  // false for NaN
}

/// Stores the choice of the op with the canonical name `op`. For an `out=` overload, call this function again.
void declare_library_choice(std::string_view op, LibraryChoice choice);
/// Returns the choice that was declared for an op: which of its results a backend library may choose. Null if the
/// arguments determine all results.
const LibraryChoice* library_choice(std::string_view op);

}  // namespace ersatz
