// Rows: the innermost loops of elementwise ops, one for each row of the tables and compute dtype.
//
// A row computes n adjacent elements, all of its compute dtype (f16 and bf16 are computed in f32). The engine gathers,
// converts and scatters. Rows come from unary_table.def, binary_table.def and internal_rows.def and are compiled once
// for each instruction set. `find_row` returns the best one that this machine runs. This header is included by the
// sources of each instruction set too: it has plain types only and no inline functions.
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

/// The parameters of a call that are the same for all elements (`alpha`, `negative_slope`).
struct RowParams {
  double re[4] = {};
  double im[4] = {};
  int64_t integer[4] = {};
};

/// data[0] is the output, data[1] ... are the inputs. The output may be an input. A comparison writes bytes 0 and 1.
using RowKernel = void (*)(void* const* data, int64_t n, const RowParams& params);

/// The number of compute dtypes. The index of one in the table is its number in `DType`.
constexpr int kRowDTypes = 12;
struct RowTable {
  RowKernel kernels[kRowCount][kRowDTypes] = {};
};

// Each source sets the entries that it compiles; null entries are left alone.
void fill_rows_complex(RowTable& table);
void fill_rows_special(RowTable& table);
void fill_rows_baseline(RowTable& table);
void fill_rows_avx2(RowTable& table);
void fill_rows_avx512(RowTable& table);

}  // namespace ersatz::pointwise
