#include "runtime/tensor/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

DimVec dims(std::initializer_list<int64_t> v) {
  DimVec out;
  for (int64_t x : v) out.push_back(x);
  return out;
}
std::string text(const DimVec& v) {
  std::string out;
  for (SymInt x : v) out += (out.empty() ? "" : ",") + to_string(x);
  return out;
}
TensorMeta meta(std::string_view s) { return parse_meta(s); }
std::string preserved(std::string_view s) { return text(preserved_strides(meta(s).sizes, meta(s).strides)); }
std::string viewed(std::string_view s, std::initializer_list<int64_t> sizes) {
  std::optional<DimVec> v = view_strides(meta(s).sizes, meta(s).strides, dims(sizes));
  return v ? text(*v) : "no";
}

TEST(Layout, RowMajorStridesCountSizeZeroAsOne) {
  EXPECT_EQ(text(contiguous_strides(dims({2, 3, 4}))), "12,4,1");
  EXPECT_EQ(text(contiguous_strides(dims({2, 0, 4}))), "4,4,1");
  EXPECT_EQ(text(contiguous_strides({})), "");
}

TEST(Layout, ChannelsLastStridesKeepAZero) {
  EXPECT_EQ(text(channels_last_strides(dims({2, 3, 4, 5}))), "60,1,15,3");
  EXPECT_EQ(text(channels_last_strides(dims({2, 3, 4, 5, 6}))), "360,1,90,18,3");
  EXPECT_EQ(text(channels_last_strides(dims({3, 4, 5}))), "1,15,3");
  EXPECT_EQ(text(channels_last_strides(dims({2, 0, 4, 5}))), "0,1,0,0");
  EXPECT_THROW(strides_for(dims({2, 3, 4}), MemoryFormat::ChannelsLast), Error);
}

TEST(Layout, OverflowingStridesAreRefused) {
  EXPECT_THROW(contiguous_strides(dims({2, int64_t(1) << 40, int64_t(1) << 40})), Error);
}

TEST(Layout, ContiguityIgnoresSizesOfOneAndEmptyTensors) {
  EXPECT_TRUE(is_contiguous(meta("f32[2,3]{3,1}+0@cpu")));
  EXPECT_TRUE(is_contiguous(meta("f32[2,1,3]{3,99,1}+0@cpu")));
  EXPECT_TRUE(is_contiguous(meta("f32[2,0]{7,5}+0@cpu")));
  EXPECT_TRUE(is_contiguous(meta("f32[]{}+0@cpu")));
  EXPECT_FALSE(is_contiguous(meta("f32[2,3]{1,2}+0@cpu")));
  EXPECT_FALSE(is_contiguous(meta("f32[2,3]{0,1}+0@cpu")));
}

TEST(Layout, ChannelsLastIsStricterThanItsStridesTest) {
  TensorMeta sliced = meta("f32[2,3,4,5]{120,1,30,6}+0@cpu");  // every second pixel of a channels-last image
  EXPECT_FALSE(is_contiguous(sliced, MemoryFormat::ChannelsLast));
  EXPECT_EQ(suggest_memory_format(sliced), MemoryFormat::ChannelsLast);
  EXPECT_EQ(suggest_memory_format(meta("f32[2,3,4,5]{60,20,5,1}+0@cpu")), MemoryFormat::Contiguous);
  EXPECT_EQ(suggest_memory_format(meta("f32[2,3,4,5,6]{360,1,90,18,3}+0@cpu")), MemoryFormat::ChannelsLast3d);
}

TEST(Layout, AmbiguousStridesSuggestRowMajor) {
  EXPECT_EQ(suggest_memory_format(meta("f32[2,1,1,1]{1,1,1,1}+0@cpu")), MemoryFormat::Contiguous);
  EXPECT_EQ(suggest_memory_format(meta("f32[2,1,4,4]{16,16,4,1}+0@cpu")), MemoryFormat::Contiguous);
  EXPECT_EQ(suggest_memory_format(meta("f32[2,1,4,4]{16,1,4,1}+0@cpu")), MemoryFormat::ChannelsLast);
  EXPECT_EQ(suggest_memory_format(meta("f32[2,3,4,4]{16,0,4,1}+0@cpu")), MemoryFormat::Contiguous);
}

TEST(Layout, PreservedStridesAreKeptWhenDense) {
  EXPECT_EQ(preserved("f32[2,3,4]{1,8,2}+0@cpu"), "1,8,2");
  EXPECT_EQ(preserved("f32[2,1,3]{3,77,1}+0@cpu"), "3,77,1");
}

TEST(Layout, PreservedStridesAreDenseInTheSameOrder) {
  EXPECT_EQ(preserved("f32[2,3]{1,4}+0@cpu"), "1,2");
  EXPECT_EQ(preserved("f32[2,3,4]{24,8,2}+0@cpu"), "12,4,1");
  EXPECT_EQ(preserved("f32[3,4]{0,1}+0@cpu"), "4,1");
  EXPECT_EQ(preserved("f32[3,4]{1,0}+0@cpu"), "4,1");
  EXPECT_EQ(preserved("f32[3,4]{0,0}+0@cpu"), "4,1");
}

TEST(Layout, ViewExistsIfRunsOfDimsAreDense) {
  EXPECT_EQ(viewed("f32[2,3,4]{12,4,1}+0@cpu", {6, 4}), "4,1");
  EXPECT_EQ(viewed("f32[2,3,4]{12,4,1}+0@cpu", {2, 2, 6}), "12,6,1");
  EXPECT_EQ(viewed("f32[4,6]{12,1}+0@cpu", {2, 2, 3, 2}), "24,12,2,1");
  EXPECT_EQ(viewed("f32[4,6]{12,1}+0@cpu", {24}), "no");
  EXPECT_EQ(viewed("f32[3,2]{1,3}+0@cpu", {6}), "no");
  EXPECT_EQ(viewed("f32[1,3]{1,1}+0@cpu", {3, 1}), "1,1");
  EXPECT_EQ(viewed("f32[]{}+0@cpu", {1, 1}), "1,1");
  EXPECT_EQ(viewed("f32[0,3]{9,7}+0@cpu", {0, 3}), "9,7");
  EXPECT_EQ(viewed("f32[0,3]{9,7}+0@cpu", {3, 0}), "1,1");
}

TEST(Layout, OverlapIsProvenOnlyWhereItIsCheap) {
  EXPECT_EQ(internal_overlap(meta("f32[2,3]{1,2}+0@cpu")), Overlap::No);
  EXPECT_EQ(internal_overlap(meta("f32[2,3]{0,1}+0@cpu")), Overlap::Yes);
  EXPECT_EQ(internal_overlap(meta("f32[1,3]{0,1}+0@cpu")), Overlap::No);
  EXPECT_EQ(internal_overlap(meta("f32[2,3]{8,2}+0@cpu")), Overlap::TooHard);
}

TEST(Layout, TwoViewsShareAllSomeOrNothing) {
  TensorMeta low = meta("f32[4]{1}+0@cpu"), high = meta("f32[4]{1}+4@cpu"), middle = meta("f32[4]{1}+2@cpu");
  EXPECT_EQ(shared_memory(low, high, true), SharedMemory::No);
  EXPECT_EQ(shared_memory(low, middle, true), SharedMemory::Partial);
  EXPECT_EQ(shared_memory(low, low, true), SharedMemory::Full);
  EXPECT_EQ(shared_memory(meta("f32[1,4]{4,1}+0@cpu"), meta("f32[1,4]{7,1}+0@cpu"), true), SharedMemory::Partial);
  EXPECT_EQ(shared_memory(low, low, false), SharedMemory::No);
  EXPECT_EQ(shared_memory(meta("f32[2,2]{2,1}+0@cpu"), meta("f32[2,2]{1,2}+0@cpu"), true), SharedMemory::Partial);
  EXPECT_EQ(shared_memory(low, meta("f32[2]{2}+0@cpu"), true), SharedMemory::TooHard);
  EXPECT_EQ(shared_memory(low, meta("f32[0]{1}+0@cpu"), true), SharedMemory::No);
}

TEST(Layout, ExtentsAreInBytesAndInElements) {
  TensorMeta t = meta("f32[2,3]{4,1}+5@cpu");
  EXPECT_EQ(storage_bytes_needed(t).as_int(), (5 + 4 + 2 + 1) * 4);
  EXPECT_EQ(element_range(t), (std::pair<int64_t, int64_t>(5, 11)));
  EXPECT_EQ(storage_bytes_needed(meta("f32[0,3]{4,1}+5@cpu")).as_int(), 0);
}

// For random layouts, the functions return what their definitions give if all elements are enumerated.
TEST(Layout, AgreesWithEnumerationOnRandomLayouts) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    TensorMeta t;
    size_t rank = random() % 5;
    int64_t numel = 1;
    for (size_t d = 0; d < rank; ++d) {
      t.sizes.push_back(static_cast<int64_t>(1 + random() % 4));
      t.strides.push_back(static_cast<int64_t>(random() % 13));
      numel *= t.sizes[d].as_int();
    }
    if (random() % 2) {  // a dense layout with any order of dims
      std::vector<size_t> order(rank);
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), random);
      int64_t next = 1;
      for (size_t d : order) {
        t.strides[d] = next;
        next *= t.sizes[d].as_int();
      }
    }
    std::vector<int64_t> offsets;
    for (int64_t e = 0; e < numel; ++e) {
      int64_t rest = e, at = 0;
      for (size_t d = rank; d-- > 0;) {
        at += rest % t.sizes[d].as_int() * t.strides[d].as_int();
        rest /= t.sizes[d].as_int();
      }
      offsets.push_back(at);
    }
    std::set<int64_t> distinct(offsets.begin(), offsets.end());
    bool dense = static_cast<int64_t>(distinct.size()) == numel && *distinct.rbegin() == numel - 1;
    SCOPED_TRACE(to_string(t));
    ASSERT_EQ(is_non_overlapping_and_dense(t.sizes, t.strides), dense);
    ASSERT_EQ(is_contiguous(t), dense && std::is_sorted(offsets.begin(), offsets.end()));
    ASSERT_EQ(element_range(t).second, *distinct.rbegin());
    std::optional<DimVec> flat = view_strides(t.sizes, t.strides, dims({numel}));
    bool even = true;  // true if the elements have equal distances
    for (size_t e = 1; e < offsets.size(); ++e) even &= offsets[e] - offsets[e - 1] == offsets[1] - offsets[0];
    ASSERT_EQ(flat.has_value(), even || numel == 1);
    DimVec kept = preserved_strides(t.sizes, t.strides);
    ASSERT_TRUE(is_non_overlapping_and_dense(t.sizes, kept));
  }
}

TEST(Layout, SymbolicRowMajorNeedsNoGuard) {
  ShapeEnv env;
  SymInt s = env.symbol("s0", 4), u = env.symbol("u0");
  SymInt sizes[] = {s, u, SymInt(3)};
  DimVec strides = contiguous_strides(sizes);
  EXPECT_EQ(text(strides), "3*Max(1,u0),3,1");
  EXPECT_TRUE(is_contiguous(sizes, strides));
  EXPECT_TRUE(is_non_overlapping_and_dense(sizes, strides));
  EXPECT_TRUE(env.guards().empty());
}

TEST(Layout, SymbolicViewsMergeAndSplit) {
  ShapeEnv env;
  SymInt s = env.symbol("s0", 4), t = env.symbol("s1", 5);
  SymInt sizes[] = {s, t, SymInt(6)}, merged[] = {s * t, SymInt(6)}, split[] = {s, t, SymInt(2), SymInt(3)};
  DimVec strides = contiguous_strides(sizes);
  EXPECT_EQ(text(*view_strides(sizes, strides, merged)), "6,1");
  EXPECT_EQ(text(*view_strides(sizes, strides, split)), "6*s1,6,3,1");
}

}  // namespace
}  // namespace ersatz
