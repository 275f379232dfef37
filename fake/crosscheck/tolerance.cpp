#include "fake/crosscheck/tolerance.h"

#include <cmath>

namespace ersatz {

Tolerance tolerance_of(DType t, ComparedWith with) {
  struct Row {
    DType dtype;
    Tolerance device, record, program_end;
  };
  constexpr Row kRows[] = {
      {DType::F64, {1e-7, 1e-7}, {1e-9, 1e-9}, {1e-6, 1e-8}},
      {DType::F32, {1.3e-6, 1e-5}, {1e-4, 1e-4}, {1e-4, 1e-5}},
      {DType::F16, {1e-3, 1e-5}, {2e-3, 2e-3}, {1e-2, 1e-3}},
      {DType::BF16, {1.6e-2, 1e-5}, {2e-2, 2e-2}, {5e-2, 1e-2}},
  };
  for (const Row& row : kRows) {
    if (row.dtype != real_dtype(t)) continue;
    switch (with) {
      case ComparedWith::Device:
        return row.device;
      case ComparedWith::Record:
        return row.record;
      case ComparedWith::ProgramEnd:
        return row.program_end;
    }
  }
  return {};
}

double rounded_weights(DType t) {
  if (t == DType::F16) return std::ldexp(2.0, -11);
  return t == DType::BF16 ? std::ldexp(2.0, -8) : 0;
}

}  // namespace ersatz
