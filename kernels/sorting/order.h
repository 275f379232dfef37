// Comparison functions of ATen's sorts, in which NaN is the largest. Included by _cpu.cpp files.
#pragma once

#include "kernels/compute_type.h"

namespace ersatz {

template <class C>
bool is_nan(C v) {
  return v != v;
}
template <class C>
bool ascending(C a, C b) {
  return (is_nan(b) && !is_nan(a)) || a < b;
}
template <class C>
bool descending(C a, C b) {
  return (is_nan(a) && !is_nan(b)) || a > b;
}

}  // namespace ersatz
