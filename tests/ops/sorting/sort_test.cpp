#include "kernels/sorting/sort.h"

#include <cmath>

#include "kernels/shape/slice.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(SortOnCpu, KeepsOrderOfEqualElementsWhereAskedFor) {
  std::vector<double> x(1000), places(1000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? -0.0 : 0.0, places[i] = double(i);
  const Tensor indices = call_op_all<"aten.sort.stable">(f32({1000}, x), true, int64_t(0), false)[1].take_tensor();
  expect(indices).values(places);
}

TEST(SortOnCpu, OrdersLongSignedRowsLikeShortOnes) {
  std::vector<double> x(600), sorted(600);
  for (int i = 0; i < 600; ++i) x[size_t(i)] = (i * 7919) % 600 - 300, sorted[size_t(i)] = i - 300;
  for (const char* meta : {"f32[600]", "i16[600]", "i64[600]", "f64[600]", "f16[600]"}) {
    expect(call_op_all<"aten.sort.stable">(make(meta, x), true, int64_t(0), false)[0].take_tensor()).values(sorted);
  }
}

// The expected positions were recorded from eager, which uses std::sort in long and short rows.
TEST(SortOnCpu, LeavesEqualElementsWhereEagerDoes) {
  std::vector<double> x(1024);
  for (size_t i = 0; i < x.size(); ++i) x[i] = double(i * 7919 % 1009 % 500);
  for (const char* meta : {"f32[1024]", "i16[1024]", "f64[1024]"}) {
    const auto first = [&](bool down) {
      return ops::narrow(ops::sort(make(meta, x), 0, down).indices, 0, SymInt(0), SymInt(12));
    };
    expect(first(false)).values({0, 831, 1009, 920, 155, 66, 244, 399, 488, 310, 732, 554});
    expect(first(true)).values({676, 587, 343, 432, 188, 99, 864, 953, 620, 709, 376, 465});
  }
}

TEST(SortOnCpu, OrdersLongDistinctRowsWithPositions) {
  std::vector<double> x(2048), places(2048), sorted(2048);
  for (size_t i = 0; i < x.size(); ++i) x[i] = double(i * 7919 % 2048) - 1024;
  for (size_t i = 0; i < x.size(); ++i) places[size_t(x[i] + 1024)] = double(i), sorted[i] = double(i) - 1024;
  const ops::SortResult r = ops::sort(f32({2048}, x));
  expect(r.values).values(sorted);
  expect(r.indices).values(places);
}

}  // namespace
}  // namespace ersatz
