#include "kernels/reduction/cumsum.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Cumsum, RunsAlongADim) {
  expect(ops::cumsum(ramp("f32[2,3]{1,2}"), 1)).meta("f32[2,3]{3,1}+0@cpu").values({0, 1, 3, 3, 7, 12});
  expect(ops::cumsum(ramp("bool[4]"), 0)).meta("i64[4]{1}+0@cpu").values({0, 1, 2, 3});
}

TEST(CumsumOnCpu, KeepsTheDTypeInPlace) {
  const Tensor t = ramp("i32[3]");
  call("aten.cumsum_.default", {Value(t), Value(0)});
  expect(t).meta("i32[3]{1}+0@cpu").values({0, 1, 3});
}

OP_TEST(Cumprod, MultipliesAlongADim) {
  expect(ops::cumprod(f32({2, 2}, {1, 2, 3, 4}), 0)).meta("f32[2,2]").values({1, 2, 3, 8});
  expect(ops::cumprod(make("i8[3]", {2, 3, 4}), 0)).meta("i64[3]").values({2, 6, 24});
}

OP_TEST(Cumprod, StaysInTheDTypeInPlace) {
  const Tensor t = make("i8[3]", {100, 2, 1});
  expect(call_op<"aten.cumprod_.default">(t, int64_t(0), Value())).meta("i8[3]").values({100, -56, -56});
}

TEST(CumsumOnCpu, ASelfThatIsConvertedMayBeInTheMemoryThatIsWritten) {
  const Tensor x = make("u64[2]", {3, 4});
  const Tensor out = make_view(x, parse_meta("f32[2]")),
               tail = make_view(f32({3}, {1, 2, 3}), parse_meta("f32[2]{1}+1"));
  expect(run("aten.cumprod.out", {x, 0}, {{"dtype", DType::F32}, {"out", out}})).meta("f32[2]").values({3, 12});
  const Tensor head = make_view(tail, parse_meta("f32[2]"));
  expect_refused([&] { run("aten.cumprod.out", {head, 0}, {{"out", tail}}); }, ErrorFamily::Runtime, "cumprod.overlap");
}

OP_TEST(Cumsum, RunsInNoBools) {
  const Tensor bools = boolean({2}, {1, 1}), one = boolean({}, {1});
  expect_refused([&] { ops::cumsum(f32({2}), 0, DType::Bool); }, ErrorFamily::NotImplemented, "");
  expect_refused([&] { call_op<"aten.cumsum_.default">(bools, int64_t(0), Value()); }, ErrorFamily::NotImplemented, "");
  expect(call_op<"aten.cumsum_.default">(one, int64_t(0), Value())).meta("bool[]").values({1});
}

}  // namespace
}  // namespace ersatz
