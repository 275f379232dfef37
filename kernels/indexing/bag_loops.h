// Sums of rows of a table, compiled once per instruction set (bag_loops.inl). Included by those files too: plain types
// only, no inline functions.
#pragma once

#include <stdint.h>

namespace ersatz {

/// A bag of rows of a table of C.
template <class C>
struct Bag {
  const C* table = nullptr;
  int64_t features = 0;              ///< of a row
  const int64_t* indices = nullptr;  ///< of the rows
  int64_t count = 0;                 ///< of the bag's indices
  int64_t known = 0;                 ///< of indices that may be read: those behind the bag's are rows that come next
  int64_t padding = -1;              ///< an index that is left out
  const C* factors = nullptr;        ///< one an index, or null
};

struct BagLoopTable {
  /// Writes the sum of the rows; answers how many there are.
  int64_t (*of_float)(const Bag<float>& bag, float* sum) = nullptr;
  int64_t (*of_double)(const Bag<double>& bag, double* sum) = nullptr;
};

void fill_bag_loops_baseline(BagLoopTable& table);
void fill_bag_loops_avx2(BagLoopTable& table);
void fill_bag_loops_avx512(BagLoopTable& table);

}  // namespace ersatz
