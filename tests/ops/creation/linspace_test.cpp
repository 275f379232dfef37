#include "kernels/creation/linspace.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Linspace, MeetsBothEnds) {
  expect(ops::linspace(0, 10, 5)).meta("f32[5]").values({0, 2.5, 5, 7.5, 10});
  expect(ops::linspace(3, 10, 1)).meta("f32[1]").values({3});
  expect(ops::linspace(3, 10, 0)).meta("f32[0]");
}
OP_TEST(Linspace, TruncatesIntegers) {
  expect(ops::linspace(0, 10, 4, {.dtype = DType::I64, .device = {}})).meta("i64[4]").values({0, 3, 6, 10});
  expect(ops::linspace(10, -3, 5, {.dtype = DType::I64, .device = {}})).values({10, 6, 3, 0, -3});
}
OP_TEST(Linspace, IsComplexForComplexEnds) {
  expect(ops::linspace(std::complex<double>(0, 1), 10, 3)).meta("c64[3]").complex_values({{0, 1}, {5, 0.5}, {10, 0}});
}
OP_TEST(Linspace, TakesTheLowestInteger) {
  const Tensor lowest = ops::full({}, INT64_MIN, {.dtype = DType::I64, .device = {}});
  expect(run("aten.linspace.Scalar_Tensor", {0, lowest, 2})).meta("f32[2]").values({0, -0x1p63});
}
OP_TEST(Linspace, Refuses) {
  expect_refused([] { ops::linspace(0, 1, -1); }, ErrorFamily::Runtime, "linspace.C1");
  expect_refused([] { ops::linspace(0, 300, 3, {.dtype = DType::U8, .device = {}}); }, ErrorFamily::Runtime,
                 "linspace.C3");
  expect_refused([] { ops::linspace(std::complex<double>(0, 1), 1, 3, {.dtype = DType::F32, .device = {}}); },
                 ErrorFamily::Runtime, "linspace.C2");
}
OP_TEST(Logspace, RaisesABase) {
  expect(ops::logspace(0, 3, 4)).meta("f32[4]").values({1, 10, 100, 1000});
  expect(ops::logspace(0, 3, 4, 2, {.dtype = DType::I64, .device = {}})).meta("i64[4]").values({1, 2, 4, 8});
}

}  // namespace
}  // namespace ersatz
