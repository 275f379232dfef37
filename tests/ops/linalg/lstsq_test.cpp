#include "kernels/linalg/lstsq.h"

#include "kernels/linalg/matmul.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// The line through (0, 1), (1, 3), (2, 5), (3, 4): intercept 1.6, slope 1.1, squares of what is left 2.7.
Tensor places() { return f64({4, 2}, {1, 0, 1, 1, 1, 2, 1, 3}); }
Tensor heights() { return f64({4}, {1, 3, 5, 4}); }
auto fit(const Tensor& a, const Tensor& b, const char* driver) { return ops::linalg_lstsq(a, b, std::nullopt, driver); }

OP_TEST(LinalgLstsq, FitsALine) {
  const auto found = ops::linalg_lstsq(places(), heights());
  expect(found.solution).meta("f64[2]").values({1.6, 1.1});
  expect(found.residuals).meta("f64[0]");
  expect(found.rank).meta("i64[]").values({2});
  expect(found.singular_values).meta("f64[0]");
}
OP_TEST(LinalgLstsq, GelsSaysWhatIsLeftAndNoRank) {
  const auto found = fit(places(), heights(), "GELS");
  expect(found.solution).values({1.6, 1.1});
  expect(found.residuals).meta("f64[1]").values({2.7});
  expect(found.rank).meta("i64[0]");
}
TEST(LinalgLstsq, OfSingularValuesSaysWhatIsLeftWhereTheRankIsFull) {
  for (const char* driver : {"gelsd", "gelss"}) {
    const auto found = fit(places(), heights(), driver);
    expect(found.solution).values({1.6, 1.1});
    expect(found.residuals).meta("f64[1]").values({2.7});
    expect(found.rank).values({2});
    expect(found.singular_values).meta("f64[2]").values({4.100030448168, 1.090756766696});
    const auto flat = fit(f64({3, 2}, {1, 2, 1, 2, 1, 2}), f64({3}, {5, 10, 15}), driver);
    expect(flat.solution).values({2, 4});  // the shortest of all
    expect(flat.residuals).meta("f64[0]");
    expect(flat.rank).values({1});
  }
}
// LAPACK's routines would not come back.
TEST(LinalgLstsq, OfAnInfinityKnowsNoSingularValue) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Tensor a = f64({3, 3}, {inf, 1, 4, 2, 2, 4, 1, 0, 1}), b = f64({3}, {1, 2, 3});
  const auto found = fit(a, b, "gelss");
  expect(found.singular_values).values({nan, nan, nan});
  expect(found.rank).values({0});
  EXPECT_THROW(fit(a, b, "gelsd"), Error);
  const Tensor unknown = f64({1, 1}, {nan});
  for (const char* driver : {"gelss", "gelsd"}) EXPECT_THROW(fit(unknown, f64({1}, {1}), driver), Error);
}
OP_TEST(LinalgLstsq, GivesTheShortestOfManySolutions) {
  expect(ops::linalg_lstsq(f64({1, 2}, {3, 4}), f64({1, 1}, {25})).solution).meta("f64[2,1]").values({3, 4});
}
OP_TEST(LinalgLstsq, LeavesRoomForTheRowsOfB) {
  const auto found = fit(ramp("f64[2,4,3]"), ramp("f64[1,4,2]"), "gelsy");
  expect(found.solution).meta("f64[2,3,2]{8,1,4}");
  expect(found.rank).meta("i64[2]").values({2, 2});
}
TEST(LinalgLstsq, GelsRefusesLowRank) {
  const Tensor a = f64({2, 2}, {1, 0, 0, 0}), b = f64({2}, {1, 1});
  expect_refused([&] { fit(a, b, "gels"); }, ErrorFamily::Runtime, "linalg_lstsq.value");
}
TEST(LinalgLstsq, WritesRowMajorWhereTheDtypeIsAnother) {
  for (const auto& [dtype, layout] : {std::pair("f64[0]", "f64[2,1]{1,4}"), std::pair("c128[0]", "c128[2,1]")}) {
    Tensor x = make(dtype, {}), left = make("f64[0]", {}), rank = make("i64[0]", {}), values = make("f64[0]", {});
    call_op_all<"aten.linalg_lstsq.out">(places(), f64({4, 1}, {1, 3, 5, 4}), Value(), Value(), x, left, rank, values);
    expect(x).meta(layout).values({1.6, 1.1});
  }
}
// PyTorch 2.15.
TEST(LinalgLstsq, OfAMatrixThatIsBroadcastFindsItsRankOnce) {
  const Tensor a = f64({1, 2, 2}, {2, 0, 0, 4}), b = f64({2, 2, 1}, {2, 4, 4, 8});
  const Values r = call("aten.linalg_lstsq.default", {a, b, Value(), Value("gelsd")});
  expect(r[0].tensor()).values({1, 1, 2, 2});
  expect(r[2].tensor()).meta("i64[1]").values({2});
  expect(r[3].tensor()).meta("f64[1,2]").values({4, 2});
}

}  // namespace
}  // namespace ersatz
