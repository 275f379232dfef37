// Tables of loops that are compiled once per instruction set. Each level has a source file that defines
// fill_NAME_baseline, fill_NAME_avx2 or fill_NAME_avx512.
#pragma once

#include <initializer_list>

#include "kernels/cpu_features.h"

namespace ersatz {

/// The fill functions of a table, in the order of CpuLevel.
#if defined(__x86_64__)
#define ERSATZ_LEVELS(fill) \
  { fill##_baseline, fill##_avx2, fill##_avx512 }
#else
#define ERSATZ_LEVELS(fill) \
  { fill##_baseline }
#endif

/// Calls the fill functions of all levels up to cpu_level(), the lowest first. A level overwrites the loops that it
/// has.
template <class Table>
void fill_levels(Table& table, std::initializer_list<void (*)(Table&)> levels) {
  int level = 0;
  for (void (*fill)(Table&) : levels) {
    if (level++ <= static_cast<int>(cpu_level())) fill(table);
  }
}

/// Returns a new table that fill_levels has filled.
template <class Table>
Table best_loops(std::initializer_list<void (*)(Table&)> levels) {
  Table table;
  fill_levels(table, levels);
  return table;
}

}  // namespace ersatz
