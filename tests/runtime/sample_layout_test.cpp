// The layouts in which sample calls are tried.
#include "runtime/op/sample_layout.h"

#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

/// Returns the metadata `text`, changed to the layout; empty if the layout changes nothing.
std::string laid_out(std::string_view text, SampleLayout layout, bool is_written = false) {
  TensorMeta meta = parse_meta(text);
  return lay_out(meta, layout, is_written) ? to_string(meta, MetaStyle::Full) : "";
}

TEST(SampleLayout, EachHasStridesOfItsOwn) {
  const std::string plain = "f32[2,3]";
  EXPECT_EQ(laid_out(plain, SampleLayout::AsWritten), "");
  EXPECT_EQ(laid_out(plain, SampleLayout::Permuted), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(laid_out(plain, SampleLayout::Sliced), "f32[2,3]{7,2}+1@cpu");
  EXPECT_EQ(laid_out(plain, SampleLayout::Gapped), "f32[2,3]{6,2}+0@cpu");
  EXPECT_EQ(laid_out("f32[2,2,2]", SampleLayout::Sliced), "f32[2,2,2]{10,5,2}+1@cpu");
  EXPECT_EQ(laid_out("f32[2,2,2]", SampleLayout::Spread), "f32[2,2,2]{8,4,2}+1@cpu");
  EXPECT_EQ(laid_out(plain, SampleLayout::Offset), "f32[2,3]{3,1}+3@cpu");
  EXPECT_EQ(laid_out("f32[2,3]{1,2}", SampleLayout::Offset), "f32[2,3]{3,1}+3@cpu");
  EXPECT_EQ(laid_out("f32[1,3]", SampleLayout::Expanded), "f32[1,3]{3,0}+0@cpu");
  EXPECT_EQ(laid_out("f32[2,3,4,5]", SampleLayout::ChannelsLast), "f32[2,3,4,5]{60,1,15,3}+0@cpu");
}

TEST(SampleLayout, SaysWhereNothingChanges) {
  for (SampleLayout layout : {SampleLayout::Permuted, SampleLayout::Sliced, SampleLayout::Gapped,
                              SampleLayout::Expanded, SampleLayout::ChannelsLast}) {
    EXPECT_EQ(laid_out("f32[]", layout), "") << name(layout);
  }
  EXPECT_EQ(laid_out("f32[3]", SampleLayout::Permuted), "");
  EXPECT_EQ(laid_out("f32[2,3,4]", SampleLayout::ChannelsLast), "");
  EXPECT_EQ(laid_out("f32[2,3]", SampleLayout::Expanded, true), "");
  for (SampleLayout sizes : {SampleLayout::SizeOne, SampleLayout::SizeZero, SampleLayout::OtherSizes}) {
    EXPECT_EQ(laid_out("f32[2,3]", sizes), "") << name(sizes);
  }
}

TEST(SampleLayout, AnyOrderOfDims) {
  const SymInt sizes[] = {2, 3, 4};
  const size_t rotated[] = {0, 2, 1};
  EXPECT_EQ(to_string(TensorMeta(DType::F32, sizes, strides_in_order(sizes, rotated))), "f32[2,3,4]{12,1,3}+0@cpu");
  const SymInt empty[] = {2, 0, 4};
  EXPECT_EQ(to_string(TensorMeta(DType::F32, empty, strides_in_order(empty, rotated))), "f32[2,0,4]{4,1,1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
