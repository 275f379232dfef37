// Pooling on a CUDA device: layouts, windows and sizes that the ops' samples leave out.
#include <cmath>

#include "runtime/base/half.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(CudaPooling, TakesMaximaOfWindows) {
  expect_agree("aten.max_pool1d.default", "f32[3,700], [5], [2], [2], [3], True");
  expect_agree("aten.max_pool2d_with_indices.default", "f32[2,3,40,33], [3, 2], [2, 1], [1, 0], [1, 2]");
  expect_agree("aten.max_pool2d_with_indices.default", "f32[2,5,9,8]{360,1,40,5}, [3, 3], [2, 2], [1, 1]");
  expect_agree("aten.max_pool2d_with_indices.default", "bf16[5,9,8]{1,40,5}, [2], [], [1], [1], True");
  expect_agree("aten.max_pool2d_with_indices.default", "f16[0,5,9,8], [2]");
  expect_agree("aten.max_pool2d_with_indices.out",
               "f32[1,2,6,6], [2], out=f32[1,2,3,3]{18,1,6,2}, indices=i64[1,2,3,3]");
  expect_agree("aten.max_pool3d_with_indices.default", "f64[2,3,6,7,8], [2, 3, 2], [2, 2, 1], [1, 1, 0]");
  expect_agree("aten.max_pool3d_with_indices.default", "f32[2,3,4,5,6]{360,1,90,18,3}, [2], [1]");
}

TEST(CudaPooling, TheLastNanOfAWindowWins) {
  const float nan = NAN;
  const Tensor t = tensor_of<float>({1, nan, 3, nan, 5, 6, 7, 8}, {1, 2, 4});
  const SymInt two[] = {2}, one[] = {1}, zero[] = {0};
  const auto ints = [](std::span<const SymInt> v) { return Value(v); };
  const Value args[] = {Value(t), ints(two), ints({}), ints(zero), ints(one), Value(false)};
  expect_agree(op_named("aten.max_pool2d_with_indices.default"), args, "NaN");
}

TEST(CudaPooling, Averages) {
  expect_agree("aten.avg_pool2d.default", "f32[2,3,40,33], [3, 2], [2, 2], [1, 1], True, True");
  expect_agree("aten.avg_pool2d.default", "f16[2,5,9,8]{360,1,40,5}, [3, 3], [2, 2], [1, 1], True, False");
  expect_agree("aten.avg_pool2d.default", "bf16[5,9,8], [3], [], [0], False, True, 7");
  expect_agree("aten.avg_pool2d.out", "f64[1,2,6,6], [2], out=f64[1,2,3,3]{18,1,6,2}");
  expect_agree("aten.avg_pool3d.default", "f32[2,3,6,7,8], [2, 3, 2], [2, 2, 1], [1, 1, 0], True, False");
  expect_agree("aten.avg_pool3d.default", "f64[3,6,7,8]{1,168,24,3}, [2], [], [0], False, True, -3");
}

TEST(CudaPooling, AveragesHalvesWithChannelsInnermost) {  // cuDNN computes some of these calls
  for (const std::string dtype : {"f16", "bf16"}) {
    const std::string images = dtype + "[2,8,9,10]{720,1,80,8}, ";
    for (const char* windows : {"[3, 3], [2, 2], [1, 1]", "[3, 2], [2, 1], [1, 0], False, False", "[2], [3]",
                                "[3], [2], [1], True", "[3], [], [0], False, True, 7"}) {
      expect_agree("aten.avg_pool2d.default", images + windows);
    }
    expect_agree("aten.avg_pool2d.default", dtype + "[2,5,9,10]{450,1,50,5}, [3], [2], [1]");
    expect_agree("aten.avg_pool2d.out", images + "[3], [2], [1], out=" + dtype + "[2,8,5,5]");
  }
}

TEST(CudaPooling, FitsWindowsToTheOutput) {
  expect_agree("aten._adaptive_avg_pool2d.default", "f32[2,3,40,33], [7, 50]");
  expect_agree("aten._adaptive_avg_pool2d.default", "f16[2,5,9,8]{360,1,40,5}, [4, 3]");
  expect_agree("aten._adaptive_avg_pool3d.default", "bf16[2,3,6,7,8], [4, 3, 9]");
  expect_agree("aten.adaptive_avg_pool2d.out", "f32[2,3,7,8], [3, 5], out=f32[2,3,3,5]{45,1,15,3}");
  expect_agree("aten.adaptive_max_pool2d.default", "f32[2,5,9,8]{360,1,40,5}, [4, 3]");
  expect_agree("aten.adaptive_max_pool2d.default", "f64[5,90,80], [40, 3]");
  expect_agree("aten.adaptive_max_pool3d.default", "f16[2,3,6,7,8], [4, 3, 9]");
}

TEST(CudaPooling, SpreadsGradientsOfAverages) {
  const char* op = "aten.avg_pool2d_backward.default";
  expect_agree(op, "f32[2,3,21,17], f32[2,3,40,33], [3, 2], [2, 2], [1, 1], True, True, None");
  expect_agree(op, "f16[2,5,5,5]{125,1,25,5}, f16[2,5,9,8]{360,1,40,5}, [3, 3], [2, 2], [1, 1], True, False, None");
  expect_agree(op, "bf16[5,3,2], bf16[5,9,8], [3], [], [0], False, True, 7");
  expect_agree(op, "f64[1,2,28,28], f64[1,2,30,30]{1800,30,60,1}, [3], [1], [0], False, True, None");
  expect_agree(op, "f16[0,5,4,4], f16[0,5,9,8], [2], [], [0], False, True, None");
  expect_agree("aten.avg_pool2d_backward.grad_input",
               "f64[1,2,3,3], f64[1,2,6,6], [2], [], [0], False, True, None, grad_input=f64[1,2,6,6]{72,1,12,2}");
  op = "aten.avg_pool3d_backward.default";
  expect_agree(op, "f32[2,3,4,4,7], f32[2,3,6,7,8], [2, 3, 2], [2, 2, 1], [1, 1, 0], True, False, None");
  expect_agree(op, "f64[3,3,3,4], f64[3,6,7,8]{1,168,24,3}, [2], [], [0], False, True, -3");
  expect_agree(op, "f32[3,1,4,3,3], f32[1,1,6,5,6], [4, 5, 6], [2, 3, 2], [2, 2, 2], True, True, None");
}

TEST(CudaPooling, AddsManyWindowsOfElementAndNoneBetween) {
  const char* op = "aten.avg_pool2d_backward.default";
  expect_agree(op, "f32[1,2,21,21], f32[1,2,40,40], [20], [1], [0], False, True, None");
  expect_agree(op, "f32[1,1,3,3], f32[1,1,9,9], [2], [3], [0], False, True, None");
}

TEST(CudaPooling, SpreadsGradientsOfAdaptiveAverages) {
  expect_agree("aten._adaptive_avg_pool2d_backward.default", "f32[2,3,7,50], f32[2,3,40,33]");
  expect_agree("aten._adaptive_avg_pool2d_backward.default", "f16[2,5,4,3], f16[2,5,9,8]{360,1,40,5}");
  expect_agree("aten._adaptive_avg_pool2d_backward.default", "bf16[5,1,1], bf16[5,30,40]");
  expect_agree("aten._adaptive_avg_pool3d_backward.default", "bf16[2,3,4,3,9], bf16[2,3,6,7,8]");
  expect_agree("aten._adaptive_avg_pool3d_backward.default", "f64[3,5,2,7]{1,42,21,3}, f64[3,11,7,8]");
}

TEST(CudaPooling, PlacesWindowsAtRandom) {
  expect_agree("aten.fractional_max_pool2d.default", "f32[2,3,40,33], [2, 3], [17, 12], f32[2,3,2]", 0, 1);
  expect_agree("aten.fractional_max_pool2d.default", "f64[3,9,8]{1,24,3}, [3, 1], [1, 7], f64[2,3,2]{1,2,6}", 0, 1);
  expect_agree("aten.fractional_max_pool2d.default", "bf16[2,5,9,8]{360,1,40,5}, [2, 2], [8, 4], bf16[2,5,2]", 0, 1);
  expect_agree("aten.fractional_max_pool2d.output",
               "f32[1,2,6,6], [2, 2], [3, 3], f32[1,2,2], output=f32[1,2,3,3]{18,1,6,2}, indices=i64[1,2,3,3]", 0, 1);
  expect_agree("aten.fractional_max_pool3d.default", "f32[2,3,10,7,8], [3, 2, 2], [4, 3, 6], f32[2,3,3]", 0, 1);
  expect_agree("aten.fractional_max_pool3d.default", "f16[3,6,7,8], [2, 2, 2], [2, 1, 3], f16[1,3,3]", 0, 1);
  expect_agree("aten.fractional_max_pool3d.default", "f32[0,3,10,7,8], [3, 2, 2], [4, 3, 6], f32[0,3,3]", 0, 1);
}

// The windows have 2 elements and begin 1.5 apart. For u = 341 / 1024 the second window begins at floor(1.9995) = 1. In
// f16, 1.9995 rounds to 2, and the window would begin there.
TEST(CudaPooling, PlacesWindowsOfHalvesInSinglePrecision) {
  const Tensor image = make_real_tensor(TensorMeta(DType::F16, DimVec{1, 1, 5})),
               samples = make_real_tensor(TensorMeta(DType::F16, DimVec{1, 1, 2}));
  for (int i = 0; i < 5; ++i) image.data<half>()[i] = half(static_cast<float>(i));
  samples.data<half>()[0] = half(341.0f / 1024);
  samples.data<half>()[1] = half(0.0f);
  const SymInt kernel[] = {1, 2}, to[] = {1, 3};
  const auto places_on = [&](Device device) {
    const std::vector<Value> args{tensor_on(device, image), std::span<const SymInt>(kernel),
                                  std::span<const SymInt>(to), tensor_on(device, samples)};
    Values results;
    dispatch(op_named("aten.fractional_max_pool2d.default"), args, results);
    const Tensor places = tensor_on(kCPU, results[1].tensor());
    return std::vector<int64_t>(places.data<int64_t>(), places.data<int64_t>() + 3);
  };
  EXPECT_EQ(places_on(kCPU), (std::vector<int64_t>{1, 3, 4}));
  EXPECT_EQ(places_on(cuda(0)), (std::vector<int64_t>{1, 2, 4}));
}

}  // namespace
}  // namespace ersatz
