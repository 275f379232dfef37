#include "kernels/linalg/distance_loops.inl"

namespace ersatz {
void fill_distance_loops_avx512(DistanceLoopTable& table) { fill_distance_loops(table); }
}  // namespace ersatz
