// Products of few rows with many rows, computed as dot products. dot_loops.inl is compiled once per instruction set and
// includes this header, which therefore has plain types only and no inline functions.
//
// A BLAS library copies its operands into packed blocks, which pays only if each row is read many times. The loops here
// read both operands in place.
#pragma once

#include <stdint.h>

namespace ersatz {

/// Computes y[i, j] = alpha * sum over c of x[i, c] w[j, c], plus beta * y[i, j] unless beta is 0. REQUIRES: the
/// elements of a row are adjacent. A pitch is the stride between rows.
struct DotProblem {
  const float* x = nullptr;
  const float* w = nullptr;
  float* y = nullptr;
  int64_t x_pitch = 0, w_pitch = 0, y_pitch = 0;
  int64_t x_rows = 0, w_rows = 0, terms = 0;
  float alpha = 1, beta = 0;
};

struct DotLoopTable {
  void (*of_float)(const DotProblem& problem) = nullptr;
  int64_t most_rows = 0;  ///< the largest number of rows of x for which these loops are faster than a BLAS library
};

void fill_dot_loops_baseline(DotLoopTable& table);  ///< adds no loops
void fill_dot_loops_avx2(DotLoopTable& table);
void fill_dot_loops_avx512(DotLoopTable& table);

}  // namespace ersatz
