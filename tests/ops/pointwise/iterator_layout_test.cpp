// Layouts of elementwise results, as measured in PyTorch 2.15 eager on the CPU.
#include "kernels/pointwise/iterator_layout.h"

#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"

namespace ersatz::iterator_layout_test {
namespace {

/// The layout of the result, or the message if the operands do not broadcast.
std::string layout(std::initializer_list<const char*> operands, std::optional<DType> convert_to = DType::F32,
                   bool beside_number = false) {
  std::vector<TensorMeta> metas;
  for (const char* text : operands) metas.push_back(parse_meta(text));
  std::vector<const TensorMeta*> pointers;
  for (const TensorMeta& m : metas) pointers.push_back(&m);
  TensorMeta result;
  result.dtype = DType::F32;
  BroadcastMismatch mismatch;
  if (!iterator_layout(pointers, convert_to, result, mismatch, beside_number)) {
    return fmt::format("operand {} dim {}: {} vs {}", mismatch.operand, mismatch.dim, mismatch.expected, mismatch.have);
  }
  return to_string(result);
}

TEST(IteratorLayout, ContiguousStaysContiguous) { EXPECT_EQ(layout({"f32[2,3]", "f32[2,3]"}), "f32[2,3]{3,1}+0@cpu"); }

TEST(IteratorLayout, OddStridesOfSizeOneDimsVanish) {
  EXPECT_EQ(layout({"f32[1,3]{7,1}", "f32[1,3]{3,1}"}), "f32[1,3]{3,1}+0@cpu");
}

TEST(IteratorLayout, SizeOneDimsBesideNumberKeepTheirStrides) {
  const auto beside_number = [](const char* operand) { return layout({operand}, std::nullopt, true); };
  EXPECT_EQ(beside_number("f32[2,1,4,4]{16,4,4,1}"), "f32[2,1,4,4]{16,4,4,1}+0@cpu");
  EXPECT_EQ(beside_number("f32[2,1,4,4]{16,100,4,1}"), "f32[2,1,4,4]{16,32,4,1}+0@cpu");
  EXPECT_EQ(beside_number("f32[2,1,4,4]{16,0,4,1}"), "f32[2,1,4,4]{16,16,4,1}+0@cpu");
  EXPECT_EQ(beside_number("f32[2,0,4]{5,7,1}"), "f32[2,0,4]{4,8,1}+0@cpu");
  EXPECT_EQ(beside_number("f32[2,1,4,4]"), "f32[2,1,4,4]{16,16,4,1}+0@cpu");
}

TEST(IteratorLayout, ChannelsLastStaysChannelsLast) {
  EXPECT_EQ(layout({"f32[2,3,4,5]{60,1,15,3}"}), "f32[2,3,4,5]{60,1,15,3}+0@cpu");
}

TEST(IteratorLayout, DenseStridesThatAllShareAreKept) {
  EXPECT_EQ(layout({"f32[2,3,4]{1,8,2}", "f32[2,3,4]{1,8,2}"}), "f32[2,3,4]{1,8,2}+0@cpu");
}

TEST(IteratorLayout, TheFirstOperandDecidesTheOrder) {
  EXPECT_EQ(layout({"f32[2,3]{1,2}", "f32[2,3]{3,1}"}), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(layout({"f32[2,3]{3,1}", "f32[2,3]{1,2}"}), "f32[2,3]{3,1}+0@cpu");
}

TEST(IteratorLayout, BroadcastDimLeavesOrderToNextOperand) {
  EXPECT_EQ(layout({"f32[3,4,4,1]{1,0,1,4}", "f32[3,4,4,1]{16,0,4,4}"}), "f32[3,4,4,1]{1,12,3,48}+0@cpu");
  EXPECT_EQ(layout({"f32[3,2,5,4]{0,0,4,1}", "f32[3,2,5,4]{10,1,2,30}"}), "f32[3,2,5,4]{40,1,8,2}+0@cpu");
}

TEST(IteratorLayout, ASmallerOperandIsStretched) {
  EXPECT_EQ(layout({"f32[2,3]{1,2}", "f32[3]"}), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(layout({"f32[]", "f32[2,3]{1,2}"}), "f32[2,3]{1,2}+0@cpu");
}

TEST(IteratorLayout, GappedOperandGivesDenseResultInItsOrder) {
  EXPECT_EQ(layout({"f32[2,3,4]{100,2,10}"}), "f32[2,3,4]{12,1,3}+0@cpu");
}

TEST(IteratorLayout, ConversionOnCpuSquashesOverlappingOperandFirst) {
  // If the result is computed in f32, the i64 operand is first copied to f32, and the strides of this copy count.
  // Without conversion the strides of the operand itself count.
  EXPECT_EQ(layout({"i64[2,3,4]{0,1,3}"}, std::nullopt), "f32[2,3,4]{12,1,3}+0@cpu");
  EXPECT_EQ(layout({"i64[2,3,4]{0,1,3}"}), layout({"f32[2,3,4]{12,1,3}"}));
}

TEST(IteratorLayout, ZeroSizesBroadcast) { EXPECT_EQ(layout({"f32[0,3]", "f32[1,3]"}), "f32[0,3]{3,1}+0@cpu"); }

TEST(IteratorLayout, FirstDimThatDoesNotBroadcastIsNamed) {
  EXPECT_EQ(layout({"f32[2,3]", "f32[2,4]"}), "operand 1 dim 1: 3 vs 4");
}

}  // namespace
}  // namespace ersatz::iterator_layout_test
