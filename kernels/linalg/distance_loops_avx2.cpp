#include "kernels/linalg/distance_loops.inl"

namespace ersatz {
void fill_distance_loops_avx2(DistanceLoopTable& table) { fill_distance_loops(table); }
}  // namespace ersatz
