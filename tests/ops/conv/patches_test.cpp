#include "kernels/conv/patches.h"

#include "runtime/op/dispatch.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor image() { return f32({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

OP_TEST(Im2col, EmptyBatchIsWrittenToAnyDType) {
  const Tensor none = make("c64[0,1,3,3]", {}), out = make("f64[0]", {});
  EXPECT_TRUE(call_op<"aten.im2col.out">(none, dims({2, 2}), dims({1, 1}), dims({0, 0}), dims({1, 1}), out).is(out));
  expect(out).meta("f64[0,4,4]");
  expect_refused(
      [&] {
        call_op<"aten.im2col.out">(image(), dims({2, 2}), dims({1, 1}), dims({0, 0}), dims({1, 1}), out);
      },
      ErrorFamily::Runtime, "im2col.out_dtype");
}
}  // namespace
}  // namespace ersatz
