#include "kernels/indexing/bag_loops.inl"

namespace ersatz {
void fill_bag_loops_baseline(BagLoopTable& table) { fill_bag_loops(table); }
}  // namespace ersatz
