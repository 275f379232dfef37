#include "kernels/reduction/nansum.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Nansum, PassesNansOver) {
  expect(ops::nansum(f32({3}, {1, NAN, 2}))).meta("f32[]").values({3});
  expect(ops::nanmean(f32({2, 2}, {1, NAN, 2, 4}), dims({1}))).meta("f32[2]").values({1, 3});
  expect(ops::nansum(f32({3}, {1.5, NAN, 1.5}), {}, false, DType::I64)).meta("i64[]").values({2});
}

}  // namespace
}  // namespace ersatz
