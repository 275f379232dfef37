#include "kernels/linalg/distance_loops.inl"

namespace ersatz {
void fill_distance_loops_baseline(DistanceLoopTable& table) { fill_distance_loops(table); }
}  // namespace ersatz
