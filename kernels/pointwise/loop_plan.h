// Plans how the elementwise engine iterates over N strided operands of one shape: the dims, their order and the blocks.
//
// Dims of size 1 are dropped. The others are ordered by the strides of operand 0 (the output), and two dims are merged
// if every operand allows it. The engine iterates in blocks of n0 x n1 elements (dim 0 innermost). If the smallest
// stride of an operand and that of the output are along different dims, the operand's dim becomes dim 1, so that a
// block can be transposed in cache.
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

/// An operand of the loop: its memory, element size and strides.
struct LoopOperand {
  std::byte* data = nullptr;
  int64_t item = 1;                  ///< bytes of one element
  std::span<const int64_t> strides;  ///< in elements, one for each dim; empty: the operand is broadcast over all dims
};

struct LoopPlan {
  InlineVec<LoopDim, 6> dims;  ///< innermost first; at least two, because missing dims are added with size 1
  int operands = 0;
  bool transposed = false;  ///< dim 1 is the dim in which some operand has its smallest stride
  int64_t numel = 0;
  int64_t block0 = 0, block1 = 0;  ///< sizes of the largest block in dims 0 and 1

  /// Plans the dims. REQUIRES: the caller then sets the blocks by `set_blocks`.
  LoopPlan(std::span<const int64_t> sizes, std::span<const LoopOperand> operands);
  /// Makes blocks of at most `elements` elements: whole rows of dim 0 if they fit, square blocks if `transposed`.
  void set_blocks(int64_t elements);
  int64_t block_count() const;
};

/// Computes one block: `data` has the block's address in each operand; n0 and n1 are its sizes in dims 0 and 1.
using BlockBody = void (*)(void* context, std::byte* const* data, int64_t n0, int64_t n1);
/// Calls `body` for every block, on several threads if there is enough work.
void for_each_block(const LoopPlan& plan, std::span<const LoopOperand> operands, BlockBody body, void* context);

}  // namespace ersatz::pointwise
