// The elementwise engine: runs one row over N strided operands of any dtypes.
//
// Dims are coalesced and ordered (loop_plan.h). Where every operand is contiguous and of its compute dtype the row runs
// over the memory itself. Elsewhere the work is cut into blocks that fit the first cache; an operand that is strided,
// transposed, broadcast or of another dtype is gathered and converted into a small buffer, the row runs over buffers,
// and the result is converted and scattered. Big work goes to the pool.
//
// The output may be the very memory of an input, element by element; other overlaps are the caller's to resolve.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/pointwise/row_table.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::pointwise {

struct EngineOperand {
  std::byte* data = nullptr;
  DType dtype = DType::F32;          ///< as stored
  DType compute = DType::F32;        ///< as the row sees it
  std::span<const int64_t> strides;  ///< in elements, one per dim of `sizes`; empty: one value for all
};

inline constexpr int kMaxEngineOperands = 5;

/// operands[0] is the output. REQUIRES: at most kMaxEngineOperands; sizes without symbols.
void run_engine(RowKernel kernel, std::span<const int64_t> sizes, std::span<const EngineOperand> operands,
                const RowParams& params = {});

}  // namespace ersatz::pointwise
