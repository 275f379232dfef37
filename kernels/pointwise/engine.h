// The elementwise engine: runs one row (an op of the tables, row.h) over N strided operands of any dtypes.
//
// The plan orders and merges dims (loop_plan.h). If every operand is contiguous and stored in its compute dtype, the
// row runs on the memory itself. Otherwise the work is cut into blocks that fit the L1 cache. An operand that is
// strided, transposed, broadcast or of another dtype is gathered and converted into a small buffer. The row runs on the
// buffers, and its result is converted and scattered. Large work uses the thread pool.
//
// REQUIRES: the output overlaps no input, or has exactly the memory of an input, element by element.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/pointwise/row_table.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::pointwise {

struct EngineOperand {
  std::byte* data = nullptr;
  DType dtype = DType::F32;          ///< the dtype in memory
  DType compute = DType::F32;        ///< the dtype that the row computes in
  std::span<const int64_t> strides;  ///< in elements, one for each dim; empty: the operand is one element
};

inline constexpr int kMaxEngineOperands = 5;

/// Runs `kernel` over `sizes`. operands[0] is the output. REQUIRES: there are at most kMaxEngineOperands operands, and
/// no size is symbolic.
void run_engine(RowKernel kernel, std::span<const int64_t> sizes, std::span<const EngineOperand> operands,
                const RowParams& params = {});

}  // namespace ersatz::pointwise
