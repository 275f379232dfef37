// Sums of rows of a table, compiled once per instruction set (bag_loops.inl). The .inl files include this header too,
// so it has plain types only and no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// A table of rows of C, and the bags of row indices to sum.
template <class C>
struct BagsOfRows {
  const C* table = nullptr;
  int64_t features = 0;              ///< elements of a row
  const int64_t* indices = nullptr;  ///< row indices of all bags
  int64_t known = 0;                 ///< number of `indices` that may be read
  int64_t padding = -1;              ///< an index that is skipped
  const C* factors = nullptr;        ///< one for each index, or null
  int64_t count = 0;                 ///< number of bags
  const int64_t* begin = nullptr;    ///< for each bag, the first position in `indices`, in [0, known)
  const int64_t* end = nullptr;      ///< for each bag, the position after the last; a bag with end < begin is empty
};

struct BagLoopTable {
  /// Writes the sum of each bag's rows, and the number of rows in the bag.
  void (*of_float)(const BagsOfRows<float>& bags, float* sums, int64_t* counts) = nullptr;
  void (*of_double)(const BagsOfRows<double>& bags, double* sums, int64_t* counts) = nullptr;
};

void fill_bag_loops_baseline(BagLoopTable& table);
void fill_bag_loops_avx2(BagLoopTable& table);
void fill_bag_loops_avx512(BagLoopTable& table);

}  // namespace ersatz
