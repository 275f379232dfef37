// How the elementwise engine walks over N strided operands of one shape: which dims, in which order, in which blocks.
//
// Dims of size 1 vanish, the others are ordered by the first operand's strides (the output) and merged where every
// operand allows it. What is left is walked in blocks of n0 x n1 elements (dim 0 innermost); an operand that is fastest
// along another dim than the output has that dim moved to place 1, so that a block of it can be transposed in cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/base/inline_vec.h"

namespace ersatz::pointwise {

inline constexpr int kMaxOperands = 8;

struct LoopDim {
  int64_t size = 1;
  int64_t stride[kMaxOperands] = {};  ///< in bytes
};

/// One operand as the plan sees it.
struct LoopOperand {
  std::byte* data = nullptr;
  int64_t item = 1;                  ///< bytes of one element
  std::span<const int64_t> strides;  ///< in elements, one per dim; empty: broadcast over everything
};

struct LoopPlan {
  InlineVec<LoopDim, 6> dims;  ///< innermost first; at least two, padded with size 1
  int operands = 0;
  bool transposed = false;  ///< an operand is fastest along dim 1
  int64_t numel = 0;
  int64_t block0 = 0, block1 = 0;  ///< the most elements of a block in dims 0 and 1

  /// Dims only: the caller then decides the blocks with `set_blocks`.
  LoopPlan(std::span<const int64_t> sizes, std::span<const LoopOperand> operands);
  /// Blocks of at most `elements` (one or more), whole rows of dim 0 where they fit; square ones when transposed.
  void set_blocks(int64_t elements);
  int64_t block_count() const;
};

/// One block: where each operand begins, and how many elements in dims 0 and 1.
using BlockBody = void (*)(void* context, std::byte* const* data, int64_t n0, int64_t n1);
/// Calls the body for every block, on several threads where the work is worth it.
void for_each_block(const LoopPlan& plan, std::span<const LoopOperand> operands, BlockBody body, void* context);

}  // namespace ersatz::pointwise
