// Compares gradients of normalisations with central differences.
#include "kernels/norm/norm_backward.h"

#include "kernels/norm/batch_norm.h"
#include "kernels/norm/group_norm.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/pointwise/pointwise.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

const Tensor kX = f64({2, 4, 3}, {1, -2, 3, 0.5, 2, -1, 4, 2, 0, -3, 1, 1, 2, 5, -1, 0, 1, 2, -2, 0.5, 3, 1, -1, 2});
Tensor input() { return ops::add(kX, Scalar(0.0)); }
Tensor gradient() { return ops::mul(ops::add(kX, Scalar(1)), kX); }

TEST(NormBackward, OfLayerNorm) {
  const Tensor x = input(), g = gradient(), w = f64({3}, {1, 2, -0.5}), b = f64({3}, {0, 1, 2});
  const SymInt shape[] = {3};
  const auto forward = [&] { return std::get<0>(ops::native_layer_norm(x, shape, w, b, 1e-5)); };
  const auto [y, mean, rstd] = ops::native_layer_norm(x, shape, w, b, 1e-5);
  const auto [of_x, of_w, of_b] = ops::native_layer_norm_backward(g, x, shape, mean, rstd, w, b, {true, true, true});
  expect_slopes(of_x, x, g, forward);
  expect_slopes(of_w, w, g, forward);
  expect_slopes(of_b, b, g, forward);
}
TEST(NormBackward, OfGroupNorm) {
  const Tensor x = input(), g = gradient(), w = f64({4}, {1, 2, -0.5, 3}), b = f64({4}, {0, 1, 2, 3});
  const auto run = [&] { return ops::native_group_norm(x, w, b, 2, 4, 3, 2, 1e-5); };
  const auto forward = [&] { return std::get<0>(run()); };
  const auto [y, mean, rstd] = run();
  const Values all = call_op_all<"aten.native_group_norm_backward.default">(
      g, x, mean, rstd, w, SymInt(2), SymInt(4), SymInt(3), int64_t(2),
      Value::list(std::vector<Value>{true, true, true}));
  expect_slopes(all[0].tensor(), x, g, forward);
  expect_slopes(all[1].tensor(), w, g, forward);
  expect_slopes(all[2].tensor(), b, g, forward);
}
TEST(NormBackward, OfBatchNormInBothModes) {
  const Tensor x = input(), g = gradient(), w = f64({4}, {1, 2, -0.5, 3}), b = f64({4}, {0, 1, 2, 3});
  const Tensor running_mean = f64({4}, {0.5, 0, 1, -1}), running_var = f64({4}, {1, 2, 0.5, 3});
  for (bool train : {true, false}) {
    const auto run = [&] {
      return call_op_all<"aten.native_batch_norm.default">(x, w, b, train ? Tensor() : running_mean,
                                                           train ? Tensor() : running_var, train, 0.1, 1e-5);
    };
    const auto forward = [&] { return run()[0].tensor(); };
    const Values saved = run();
    const Values all = call_op_all<"aten.native_batch_norm_backward.default">(
        g, x, w, running_mean, running_var, saved[1].tensor(), saved[2].tensor(), train, 1e-5,
        Value::list(std::vector<Value>{true, true, true}));
    expect_slopes(all[0].tensor(), x, g, forward);
    expect_slopes(all[1].tensor(), w, g, forward);
    expect_slopes(all[2].tensor(), b, g, forward);
  }
}
OP_TEST(NormBackwards, GiveNoneWhereNothingIsAsked) {
  const Values all = call_op_all<"aten.native_layer_norm_backward.default">(
      f32({1, 2}, {1, 2}), f32({1, 2}, {1, 2}), DimVec{SymInt(2)}, f32({1, 1}, {1.5}), f32({1, 1}, {2}), Tensor(),
      Tensor(), Value::list(std::vector<Value>{true, false, false}));
  EXPECT_TRUE(all[1].is_none());
  EXPECT_TRUE(all[2].is_none());
}

Values batch_backward(const Tensor& g, const Tensor& x, const Tensor& weight, const Tensor& mean, const Tensor& other,
                      bool train, std::vector<Value> mask) {
  return call_op_all<"aten.native_batch_norm_backward.default">(g, x, weight, mean, other, mean, other, train, 0.0,
                                                                Value::list(std::move(mask)));
}
OP_TEST(BatchNormBackward, TakesChannelsLastImagesInTheirOrder) {
  const Tensor x = make("f32[1,2,1,2]{4,1,4,2}", {1, 3, 2, 6}),
               g = make("f32[2,2,1,2]{4,1,4,2}", {2, 4, 1, 5, 9, 9, 9, 9}), mean = f32({1, 2}, {2, 4}),
               rstd = f32({2}, {0.5, 0.25});
  const Values all = batch_backward(g, x, Tensor(), mean, rstd, true, {true, true, true});
  expect(all[0].tensor()).meta("f32[1,2,1,2]{4,1,4,2}").values({-0.375, 0.375, -0.375, 0.375});
  expect(all[2].tensor()).values({6, 6});
}
TEST(NormBackward, ByRunningStatisticsIsRowMajorOnCuda) {  // as on an H100
  const auto layout = [](const std::string& device, bool train) {
    const Value images(shape_only("f32[4,8,5,5]{200,1,40,8}@" + device)), channels(shape_only("f32[8]@" + device));
    return rule_answer("aten.native_batch_norm_backward.default",
                       {images, images, channels, channels, channels, channels, channels, Value(train), Value(1e-5),
                        Value::list(std::vector<Value>{true, true, true})});
  };
  EXPECT_EQ(layout("cuda:0", false), "f32[4,8,5,5]{200,25,5,1}+0@cuda:0");
  EXPECT_EQ(layout("cuda:0", true), "f32[4,8,5,5]{200,1,40,8}+0@cuda:0");
  EXPECT_EQ(layout("cpu", false), "f32[4,8,5,5]{200,1,40,8}+0@cpu");
}

}  // namespace
}  // namespace ersatz
