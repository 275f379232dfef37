// Elementwise calls that move 16 bytes at a time. Their results are compared with the CPU's.
#include <gtest/gtest.h>

#include "kernels/pointwise/device_row_launch.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

using pointwise::DeviceOperand;
using pointwise::DevicePiece;

constexpr DTypeSet kWideComplexes{DType::C64, DType::C128};

struct Sum {
  template <class T, class P>
  ERSATZ_HD static T f(T x, T y, const P&) {
    return x + y;
  }
};

/// Returns the stored dtype of the packets in which rows are added in f32; nullopt if elements are added one by one.
std::optional<DType> packets_of(DType out, DType x, DType y, std::vector<int64_t> sizes = {64},
                                std::vector<int64_t> y_strides = {1}, bool y_is_number = false) {
  using Launches = pointwise::device::RowLaunches<2>;
  using pointwise::device::packed_as;
  constexpr Launches::Packed kPacked[] = {packed_as<Sum, float, float, 2>(DType::F32),
                                          packed_as<Sum, float, half, 2>(DType::F16),
                                          packed_as<Sum, float, bfloat16, 2>(DType::BF16)};
  const Launches launches{kPacked, nullptr, true};
  static std::byte base[1];
  std::vector<int64_t> dense(sizes.size(), 1);
  for (size_t d = dense.size(); d-- > 1;) dense[d - 1] = dense[d] * sizes[d];
  const DeviceOperand operands[] = {{base, out, dense}, {base, x, dense}, {y_is_number ? nullptr : base, y, y_strides}};
  const pointwise::LoopOperand loop[] = {{base, item_size(out), dense},
                                         {base, item_size(x), dense},
                                         {base, item_size(y), y_is_number ? dense : y_strides}};
  std::optional<DType> chosen;
  pointwise::for_each_piece<3>(sizes, loop, [&](const DevicePiece<3>& piece) {
    const auto* packed = pointwise::device::choose_packed<2>(launches, operands, piece);
    if (packed) chosen = packed->stored;
  });
  return chosen;
}

TEST(PackedRows, StoreInputsAndResultInOneDtype) {
  EXPECT_EQ(packets_of(DType::F32, DType::F32, DType::F32), DType::F32);
  EXPECT_EQ(packets_of(DType::F16, DType::F16, DType::F16), DType::F16);
  EXPECT_EQ(packets_of(DType::BF16, DType::BF16, DType::BF16), DType::BF16);
  EXPECT_EQ(packets_of(DType::F32, DType::F32, DType::F16), std::nullopt);
  EXPECT_EQ(packets_of(DType::F32, DType::F16, DType::F16), std::nullopt);
  EXPECT_EQ(packets_of(DType::F16, DType::F16, DType::F32, {64}, {1}, true), DType::F16);
}

TEST(PackedRows, AreBroadcastRowsAndColumnsToo) {
  EXPECT_EQ(packets_of(DType::F32, DType::F32, DType::F32, {9, 64}, {0, 1}), DType::F32);
  EXPECT_EQ(packets_of(DType::F32, DType::F32, DType::F32, {9, 64}, {1, 0}), DType::F32);
  EXPECT_EQ(packets_of(DType::F32, DType::F32, DType::F32, {9, 4}, {0, 1}), DType::F32);
  EXPECT_EQ(packets_of(DType::F16, DType::F16, DType::F16, {9, 4}, {0, 1}), std::nullopt);
}

TEST(PackedRows, BroadcastOverRowsOfEveryLength) {
  for (int n = 1; n <= 40; ++n) {
    const std::string row = std::to_string(n);
    for (const std::string dtype : {"f32", "f16", "i8", "bool", "f64", "c128"}) {
      const std::string x = dtype + "[5," + row + "], ";
      expect_agree("aten.add.Tensor", x + dtype + "[" + row + "]");
      expect_agree("aten.add.Tensor", x + dtype + "[5,1]");
      expect_agree("aten.add.Tensor", dtype + "[3,2," + row + "]+1, " + dtype + "[2," + row + "]{1,2}+3");
    }
    expect_agree("aten.gt.Tensor", "bf16[5," + row + "], bf16[" + row + "]+1");
    expect_agree("aten.where.self", "bool[5," + row + "], f32[5,1], f32[" + row + "]");
  }
}

TEST(PackedRows, ImagesGetABiasForEachChannel) {
  for (const char* args :
       {"f32[2,5,7,9], f32[5,1,1]", "f16[2,8,4,4], f16[1,8,1,1]", "bf16[2,5,7,9]{315,1,45,5}, bf16[5,1,1]",
        "f32[1,3,1,5], f32[3,1,1]", "f32[2,0,7,9], f32[0,1,1]", "f32[4,1,3], f32[1,6,1]"}) {
    expect_agree("aten.add.Tensor", args);
  }
}

TEST(PackedRows, InPlaceOnDenseShiftedAndStridedViews) {
  for (const char* args : {"f32[6,11], f32[11]", "f32[6,11]{20,1}+3, f32[6,1]", "f16[40]{2}+1, f16[40]",
                           "i64[7,9]{1,7}, i64[9]", "bf16[6,16]{16,1}+1, bf16[16]", "u8[3,50]+5, u8[50]+2"}) {
    expect_agree("aten.add_.Tensor", args);
    expect_agree("aten.mul_.Tensor", args);
  }
}

TEST(PackedRows, MisalignedViewsAreComputedAllTheSame) {
  for (const char* args : {"f32[100]{1}+1, f32[100]{1}+2", "f32[100]{1}+4, f32[100]{1}+3", "bf16[99]{1}+1, bf16[99]{1}",
                           "f16[33]{1}+8, f16[33]{1}+8", "i8[77]{1}+3, i8[77]{1}+16", "c64[13]{1}+1, c64[13]{1}"}) {
    expect_agree("aten.add.Tensor", args);
  }
}

TEST(ComplexRows, InverseFunctionsKeepTheirDigitsFarFromZero) {
  for (const char* op : {"aten.acos.default", "aten.acosh.default", "aten.asin.default", "aten.asinh.default"}) {
    for (const double reach : {0.5, 9.0, 1e4, 1e10, 1e30}) expect_agree_for(kWideComplexes, op, "*[90]", -reach, reach);
  }
}

}  // namespace
}  // namespace ersatz
