#include "kernels/linalg/dot_loops.inl"

namespace ersatz {
void fill_dot_loops_avx512(DotLoopTable& table) { fill_dot_loops(table); }
}  // namespace ersatz
