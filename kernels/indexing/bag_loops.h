// Loops that sum rows of a table, compiled once per instruction set (bag_loops.inl). The .inl files include this header
// too, so it has only plain types and no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// A table whose elements have type C, and the bags of row indices whose rows are summed.
template <class C>
struct BagsOfRows {
  const C* table = nullptr;
  int64_t features = 0;              ///< elements of a row
  const int64_t* indices = nullptr;  ///< row indices of all bags, one bag after the other
  int64_t known = 0;                 ///< number of elements in `indices`
  int64_t padding = -1;              ///< row index that is skipped
  const C* factors = nullptr;        ///< one factor for each index, or null
  int64_t count = 0;                 ///< number of bags
  const int64_t* begin = nullptr;    ///< for each bag, the position in `indices` of its first index, in [0, known)
  const int64_t* end = nullptr;  ///< for each bag, the position after its last index; a bag with end < begin is empty
};

struct BagLoopTable {
  /// Writes the sum of the rows of each bag to `sums`, and the number of these rows to `counts`.
  void (*of_float)(const BagsOfRows<float>& bags, float* sums, int64_t* counts) = nullptr;
  void (*of_double)(const BagsOfRows<double>& bags, double* sums, int64_t* counts) = nullptr;
};

void fill_bag_loops_baseline(BagLoopTable& table);
void fill_bag_loops_avx2(BagLoopTable& table);
void fill_bag_loops_avx512(BagLoopTable& table);

}  // namespace ersatz
