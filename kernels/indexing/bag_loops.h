// Sums of rows of a table, compiled once per instruction set (bag_loops.inl). Included by those files too: plain types
// only, no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// Bags of rows of a table of C.
template <class C>
struct BagsOfRows {
  const C* table = nullptr;
  int64_t features = 0;              ///< of a row
  const int64_t* indices = nullptr;  ///< of the rows
  int64_t known = 0;                 ///< of the indices may be read: all that bags have
  int64_t padding = -1;              ///< an index that is left out
  const C* factors = nullptr;        ///< one an index, or null
  int64_t count = 0;                 ///< of bags
  const int64_t* begin = nullptr;    ///< of each bag's indices, in [0, known)
  const int64_t* end = nullptr;      ///< one before `begin` is as good as it
};

struct BagLoopTable {
  /// Writes the sum of each bag's rows, and how many there are.
  void (*of_float)(const BagsOfRows<float>& bags, float* sums, int64_t* counts) = nullptr;
  void (*of_double)(const BagsOfRows<double>& bags, double* sums, int64_t* counts) = nullptr;
};

void fill_bag_loops_baseline(BagLoopTable& table);
void fill_bag_loops_avx2(BagLoopTable& table);
void fill_bag_loops_avx512(BagLoopTable& table);

}  // namespace ersatz
