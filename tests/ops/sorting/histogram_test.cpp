#include "kernels/sorting/histogram.h"

#include <cmath>

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(Histogram, IsRefusedOnCuda) {
  FakeMode mode;
  const FakeScope scope(mode);
  expect_refused(
      [&] {
        run("aten.histogram.bin_ct", {mode.make(parse_meta("f32[3]@cuda:0")), 2});
      },
      ErrorFamily::NotImplemented, "");
}

OP_TEST(Histogramdd, ReturnsEdgesThatAreGivenThemselves) {
  const Value edges = f32({2}, {0, 1});
  const Values r = call("aten.histogramdd.TensorList_bins", {ramp("f32[3,1]"), Value::list(std::span(&edges, 1))});
  expect(r[0].tensor()).values({2});
  EXPECT_TRUE(r[1].as_list()[0] == edges);
}
}  // namespace
}  // namespace ersatz
