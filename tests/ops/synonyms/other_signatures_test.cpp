#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(OtherSignatures, PadByTheNumberOfAMode) {
  const Tensor x = f32({1, 1, 3}, {1, 2, 3});
  expect(run("aten._pad_circular.default", {x, ints({1, 1})})).meta("f32[1,1,5]").values({3, 1, 2, 3, 1});
  expect(run("aten._pad_enum.default", {x, ints({1, 1}), 0})).values({2, 1, 2, 3, 2});
  expect(run("aten._pad_enum.default", {x, ints({1, 1}), 3, 9.0})).values({9, 1, 2, 3, 9});
  expect_refused([&] { run("aten._pad_enum.default", {x, ints({1, 1}), 7}); }, ErrorFamily::Runtime, "_pad_enum.C1");
}
OP_TEST(OtherSignatures, SampleGridsAsCudnn) {
  const Tensor image = f32({1, 1, 1, 3}, {1, 2, 3}), grid = f32({1, 1, 2, 2}, {-1, 0, 0.5, 0});
  expect(run("aten.cudnn_grid_sampler.default", {image, grid})).meta("f32[1,1,1,2]").values({1, 2.5});
  const Tensor theta = f32({1, 2, 3}, {1, 0, 0, 0, 1, 0}), out = make("f32[0]");
  expect(run("aten.cudnn_affine_grid_generator.out", {theta, 1, 1, 1, 2}, {{"out", out}}))
      .is(out)
      .meta("f32[1,1,2,2]")
      .values({-1, 0, 1, 0});
}
OP_TEST(OtherSignatures, PutIntoACopy) {
  const Tensor x = f32({3}, {1, 2, 3});
  const std::vector<Value> at{i64({2}, {0, 2})};
  expect(run("aten._index_put_impl.default", {x, Value::list(at), f32({}, {9})})).meta("f32[3]").values({9, 2, 9});
  expect(x).values({1, 2, 3});
}
OP_TEST(OtherSignatures, WriteRunningExtrema) {
  const Tensor values = f32({3}, {0, 0, 0}), indices = i64({3}, {0, 0, 0});
  EXPECT_TRUE(call("aten._cummax_helper.default", {f32({3}, {1, 3, 2}), values, indices, 0}).empty());
  expect(values).values({1, 3, 3});
  expect(indices).values({0, 1, 1});
}

}  // namespace
}  // namespace ersatz
