// Tensors of dtypes that few kernels are compiled for (kLimitedDTypes), on a CUDA device: converted, copied, and
// computed in a wider dtype.
#include <cmath>

#include "kernels/pointwise/device_value.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

constexpr DTypeSet kConverted = kLimitedDTypes.without(kFloat4s);

std::string spelled(std::string_view pattern, DType dtype) {
  std::string text(pattern);
  for (size_t at; (at = text.find('@')) != text.npos;) text.replace(at, 1, name(dtype));
  return text;
}

// If a conversion has a kernel of its own, contiguous operands are converted in packets, and transposed ones one by
// one.
TEST(CudaLimitedDTypes, ConvertToAndFromEveryDType) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto from = static_cast<DType>(i);
    if (is_packed(from)) continue;
    expect_agree_for(kConverted, "aten._to_copy.default", spelled("@[7,40], dtype=*", from), 0, 100);
    expect_agree_for(kConverted, "aten._to_copy.default", spelled("*[40,7]{1,40}, dtype=@", from), 0, 100);
  }
}

// Values that PyTorch 2.11 returns on an H100 (driver 580.159.04).
TEST(CudaLimitedDTypes, UnsignedIntegersEndAtTheirRange) {
  EXPECT_EQ(convert_value<uint16_t>(-1.5f), 0);
  EXPECT_EQ(convert_value<uint16_t>(5e9f), 65535);
  EXPECT_EQ(convert_value<uint16_t>(70000.0), 4464);
  EXPECT_EQ(convert_value<uint32_t>(-3e9), 0u);
  EXPECT_EQ(convert_value<uint32_t>(INFINITY), 4294967295u);
  EXPECT_EQ(convert_value<uint32_t>(NAN), 0u);
  EXPECT_EQ(convert_value<uint32_t>(double(NAN)), 2147483648u);
  EXPECT_EQ(convert_value<uint64_t>(-0.5f), 0u);
  EXPECT_EQ(convert_value<uint64_t>(1e20), UINT64_MAX);
  EXPECT_EQ(convert_value<uint64_t>(0x1p63f), uint64_t(1) << 63);
  EXPECT_EQ(convert_value<uint64_t>(NAN), uint64_t(1) << 63);
}

TEST(CudaLimitedDTypes, AreMoved) {
  expect_agree_for(kLimitedDTypes, "aten.clone.default", "*[70,33,5]{1,70,2310}");
  expect_agree_for(kLimitedDTypes, "aten.cat.default", "[*[3,5]{1,3}, *[3,0], *[3,2]], 1");
  expect_agree_for(kLimitedDTypes, "aten.index_select.default", "*[5,7]{1,5}, 1, i64[3]", 0, 4);
  expect_agree_for(kConverted, "aten.index.Tensor", "*[5,7]{1,5}, [None, i64[3]]", 0, 4);
  expect_agree_for(kConverted, "aten.unfold_backward.default", "*[2,2], [7], 0, 2, 3");
  expect_agree_for(kConverted, "aten.where.self", "bool[3,1], *[3,40], *[40]");
  expect_agree_for(kConverted, "aten.flip.default", "*[3,40], [0]");
  expect_agree_for(kConverted, "aten.constant_pad_nd.default", "*[3,4], [1, 2]");
  expect_agree_for(kConverted, "aten.embedding.default", "*[5,7], i64[2,3]", 0, 4);
}

TEST(CudaLimitedDTypes, AreFilled) {
  expect_agree_for(kConverted, "aten.fill_.Scalar", "*[3,40]{1,3}, 2");
  expect_agree_for(kConverted, "aten.full_like.default", "*[5], 1");
  expect_agree_for(kLimitedDTypes, "aten.zero_.default", "*[3,40]");
}

TEST(CudaLimitedDTypes, AreComputedInAWiderDType) {
  expect_agree_for(kConverted, "aten.mul.Tensor", "*[3,40], *[40,3]{1,40}", 0, 6);
  expect_agree_for(kConverted, "aten.eq.Tensor", "*[3,40], *[40]", 0, 3);
  expect_agree_for(kConverted, "aten.isnan.default", "*[3,40]");
  expect_agree_for(kWideUnsigned, "aten.bitwise_and.Tensor", "*[3,40], *[40]", 0, 100);
  expect_agree_for(kWideUnsigned, "aten.sort.default", "*[3,40]", 0, 1000);
  expect_agree_for(kWideUnsigned, "aten.sum.default", "*[3,40]", 0, 1000);
  expect_agree_for(kWideUnsigned, "aten.gather.default", "*[3,40], 1, i64[3,5]", 0, 39);
  expect_agree_for(kComplexHalf, "aten.add.Tensor", "*[3,40], *[40]");
}

}  // namespace
}  // namespace ersatz
