#include "kernels/sorting/topk.h"

#include "kernels/shape/slice.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

std::vector<double> spread(size_t n, size_t modulus, size_t values) {
  std::vector<double> x(n);
  for (size_t i = 0; i < n; ++i) x[i] = double(i * 7919 % modulus % values);
  return x;
}

// The expected values were recorded from eager: its heap or partition decides which equal elements are taken, in which
// order.
TEST(TopkOnCpu, TakesTheEqualElementsThatEagerTakes) {
  const Tensor x = f32({1024}, spread(1024, 1009, 500));
  const ops::TopkResult few = ops::topk(x, 8), more = ops::topk(x, 40);
  expect(few.values).values({499, 499, 498, 498, 497, 497, 496, 496});
  expect(few.indices).values({676, 587, 432, 343, 188, 99, 953, 864});
  expect(ops::narrow(more.indices, 0, SymInt(0), SymInt(8))).values({676, 587, 343, 432, 188, 99, 864, 953});
}

TEST(TopkOnCpu, FindsDistinctElementsOfLongRowsInOrder) {
  for (const char* meta : {"f32[1024]", "i64[1024]", "f64[1024]"}) {
    const ops::TopkResult r = ops::topk(make(meta, spread(1024, 1024, 1024)), 5, 0, false);
    expect(r.values).values({0, 1, 2, 3, 4});
    expect(r.indices).values({0, 15, 30, 45, 60});
  }
}

TEST(TopkOnCpu, OfLongRowsNanIsTheLargest) {
  std::vector<double> x = spread(1024, 1024, 1024);
  x[3] = NAN;
  const ops::TopkResult r = ops::topk(f32({1024}, x), 3);
  expect(r.values).values({NAN, 1023, 1022});
  expect(r.indices).values({3, 1009, 994});
}

}  // namespace
}  // namespace ersatz
