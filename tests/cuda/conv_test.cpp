// Convolutions on CUDA, cases that the samples leave out: dims, layouts, groups, strides, transposed convolutions.
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/meta_text.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

void expect_convolutions_agree(std::string operands, std::string params) {
  expect_agree_for(kFloats, "aten.convolution.default", operands + ", " + params);
}

TEST(CudaConvolution, TakesRowsImagesAndVolumes) {
  expect_convolutions_agree("*[2,3,9], *[4,3,3], *[4]", "[2], [1], [1], False, [0], 1");
  expect_convolutions_agree("*[2,3,7,6], *[4,3,3,2], *[4]", "[1, 2], [1, 0], [1, 1], False, [0, 0], 1");
  expect_convolutions_agree("*[2,3,5,4,6], *[2,3,2,3,2], *[2]", "[1, 2, 1], [0, 1, 1], [1], False, [0], 1");
}

TEST(CudaConvolution, Dilates) {
  expect_convolutions_agree("*[2,3,9], *[4,3,3], None", "[1], [2], [2], False, [0], 1");
  expect_convolutions_agree("*[1,2,9,8], *[3,2,3,2], None", "[2, 1], [1, 3], [2, 3], False, [0, 0], 1");
}

TEST(CudaConvolution, TakesGroupsAndDepthwiseKernels) {
  expect_convolutions_agree("*[2,4,6,5], *[6,2,3,3], *[6]", "[1], [1], [1], False, [0], 2");
  expect_convolutions_agree("*[2,4,6,5], *[8,1,3,3], *[8]", "[1], [1], [1], False, [0], 4");
  expect_convolutions_agree("*[2,4,6], *[4,1,3], *[4]", "[1], [1], [1], False, [0], 4");
}

TEST(CudaConvolution, TakesChannelsLastOperands) {
  for (const char* operands :
       {"*[2,3,7,8]{168,1,24,3}, *[4,3,3,3], *[4]", "*[2,3,7,8], *[4,3,3,3]{27,1,9,3}, *[4]",
        "*[2,3,7,8]{168,1,24,3}, *[4,3,3,3]{27,1,9,3}, *[4]{2}", "*[2,3,7,8]{1,2,48,6}, *[4,3,3,3]{9,36,3,1}, None"}) {
    expect_convolutions_agree(operands, "[1], [1], [1], False, [0], 1");
  }
  expect_convolutions_agree("*[2,3,4,5,6]{360,1,90,18,3}, *[2,3,2,2,2], *[2]", "[1], [1], [1], False, [0], 1");
  expect_convolutions_agree("*[2,3,9]{27,1,3}, *[4,3,3]{9,1,3}, *[4]", "[1], [1], [1], False, [0], 1");
  expect_convolutions_agree("*[2,4,6,5]{120,1,20,4}, *[6,2,3,3], *[6]", "[1], [1], [1], False, [0], 2");
}

TEST(CudaConvolution, TransposesWithGroupsAndPadding) {
  expect_convolutions_agree("*[2,4,5], *[4,3,3], *[3]", "[2], [1], [1], True, [1], 1");
  expect_convolutions_agree("*[2,4,5,6], *[4,3,3,2], *[6]", "[2, 3], [1, 0], [1, 2], True, [1, 2], 2");
  // cuDNN may round a transposed convolution of half types before it adds a bias, if there are three spatial dims or
  // strides that differ. So these calls have no bias in half types.
  expect_convolutions_agree("*[1,2,3,4,5], *[2,3,2,2,2], None", "[2], [0], [1], True, [0], 1");
  expect_agree_for({DType::F32, DType::F64}, "aten.convolution.default",
                   "*[1,2,3,4,5], *[2,3,2,2,2], *[3], [2], [0], [1], True, [0], 1");
  expect_convolutions_agree("*[2,4,5,6]{120,1,24,4}, *[4,3,3,3], *[3]", "[2], [1], [1], True, [1], 1");
}

TEST(CudaConvolution, TransposesWithOutputPaddingOfStrideAndMore) {
  expect_convolutions_agree("*[1,2,3,3], *[2,1,2,3], None", "[1, 1], [1, 1], [2, 2], True, [1, 0], 2");
  expect_convolutions_agree("*[2,4,4]{1,8,2}, *[4,3,3], None", "[1], [2], [4], True, [3], 1");
  expect_convolutions_agree("*[2,2,4,4]{32,1,8,2}, *[2,2,4,5], None", "[3, 2], [1, 2], [4, 4], True, [2, 3], 2");
  expect_agree_for({DType::F32, DType::F64}, "aten.convolution.default",
                   "*[2,2,4,4], *[2,2,4,5], *[4], [3, 2], [1, 2], [4, 4], True, [2, 3], 2");
  expect_convolutions_agree("*[1,2,3,2,3], *[2,1,2,3,2], None", "[3, 2, 1], [1, 2, 3], [4], True, [2, 3, 1], 1");
}

TEST(CudaConvolution, WritesAnOutOfAnyStrides) {
  expect_agree_for(kFloats, "aten.convolution.out",
                   "*[2,3,5,5], *[4,3,3,3], *[4], [1], [1], [1], False, [0], 1, out=*[2,4,5,5]{1,2,40,8}");
}

TEST(CudaConvolution, TakesOperandsAtOddOffsets) {
  expect_convolutions_agree("*[1,3,5,5]+1, *[4,3,3,3]+3, *[4]+1", "[1], [0], [1], False, [0], 1");
}

TEST(CudaConvolution, IsEmptyForAnEmptyBatch) {
  expect_convolutions_agree("*[0,3,5,5], *[4,3,3,3], *[4]", "[1], [0], [1], False, [0], 1");
}

TEST(CudaConvolution, KeepsThePlannedLayout) {
  const OpEntry& op = op_named("aten.convolution.default");
  const auto strides = [&](const char* arguments) {
    Values results;
    std::vector<Value> args = arguments_on(cuda(0), sample_arguments(op, arguments, -1, 1));
    dispatch(op, args, results);
    return to_string(results[0].tensor().meta());
  };
  EXPECT_EQ(strides("f16[1,2,4,4]{32,1,8,2}, f16[3,2,3,3], None, [1], [0], [1], False, [0], 1"),
            "f16[1,3,2,2]{12,1,6,3}+0@cuda:0");
  EXPECT_EQ(strides("f64[1,2,4,4]{32,1,8,2}, f64[3,2,3,3], None, [1], [0], [1], False, [0], 1"),
            "f64[1,3,2,2]{12,4,2,1}+0@cuda:0");
}

TEST(CudaConv, RunsTheOpsThatConvolve) {
  expect_agree("aten.conv2d.default", "f32[2,3,7,8], f32[4,3,3,3], f32[4], [1, 1], [1, 1]");
  expect_agree("aten.conv1d.default", "f32[2,3,9], f32[4,3,3]");
  expect_agree("aten.conv_transpose2d.input", "f32[2,4,5,6], f32[4,3,3,3], f32[3]");
}

}  // namespace
}  // namespace ersatz
