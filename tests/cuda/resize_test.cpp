// Resizing of images on a CUDA device: layouts, modes and sizes that the ops' samples leave out.
#include <algorithm>
#include <cmath>
#include <regex>

#include "kernels/pointwise/arithmetic.h"
#include "runtime/base/context.h"
#include "runtime/base/half.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(CudaResize, TakesTheNearestElement) {
  for (const char* op : {"upsample_nearest", "_upsample_nearest_exact"}) {
    const std::string name = std::string("aten.") + op;
    expect_agree(name + "1d.default", "f32[2,3,40], [95]");
    expect_agree(name + "2d.default", "u8[2,3,40,33], [17, 90]");
    expect_agree(name + "2d.default", "f16[2,5,9,8]{360,1,40,5}, [20, 3], 2.5, 0.4");
    expect_agree(name + "3d.default", "f64[1,2,4,5,6], [3, 10, 7]");
    expect_agree(name + "2d.out", "f32[1,2,3,3], [4, 5], out=f32[1,2,4,5]{40,1,10,2}");
    expect_agree(name + "2d.default", "f32[0,2,3,3], [4, 5]");
  }
}

TEST(CudaResize, Interpolates) {
  expect_agree("aten.upsample_linear1d.default", "f32[2,3,40]{1,2,6}, [95], True");
  for (const char* op : {"aten.upsample_bilinear2d.default", "aten.upsample_bicubic2d.default"}) {
    expect_agree(op, "f32[2,3,40,33], [17, 90], False");
    expect_agree(op, "f64[2,3,4,3], [1, 9], True");
    expect_agree(op, "f16[2,5,9,8]{360,1,40,5}, [20, 3], False, 2.5, 0.4");
    expect_agree(op, "bf16[2,3,4,3], [4, 9], False");
  }
  expect_agree("aten.upsample_trilinear3d.default", "f32[1,3,4,5,6]{360,1,90,18,3}, [3, 10, 7], False");
  expect_agree("aten.upsample_bilinear2d.out", "f32[1,2,3,3], [4, 5], False, out=f32[1,2,4,5]{40,1,10,2}");
}

TEST(CudaResize, SmoothsWhatIsMadeSmaller) {
  for (const char* op : {"aten._upsample_bilinear2d_aa.default", "aten._upsample_bicubic2d_aa.default"}) {
    expect_agree(op, "f32[2,3,400,33], [17, 90], False");
    expect_agree(op, "f64[2,5,9,8]{360,1,40,5}, [3, 8], True");
    expect_agree(op, "f32[1,2,50,40], [1, 1], False");
  }
}

TEST(CudaResize, GathersTheGradientOfTheNearestElement) {
  for (const char* op : {"upsample_nearest", "_upsample_nearest_exact"}) {
    const std::string name = std::string("aten.") + op;
    expect_agree(name + "1d_backward.default", "f32[2,3,95]{1,2,6}, [95], [2, 3, 40]");
    expect_agree(name + "2d_backward.default", "f64[2,3,17,90], [17, 90], [2, 3, 40, 33]");
    expect_agree(name + "2d_backward.default", "u8[1,2,40,40], [40, 40], [1, 2, 3, 2]", 0, 9);
    expect_agree(name + "2d_backward.default", "bf16[2,5,20,3]{300,1,15,5}, [20, 3], [2, 5, 9, 8], 2.5, 0.4");
    expect_agree(name + "3d_backward.default", "f16[1,2,3,10,7], [3, 10, 7], [1, 2, 4, 5, 6]");
    expect_agree(name + "2d_backward.grad_input",
                 "f32[1,2,4,5], [4, 5], [1, 2, 3, 3], grad_input=f32[1,2,3,3]{40,1,10,2}");
    expect_agree(name + "2d_backward.default", "f32[0,2,4,5], [4, 5], [0, 2, 3, 3]");
  }
}

TEST(CudaResize, GathersTheGradientOfInterpolation) {
  expect_agree("aten.upsample_linear1d_backward.default", "f32[2,3,95], [95], [2, 3, 40], True");
  for (const char* op : {"aten.upsample_bilinear2d_backward.default", "aten.upsample_bicubic2d_backward.default",
                         "aten._upsample_bilinear2d_aa_backward.default"}) {
    expect_agree(op, "f32[2,3,17,90], [17, 90], [2, 3, 40, 33], False");
    expect_agree(op, "f64[2,3,1,9], [1, 9], [2, 3, 4, 3], True");
    expect_agree(op, "f64[2,3,30,1], [30, 1], [2, 3, 4, 1], False");
    expect_agree(op, "f32[2,5,20,3]{300,1,15,5}, [20, 3], [2, 5, 9, 8], False, 2.5, 0.4");
    expect_agree(op, "f32[1,2,9,8], [9, 8], [1, 2, 9, 8], False, 1.7, 0.9");
  }
  expect_agree("aten.upsample_bilinear2d_backward.default", "f16[1,2,4,9], [4, 9], [1, 2, 4, 3], False");
  expect_agree("aten.upsample_bicubic2d_backward.default", "bf16[1,2,4,9], [4, 9], [1, 2, 4, 3], False");
  expect_agree("aten.upsample_trilinear3d_backward.default", "f32[1,3,3,10,7], [3, 10, 7], [1, 3, 4, 5, 6], False");
}

// The call averages two elements into one, so each gets half of the gradient. The CPU has no kernel for halves.
TEST(CudaResize, GathersTheGradientOfSmoothedHalves) {
  const Tensor grad = make_real_tensor(TensorMeta(DType::F16, DimVec{1, 1, 1, 1}));
  *grad.data<half>() = half(3.0f);
  const SymInt to[] = {1, 1}, from[] = {1, 1, 1, 2};
  const std::vector<Value> args{
      tensor_on(cuda(0), grad), std::span<const SymInt>(to), std::span<const SymInt>(from), false, Value(), Value()};
  Values results;
  dispatch(op_named("aten._upsample_bilinear2d_aa_backward.default"), args, results);
  const Tensor gradient = tensor_on(kCPU, results[0].tensor());
  EXPECT_EQ(float(gradient.data<half>()[0]), 1.5f);
  EXPECT_EQ(float(gradient.data<half>()[1]), 1.5f);
}

// With a given scale, outputs may be beyond the image. Their gradients go to the last element, or to none.
TEST(CudaResize, GathersGradientsOfPlacesBeyondTheImage) {
  expect_agree("aten.upsample_bilinear2d_backward.default", "f32[1,2,12,9], [12, 9], [1, 2, 4, 3], False, 0.5, 0.7");
  expect_agree("aten.upsample_bicubic2d_backward.default", "f32[1,2,12,9], [12, 9], [1, 2, 4, 3], False, 0.5, 0.7");
  expect_agree("aten._upsample_bilinear2d_aa_backward.default",
               "f32[1,2,12,9], [12, 9], [1, 2, 4, 3], False, 0.5, 0.7");
  expect_agree("aten.upsample_nearest2d_backward.default", "f32[1,2,12,9], [12, 9], [1, 2, 4, 3], 0.5, 0.7");
}

/// Compares the devices for grids whose coordinates are near the image, and for grids so far away that a reflected
/// coordinate is a remainder of many images. Each dtype replaces `*`.
void expect_grids_agree(DTypeSet dtypes, const std::string& op, const std::string& arguments) {
  const OpEntry& entry = op_named(op);
  const size_t grid = static_cast<size_t>(entry.schema.find_argument("grid"));
  for (int i = 0; i < kDTypeCount; ++i) {
    if (!dtypes.has(DType(i))) continue;
    const std::string text = std::regex_replace(arguments, std::regex("\\*"), std::string(name(DType(i))));
    for (const double reach : {1.5, 30.0, 1e4, 1e9}) {
      std::vector<Value> args = sample_arguments(entry, text, -2, 2);
      args[grid] = ops::mul(args[grid].tensor(), Scalar(reach));
      expect_agree(entry, args, fmt::format("{}({}), coordinates times {}", op, text, reach));
    }
  }
}

TEST(CudaResize, SamplesGrids) {
  for (const char* mode : {"0", "1", "2"}) {
    for (const char* padding : {"0", "1", "2"}) {
      for (const char* align : {"True", "False"}) {
        const std::string rest = std::string(", ") + mode + ", " + padding + ", " + align;
        expect_agree("aten.grid_sampler_2d.default", "f32[2,3,14,15]{630,1,45,3}, f32[2,30,7,2]{1,2,60,420}" + rest);
        for (const char* images :
             {"*[2,3,4,5], *[2,3,2,2]", "*[2,3,4,5]{60,1,15,3}, *[2,3,2,2]", "*[1,2,1,3], *[1,9,1,2]"})
          expect_grids_agree(kFloats, "aten.grid_sampler_2d.default", images + rest);
        if (mode[0] == '2') continue;
        for (const char* volumes : {"*[2,3,4,5,6], *[2,3,4,2,3]", "*[1,3,2,4,5]{120,1,60,15,3}, *[1,2,3,4,3]"})
          expect_grids_agree(kFloats, "aten.grid_sampler_3d.default", volumes + rest);
      }
    }
  }
}

TEST(CudaResize, SpreadsGradientsOfGrids) {
  for (const bool deterministic : {false, true}) {
    const ContextGuard guard([=](RuleContext& c) { c.deterministic = deterministic; });
    for (const char* mode : {"0", "1", "2"}) {
      for (const char* padding : {"0", "1", "2"}) {
        const std::string rest = std::string(", ") + mode + ", " + padding + ", ";
        expect_agree(
            "aten.grid_sampler_2d_backward.default",
            "f32[2,3,30,7], f32[2,3,14,15]{630,1,45,3}, f32[2,30,7,2]{1,2,60,420}" + rest + "True, [True, True]");
        for (const char* align : {"True", "False"}) {
          const std::string last = rest + align + ", [True, True]";
          expect_grids_agree({DType::F32, DType::F64}, "aten.grid_sampler_2d_backward.default",
                             "*[2,3,3,2], *[2,3,4,5], *[2,3,2,2]" + last);
          if (mode[0] != '2')
            expect_grids_agree({DType::F32, DType::F64}, "aten.grid_sampler_3d_backward.default",
                               "*[1,3,2,4,3], *[1,3,4,5,6], *[1,2,4,3,3]" + last);
        }
        expect_agree("aten.grid_sampler_2d_backward.default",
                     "f64[2,3,3,2], f64[2,3,4,5], f64[2,3,2,2]" + rest + "False, [False, True]");
      }
    }
  }
  for (const char* dtype : {"f16", "bf16"}) {
    const std::string t = dtype;
    expect_agree("aten.grid_sampler_2d_backward.default",
                 t + "[1,2,3,2], " + t + "[1,2,4,5], " + t + "[1,3,2,2], 0, 0, False, [True, True]");
  }
}

// If a compiler fuses a product and a sum, columns far from the start get other weights, by more than the tolerance.
// The emulated device adds as the CPU does, so only a GPU tests its compiler here.
TEST(CudaResize, RoundsTheGridPositionBeforeWeighingColumns) {
  constexpr int64_t kWidth = 4001, kPoints = 200;
  const Tensor image = make_real_tensor(TensorMeta(DType::F32, DimVec{1, 1, 1, kWidth})),
               grid = make_real_tensor(TensorMeta(DType::F32, DimVec{1, 1, kPoints, 2}));
  for (int64_t i = 0; i < kWidth; ++i) image.data<float>()[i] = i % 2 == 0 ? 10.0f : -10.0f;
  float largest = 0;
  for (int64_t i = 0; i < kPoints; ++i) {
    const float v = 0.5f + 0.0023f * static_cast<float>(i), half = (v + 1) / 2, last = static_cast<float>(kWidth - 1);
    const float place = half * last, first = std::floor(place);
    largest = std::max(largest, std::fabs((place - first) - std::fma(half, last, -first)));
    grid.data<float>()[2 * i] = v;
    grid.data<float>()[2 * i + 1] = 0;
  }
  EXPECT_GT(largest, 1e-4f);  // difference of a weight
  const std::vector<Value> args{image, grid, int64_t(0), int64_t(0), true};
  expect_agree(op_named("aten.grid_sampler_2d.default"), args, "places far from the start");
}

TEST(CudaResize, RoundsTheOutputPositionBeforeWeighingNeighbours) {
  expect_agree("aten.upsample_linear1d.default", "f32[1,2,5003], [7001], True", -100, 100);
}

TEST(CudaResize, ShufflesPixelsAndChannels) {
  expect_agree("aten.pixel_shuffle.default", "f32[2,3,18,4,5]{1,2,6,108,432}, 3");
  expect_agree("aten.pixel_unshuffle.default", "i16[2,3,8,6]{144,1,18,3}, 2");
  expect_agree("aten.channel_shuffle.default", "bool[2,6,4,5]{120,1,30,6}, 3");
}

}  // namespace
}  // namespace ersatz
