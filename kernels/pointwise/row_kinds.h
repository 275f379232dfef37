// The column `kinds` of the tables as bit sets: F vectors of floats, S single floats, I integers, B bool, C complex.
// Internal linkage, like row_loops.h.
#pragma once

namespace ersatz::pointwise {
namespace {

enum Kinds : unsigned { kF = 1, kS = 2, kI = 4, kB = 8, kC = 16 };
[[maybe_unused]] constexpr unsigned kKinds_F = kF, kKinds_FC = kF | kC, kKinds_FI = kF | kI, kKinds_FIB = kF | kI | kB,
                                    kKinds_FIC = kF | kI | kC, kKinds_FIBC = kF | kI | kB | kC, kKinds_I = kI,
                                    kKinds_IB = kI | kB, kKinds_S = kS, kKinds_SI = kS | kI;

}  // namespace
}  // namespace ersatz::pointwise
