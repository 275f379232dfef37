// Results that a call's arguments do not determine: the library that computes them chooses among several right ones.
//
// Signs of eigenvectors, a basis of a degenerate space, the order of what is equal. Such results are not held against
// other ones element by element but against what they have to satisfy: A V = V diag(w), V orthonormal. Ops say so while
// the registry is filled; reading is safe on any thread afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

struct LibraryChoice {
  uint32_t free = 0;  ///< bit i: result i is chosen; the others are determined
  /// How far the results of a call, flat, are from what they have to satisfy, relative to the size of its arguments;
  /// NaN where they are. Arguments complete, everything on the CPU.
  double (*residual)(std::span<const Value> args, std::span<const Value> results) = nullptr;
};

/// Do the results satisfy what they have to, to within that share of the arguments' size?
inline bool is_satisfied(const LibraryChoice& choice, std::span<const Value> args, std::span<const Value> results,
                         double tolerance) {
  return choice.residual(args, results) <= tolerance;  // not so where it is NaN
}

/// `op` is the canonical name; of an overload that writes its results too.
void declare_library_choice(std::string_view op, LibraryChoice choice);
/// Null: all results of that op are determined.
const LibraryChoice* library_choice(std::string_view op);

}  // namespace ersatz
