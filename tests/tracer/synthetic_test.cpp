// Synthetic values: equal on every machine, with each element drawn once in row-major order.
#include "tracer/tensors/synthetic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/watch/poison.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// Returns the elements in row-major order, as numbers.
template <class T>
std::vector<double> made(const char* meta, std::string_view name, SyntheticRole role, uint64_t seed = 7) {
  const Tensor t = make_real_tensor(parse_meta(meta));
  fill_synthetic(t, name, seed, role);
  std::vector<double> values;
  for_each_element(t.meta(), [&](int64_t at) {
    values.push_back(static_cast<double>(*reinterpret_cast<const T*>(t.storage()->data() + at)));
  });
  return values;
}

std::vector<double> input(const char* meta) { return made<double>(meta, "x", SyntheticRole::Input); }

// The expected values are computed with SplitMix64 from the state seed * 0x9E3779B97F4A7C15 ^ FNV-1a(name). The upper
// 53 bits of each draw are scaled to [-1, 1) and rounded to f32.
TEST(Synthetic, AreTheSameOnEveryMachine) {
  EXPECT_THAT(input("f64[2,2]"),
              ElementsAre(0.10066110668532158f, 0.12715500895433607f, -0.24698402893507665f, 0.2336124749772821f));
  EXPECT_THAT(made<uint8_t>("bool[8]", "x", SyntheticRole::Input), ElementsAre(0, 1, 1, 0, 1, 1, 0, 1));
  EXPECT_THAT(made<int64_t>("i64[8]", "x", SyntheticRole::Input), ElementsAre(0, 1, 1, 0, 1, 1, 0, 1));
}

TEST(Synthetic, DoNotDependOnTheLayout) {
  EXPECT_EQ(input("f64[2,3]{1,2}"), input("f64[2,3]"));
  EXPECT_EQ(input("f64[2,3]{4,1}+2"), input("f64[2,3]"));
}

TEST(Synthetic, LongerTensorBeginsLikeAShorterOne) {
  std::vector<double> longer = input("f64[9]");
  longer.resize(8);
  EXPECT_EQ(longer, input("f64[8]"));
  EXPECT_EQ(input("f64[]")[0], longer[0]);
}

TEST(Synthetic, PositionsCountUpInTheLastDim) {
  EXPECT_THAT(made<int64_t>("i64[2,3]", "embeddings.position_ids", SyntheticRole::Weight),
              ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(made<int64_t>("i64[]", "relative_position_index", SyntheticRole::Weight), ElementsAre(0));
  EXPECT_THAT(made<int64_t>("i64[2,3]", "num_batches_tracked", SyntheticRole::Weight), Each(0));
}

TEST(Synthetic, OnesAreOnesInEveryDType) {
  EXPECT_THAT(made<float>("f32[2,3]{1,2}", "x", SyntheticRole::Ones), Each(1));
  EXPECT_THAT(made<int16_t>("i16[3]", "x", SyntheticRole::Ones), Each(1));
  EXPECT_THAT(made<uint8_t>("bool[3]", "x", SyntheticRole::Ones), Each(1));
}

TEST(Synthetic, LeaveATensorWithoutElementsAlone) { EXPECT_THAT(input("f64[2,0]"), ElementsAre()); }

}  // namespace
}  // namespace ersatz
