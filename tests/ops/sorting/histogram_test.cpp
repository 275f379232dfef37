#include "kernels/sorting/histogram.h"

#include <cmath>

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Histc, CountsByBinsOfOneWidth) {
  expect(run("aten.histc.default", {f32({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), 3}))
      .meta("f32[3]")
      .values({4, 4, 4});
  expect(run("aten.histc.default", {f32({3}, {1, 2, INFINITY}), 3, 0, 5})).values({1, 1, 0});
}
OP_TEST(Histc, OfEqualElementsIsInTheMiddle) {
  expect(run("aten.histc.default", {f32({2}, {1, 1}), 3})).values({0, 2, 0});
  expect(run("aten.histc.default", {ramp("f32[0]"), 3})).values({0, 0, 0});
}
TEST(Histc, RefusesElementsWithoutARange) {
  expect_refused([] { run("aten.histc.default", {f32({2}, {1, NAN}), 3}); }, ErrorFamily::Runtime, "histc.value");
}
OP_TEST(Histc, RefusesARangeWithoutElements) {
  expect_refused([] { run("aten.histc.default", {ramp("f32[2]"), 3, 2, 1}); }, ErrorFamily::Runtime, "histc.C2");
}

OP_TEST(Histogram, HasCountsAndEdges) {
  const Values r = call("aten.histogram.bin_ct", {f32({3}, {1, 2, 3}), 2});
  expect(r[0].tensor()).meta("f32[2]").values({1, 2});
  expect(r[1].tensor()).meta("f32[3]").values({1, 2, 3});
}
OP_TEST(Histogram, CopiesEdgesThatAreGiven) {
  const Tensor edges = f32({3}, {1, 2, 4});
  const Values r = call("aten.histogram.bins_tensor", {f32({4}, {0, 1, 3, 4}), edges});
  expect(r[0].tensor()).meta("f32[2]").values({1, 2});
  expect(r[1].tensor()).values({1, 2, 4}).not_view_of(edges);
}
OP_TEST(Histogram, OfADensityHasTheIntegralOne) {
  const Values r = call("aten.histogram.bins_tensor", {f32({4}, {1, 1, 3, 3}), f32({3}, {1, 2, 4}), Value(), true});
  expect(r[0].tensor()).values({0.5, 0.25});
}
OP_TEST(Histogram, LeavesOutNaN) {
  expect(run("aten.histogram.bins_tensor", {f32({3}, {1, NAN, 2}), f32({2}, {1, 2})})).values({2});
}
TEST(Histogram, IsRefusedOnCuda) {
  FakeMode mode;
  const FakeScope scope(mode);
  expect_refused(
      [&] {
        run("aten.histogram.bin_ct", {mode.make(parse_meta("f32[3]@cuda:0")), 2});
      },
      ErrorFamily::NotImplemented, "");
}

OP_TEST(Histogramdd, CountsPoints) {
  const Values r = call("aten.histogramdd.default", {f32({3, 2}, {1, 2, 3, 4, 2, 2}), ints({2, 2})});
  expect(r[0].tensor()).meta("f32[2,2]").values({1, 0, 1, 1});
  expect(r[1].as_list()[1].tensor()).meta("f32[3]").values({2, 3, 4});
}
OP_TEST(Histogramdd, ReturnsEdgesThatAreGivenThemselves) {
  const Value edges = f32({2}, {0, 1});
  const Values r = call("aten.histogramdd.TensorList_bins", {ramp("f32[3,1]"), Value::list(std::span(&edges, 1))});
  expect(r[0].tensor()).values({2});
  EXPECT_TRUE(r[1].as_list()[0] == edges);
}
OP_TEST(Histogramdd, TakesOneCountForAllCoordinates) {
  expect(run("aten.histogramdd.int_bins", {ramp("f32[2,2]"), 2})).values({1, 0, 0, 1});
  expect_refused([] { run("aten.histogramdd.int_bins", {ramp("f32[2]"), 2}); }, ErrorFamily::Runtime, "histogramdd.C5");
}

}  // namespace
}  // namespace ersatz
