// The names that are suggested for a misspelled name.
#include "runtime/base/nearest.h"

#include <gtest/gtest.h>

namespace ersatz {
namespace {

const std::vector<std::string> kNames = {"crosscheck", "fake", "ops", "show", "validate"};

TEST(NearestNames, AreFoundBySlipPrefixPartOrCase) {
  const struct {
    const char *text, *name;
  } rows[] = {{"crosschek", "crosscheck"},
              {"crosscehck", "crosscheck"},
              {"corsschekc", "crosscheck"},
              {"cross", "crosscheck"},
              {"check", "crosscheck"},
              {"CROSSCHECK", "crosscheck"},
              {"fkae", "fake"},
              {"opps", "ops"},
              {"Show", "show"},
              {"sho", "show"},
              {"valdiate", "validate"},
              {"va", "validate"}};
  for (const auto& row : rows) {
    const std::vector<std::string> found = nearest_names(row.text, kNames);
    ASSERT_EQ(found.size(), 1u) << row.text;
    EXPECT_EQ(found[0], row.name) << row.text;
  }
}

TEST(NearestNames, OfAnotherWordAreNone) {
  for (const char* text : {"", "f", "fly", "model.pt2", "crossword puzzle"}) {
    EXPECT_TRUE(nearest_names(text, kNames).empty()) << text;
  }
  EXPECT_TRUE(nearest_names(std::string(100000, 'f'), kNames).empty());
}

TEST(NearestNames, ComeNearestFirstAndOnlySoMany) {
  const std::vector<std::string> names = {"conv2d", "conv_depthwise3d", "convolution", "conv1d", "con"};
  EXPECT_EQ(nearest_names("conv", names), (std::vector<std::string>{"conv2d", "conv1d", "convolution"}));
  EXPECT_EQ(nearest_names("conv3d", names, 2), (std::vector<std::string>{"conv2d", "conv1d"}));
}

TEST(NearestNames, ReadAsAQuestion) {
  EXPECT_EQ(did_you_mean({}), "");
  EXPECT_EQ(did_you_mean({"a"}), "; did you mean a?");
  EXPECT_EQ(did_you_mean({"a", "b"}), "; did you mean a or b?");
  EXPECT_EQ(did_you_mean({"a", "b", "c"}), "; did you mean a, b or c?");
}

}  // namespace
}  // namespace ersatz
