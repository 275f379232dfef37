#include "kernels/sorting/quantile.h"

#include <cmath>

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(Quantile, RefusesSharesBeyondOne) {
  EXPECT_THROW(run("aten.quantile.default", {ramp("f32[3]"), f32({2}, {0, 1.5})}), Error);
}
TEST(Quantile, RefusesMoreElementsThanF32Counts) {
  FakeMode mode;
  const FakeScope scope(mode);
  expect_refused(
      [&] {
        run("aten.quantile.scalar", {mode.make(parse_meta("f32[16777217]")), 0.5});
      },
      ErrorFamily::Runtime, "quantile.C6");
}

}  // namespace
}  // namespace ersatz
