#include "kernels/reduction/softmax_loops.inl"

namespace ersatz {
void fill_softmax_loops_avx2(SoftmaxLoopTable& table) { fill_softmax_loops(table); }
}  // namespace ersatz
