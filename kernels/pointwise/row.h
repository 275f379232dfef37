// Rows: the innermost loops of elementwise ops. There is one loop for each row of the tables and each compute dtype.
//
// A row computes n adjacent elements of its compute dtype (f32 for f16 and bf16). The engine (engine.h) gathers,
// converts and scatters operands of other layouts and dtypes. The rows of unary_table.def, binary_table.def and
// internal_rows.def are compiled once for each instruction set. `find_row` returns the best loop that this machine can
// run. This header has plain types only and no inline functions, because sources of each instruction set include it.
#pragma once

#include <stdint.h>

namespace ersatz::pointwise {

enum class Row : uint16_t {
#define UNARY(name, ...) name,
#define BINARY(name, ...) name,
#define ROW1(name, ...) name,
#define ROW2(name, ...) name,
#define ROW3(name, ...) name,
#include "kernels/pointwise/all_rows.def"
  kCount
};
constexpr int kRowCount = static_cast<int>(Row::kCount);

/// The numbers of a call that are equal for all elements (`alpha`, `negative_slope`).
struct RowParams {
  double re[4] = {};
  double im[4] = {};
  int64_t integer[4] = {};
};

/// Computes n elements. data[0] is the output and may be one of the inputs data[1], data[2], ... A comparison writes
/// bytes 0 or 1.
using RowKernel = void (*)(void* const* data, int64_t n, const RowParams& params);

/// The number of compute dtypes. A dtype's index in RowTable is its number in `DType`.
constexpr int kRowDTypes = 12;
struct RowTable {
  RowKernel kernels[kRowCount][kRowDTypes] = {};
};

// Each function sets the entries for which it has a loop, and leaves the other entries as they are.
void fill_rows_complex(RowTable& table);
void fill_rows_special(RowTable& table);
void fill_rows_baseline(RowTable& table);
void fill_rows_avx2(RowTable& table);
void fill_rows_avx512(RowTable& table);

}  // namespace ersatz::pointwise
