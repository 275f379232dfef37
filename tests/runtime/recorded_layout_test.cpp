// Rows with layouts that only a GPU library decides: parsing, lookup and printing.
#include "runtime/op/recorded_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ersatz {
namespace {

constexpr const char* kRow = "x.foo.default 0 sm_90,cublas=0,cudnn=91002 {6,1,2} f32[1,3,2]{6,2,1}+0@cuda:0, 1\n";
constexpr const char* kSituation = "f32[1,3,2]{6,2,1}+0@cuda:0, 1";
constexpr BackendRecord kBackend{90, 0, 91002};

RecordedLayouts parsed(std::string_view text) { return RecordedLayouts::parse(text, "layouts.txt"); }

std::string refusal(std::string_view text) {
  try {
    parsed(text);
  } catch (const Error& e) {
    return e.message;
  }
  return "taken";
}

TEST(RecordedLayouts, RowIsFoundForItsCallAndBackend) {
  const RecordedLayouts layouts = parsed(kRow);
  const DimVec* strides = layouts.find("x.foo.default", 0, kSituation, kBackend);
  ASSERT_TRUE(strides);
  EXPECT_TRUE(sym_eq(*strides, DimVec{6, 1, 2}));
  EXPECT_FALSE(layouts.find("x.foo.default", 1, kSituation, kBackend));
  EXPECT_FALSE(layouts.find("x.bar.default", 0, kSituation, kBackend));
  EXPECT_FALSE(layouts.find("x.foo.default", 0, "f32[1,3,2]{6,2,1}+0@cuda:0, 2", kBackend));
  EXPECT_FALSE(layouts.find("x.foo.default", 0, kSituation, BackendRecord{80, 0, 91002}));
  EXPECT_FALSE(layouts.find("x.foo.default", 0, kSituation, BackendRecord{90, 0, 90000}));
}

TEST(RecordedLayouts, AreWrittenSortedAsTheyAreRead) {
  RecordedLayouts layouts = parsed(std::string("# a comment\n\n") + kRow);
  layouts.add({"a.b.c", 1, kBackend, DimVec{}, "2"});
  EXPECT_EQ(layouts.text(), std::string("a.b.c 1 sm_90,cublas=0,cudnn=91002 {} 2\n") + kRow);
  EXPECT_EQ(parsed(layouts.text()).text(), layouts.text());
}

TEST(RecordedLayouts, ANewerRowReplacesTheOneBefore) {
  RecordedLayouts layouts = parsed(kRow);
  layouts.add({"x.foo.default", 0, kBackend, DimVec{6, 2, 1}, kSituation});
  EXPECT_EQ(layouts.size(), 1u);
  EXPECT_TRUE(sym_eq(*layouts.find("x.foo.default", 0, kSituation, kBackend), DimVec{6, 2, 1}));
}

TEST(RecordedLayouts, MalformedRowIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("# fine\nx.foo.default 0"), "layouts.txt:2: a row is: op result backend strides situation");
  EXPECT_EQ(refusal("x 0 sm_90 {1} 1"), "layouts.txt:1: a backend is: sm_90,cublas=0,cudnn=0; not ''");
  EXPECT_EQ(refusal("x 0 sm_90,cublas=0,cudnn=0 3,1 1"), "layouts.txt:1: strides are: {3,1}; not '3,1'");
  EXPECT_EQ(refusal("x zero sm_90,cublas=0,cudnn=0 {1} 1"), "layouts.txt:1: 'zero' is no number");
}

TEST(RecordedLayouts, ShippedOnesCanBeRead) { EXPECT_GE(recorded_layouts().size(), 0u); }

TEST(LayoutSituation, SpellsEveryArgumentButWhichDeviceOfKind) {
  TensorMeta meta(DType::F32, DimVec{2, 3}, cuda(1));
  meta.requires_grad = true;
  const Tensor t(std::move(meta), Storage::make_fake(24, cuda(1)));
  const std::vector<Value> args{Value(t), Value(), Value::list(std::vector<Value>{Value(t), Value(2.5)}), Value(true)};
  EXPECT_EQ(layout_situation(args), "f32[2,3]{3,1}+0@cuda:0, None, [f32[2,3]{3,1}+0@cuda:0, 2.5], True");
}

}  // namespace
}  // namespace ersatz
