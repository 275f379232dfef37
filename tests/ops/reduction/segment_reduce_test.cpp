#include "kernels/reduction/segment_reduce.h"

#include <limits>

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

Tensor reduced(const char* how, const Tensor& data, const Tensor& lengths, std::optional<Scalar> initial = {}) {
  return ops::segment_reduce(data, how, lengths, Tensor(), Tensor(), 0, false, initial);
}

TEST(SegmentReduceBackward, IsTheSlopeOfTheReduction) {
  const Tensor x = f64({6}, {1, 3, 2.5, 2, 4, 5}), n = i64({2}, {2, 4}), g = f64({2}, {-1, 2});
  for (const char* how : {"sum", "mean", "prod", "max", "min"}) {
    const Tensor y = reduced(how, x, n);
    expect_slopes(ops::_segment_reduce_backward(g, y, x, how, n), x, g, [&] { return reduced(how, x, n); });
  }
}
}  // namespace
}  // namespace ersatz
