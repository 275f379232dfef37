// Which elementwise calls move 16 bytes at a time, and that the others come to the same.
#include <gtest/gtest.h>

#include "kernels/pointwise/device_row_launch.h"
#include "tests/cuda/device_array.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

using pointwise::DevicePiece;

struct PlusOne {
  template <class T, class P>
  ERSATZ_HD static T f(T x, const P&) {
    return x + T(1);
  }
};

template <class S>
bool is_packed(size_t out_shift, size_t in_shift, int64_t n, DType stored = dtype_of<S>) {
  const DeviceArray<std::byte> out(std::vector<std::byte>(4096, std::byte{0x55})), in(4096);
  DevicePiece<2> piece;
  piece.numel = n;
  piece.contiguous = true;
  piece.data[0] = out.data() + out_shift * sizeof(S);
  piece.data[1] = in.data() + in_shift * sizeof(S);
  pointwise::DeviceOperand operands[2];
  operands[0] = {piece.data[0], stored, {}};
  operands[1] = {piece.data[1], dtype_of<S>, {}};
  const auto packed = pointwise::device::packed_as<PlusOne, float, S, 1>(stored);
  if (!pointwise::device::fits<1>(packed, piece, operands)) return false;
  packed.launch(0, piece, std::span<const pointwise::DeviceOperand>(operands), pointwise::RowParams{});
  const std::vector<std::byte> all = out.values();
  const auto* result = reinterpret_cast<const S*>(all.data()) + out_shift;
  for (int64_t i = 0; i < n; ++i) EXPECT_EQ(static_cast<float>(result[i]), 1.0f) << i << " of " << n;
  EXPECT_EQ(std::to_integer<int>(all[(out_shift + static_cast<size_t>(n)) * sizeof(S)]), 0x55)
      << "written past the end";
  return true;
}

TEST(PackedRows, MoveSixteenBytesAtATimeOnlyWhereEveryOperandIsAligned) {
  for (int64_t n : {1, 3, 4, 5, 100}) {
    EXPECT_TRUE(is_packed<float>(0, 0, n));
    EXPECT_TRUE(is_packed<float>(4, 8, n));
    EXPECT_FALSE(is_packed<float>(1, 0, n));
    EXPECT_FALSE(is_packed<float>(0, 1, n));
    EXPECT_FALSE(is_packed<float>(2, 2, n));
    EXPECT_TRUE(is_packed<bfloat16>(0, 8, n));
    EXPECT_FALSE(is_packed<bfloat16>(0, 4, n));
    EXPECT_TRUE(is_packed<half>(8, 0, n));
    EXPECT_FALSE(is_packed<half>(1, 1, n));
  }
  EXPECT_FALSE(is_packed<float>(0, 0, 4, DType::F16));
}

TEST(PackedRows, MisalignedViewsAreComputedAllTheSame) {
  for (const char* args : {"f32[100]{1}+1, f32[100]{1}+2", "f32[100]{1}+4, f32[100]{1}+3", "bf16[99]{1}+1, bf16[99]{1}",
                           "f16[33]{1}+8, f16[33]{1}+8", "i8[77]{1}+3, i8[77]{1}+16", "c64[13]{1}+1, c64[13]{1}"}) {
    expect_agree("aten.add.Tensor", args);
  }
}

}  // namespace
}  // namespace ersatz
