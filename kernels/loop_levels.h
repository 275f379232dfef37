// Tables of loops that are compiled once per instruction set, by functions fill_NAME_baseline, fill_NAME_avx2 and
// fill_NAME_avx512 in files of their own.
#pragma once

#include <initializer_list>

#include "kernels/cpu_features.h"

namespace ersatz {

/// The functions of a table's levels, in the order of CpuLevel.
#if defined(__x86_64__)
#define ERSATZ_LEVELS(fill) \
  { fill##_baseline, fill##_avx2, fill##_avx512 }
#else
#define ERSATZ_LEVELS(fill) \
  { fill##_baseline }
#endif

/// Fills a table with the best loops that this machine runs: better levels overwrite what they have.
template <class Table>
void fill_levels(Table& table, std::initializer_list<void (*)(Table&)> levels) {
  int level = 0;
  for (void (*fill)(Table&) : levels) {
    if (level++ <= static_cast<int>(cpu_level())) fill(table);
  }
}

/// The same for a table that holds nothing else.
template <class Table>
Table best_loops(std::initializer_list<void (*)(Table&)> levels) {
  Table table;
  fill_levels(table, levels);
  return table;
}

}  // namespace ersatz
