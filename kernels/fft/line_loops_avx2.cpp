#include "kernels/fft/line_loops.inl"

namespace ersatz {
void fill_line_loops_avx2(LineLoopTable& table) { fill_line_loops(table); }
}  // namespace ersatz
