#include "kernels/conv/convolution.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor ones(std::vector<int64_t> sizes) {
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  return f32(sizes, std::vector<double>(static_cast<size_t>(n), 1));
}

OP_TEST(OlderConvolutions, AreConvolutions) {
  const Tensor x = f32({1, 1, 2, 2}, {1, 2, 3, 4}), w = ones({1, 1, 2, 2});
  const Value one = ints({1, 1}), none = ints({0, 0}), two = ints({2, 2});
  expect(run("aten._convolution.default", {x, w, Value(), one, none, one, false, none, 1, false, false, true, true}))
      .meta("f32[1,1,1,1]")
      .values({10});
  expect(run("aten.cudnn_convolution.default", {x, w, one, one, one, 1, false, false, true}))
      .meta("f32[1,1,3,3]")
      .values({1, 3, 2, 4, 10, 6, 3, 7, 4});
  expect(run("aten.thnn_conv2d.default", {x, w, two, f32({1}, {5}), one, none})).values({15});
  expect(run("aten.slow_conv_transpose2d.default", {x, w, two})).values({1, 3, 2, 4, 10, 6, 3, 7, 4});
  expect(run("aten._convolution_mode.default", {x, w, Value(), one, "same", one, 1})).values({10, 6, 7, 4});
}
OP_TEST(OlderConvolutions, AddAndCutOff) {
  const Tensor x = f32({1, 1, 1, 2}, {1, -3}), w = ones({1, 1, 1, 1}), z = f32({1, 1, 1, 2}, {1, 1});
  const Value one = ints({1, 1}), none = ints({0, 0});
  expect(run("aten.cudnn_convolution_add_relu.default", {x, w, z, 2, Value(), one, none, one, 1})).values({3, 0});
}
OP_TEST(OlderConvolutions, TakeAFlatWeightAndOneImage) {
  const Tensor x = f32({1, 2, 2}, {1, 2, 3, 4});
  expect(run("aten.thnn_conv2d.default", {f32({1, 1, 2, 2}, {1, 2, 3, 4}), ones({1, 4}), ints({2, 2})})).values({10});
  expect(run("aten.slow_conv_dilated2d.default", {x, ones({1, 1, 2, 2}), ints({2, 2})}))
      .meta("f32[1,1,1]")
      .values({10});
}
OP_TEST(OlderConvolutions, HaveAGroupForEachChannelInDepth) {
  const Tensor x = f32({1, 2, 1, 1}, {3, 4}), w = f32({2, 1, 1, 1}, {2, 10});
  const Value one = ints({1, 1}), none = ints({0, 0});
  expect(run("aten._conv_depthwise2d.default", {x, w, one, Value(), one, none, one})).values({6, 40});
}
OP_TEST(OlderConvolutions, HaveTheGradientsOfConvolution) {
  const Tensor x = f32({1, 1, 1, 2}, {1, 2}), w = f32({1, 1, 1, 1}, {3}), g = f32({1, 1, 1, 2}, {1, 10});
  const Value one = ints({1, 1}), none = ints({0, 0});
  const Values r = call("aten._slow_conv2d_backward.output_mask",
                        {g, x, w, one, one, none, Value::list(std::vector<Value>{true, true, true})});
  expect(r[0].tensor()).values({3, 30});
  expect(r[1].tensor()).values({21});
  expect(r[2].tensor()).values({11});
}
OP_TEST(OlderConvolutions, HaveNoGradientsOfWeightsWithoutChannels) {
  const Value one = ints({1, 1}), none = ints({0, 0});
  const auto gradients = [&](const char* weight) {
    call("aten._slow_conv2d_backward.output_mask", {make("f32[1,1,1,2]"), make("f32[1,1,1,2]"), make(weight), one, one,
                                                    none, Value::list(std::vector<Value>{true, true, true})});
  };
  for (const char* weight : {"f32[]", "f32[1]", "f32[1,1,1]"})
    expect_error([&] { gradients(weight); }, "_slow_conv2d_backward.C1", "2 or 4 dims");
}

}  // namespace
}  // namespace ersatz
