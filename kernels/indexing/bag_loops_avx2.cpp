#include "kernels/indexing/bag_loops.inl"

namespace ersatz {
void fill_bag_loops_avx2(BagLoopTable& table) { fill_bag_loops(table); }
}  // namespace ersatz
