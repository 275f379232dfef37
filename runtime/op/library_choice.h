// Results that a call's arguments do not determine, because a library chooses one of several correct results.
//
// Examples: signs of eigenvectors, a basis of a degenerate eigenspace, the order of equal elements. Crosscheck does not
// compare these results element by element. It tests the equation that they satisfy, for example A V = V diag(w) with V
// orthonormal. Ops declare their choices while the registry is filled. Afterwards any thread may read them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

struct LibraryChoice {
  uint32_t free = 0;  ///< bit i: a library chooses result i; the other results are determined
  /// Returns how far a call's flat results are from satisfying their equation, relative to the size of its arguments.
  /// NaN if they contain NaN. REQUIRES: complete arguments, all tensors on the CPU.
  double (*residual)(std::span<const Value> args, std::span<const Value> results) = nullptr;
};

/// Is the residual of the results at most `tolerance`?
inline bool is_satisfied(const LibraryChoice& choice, std::span<const Value> args, std::span<const Value> results,
                         double tolerance) {
  return choice.residual(args, results) <= tolerance;  // false for NaN
}

/// Stores the choice for the op with the canonical name `op`. An overload that writes its results needs its own call.
void declare_library_choice(std::string_view op, LibraryChoice choice);
/// Returns the choice that was declared for an op; null if all its results are determined.
const LibraryChoice* library_choice(std::string_view op);

}  // namespace ersatz
