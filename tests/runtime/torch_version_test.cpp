#include "runtime/base/torch_version.h"

#include <gtest/gtest.h>

namespace ersatz {
namespace {

TEST(TorchVersion, IsReadFromPyTorchsOwnSpelling) {
  EXPECT_EQ(torch_version("2.11"), (TorchVersion{2, 11}));
  EXPECT_EQ(torch_version("2.9.1+cu130"), (TorchVersion{2, 9}));
  EXPECT_EQ(torch_version("2.16.0a0+git1234"), (TorchVersion{2, 16}));
  for (const char* text : {"", "2", "2.", "two.1", "2.x", "-2.1", "2.-1", "2.1x"}) {
    EXPECT_EQ(torch_version(text), std::nullopt) << text;
  }
}

TEST(TorchVersion, IsThatOfTheMakerOfAProgram) {
  EXPECT_EQ(torch_version_of_producer("torch 2.11.0, schema 8.16, ATEN"), (TorchVersion{2, 11}));
  EXPECT_EQ(torch_version_of_producer("torch 2.9.1"), (TorchVersion{2, 9}));
  EXPECT_EQ(torch_version_of_producer("schema 8.16"), std::nullopt);
  EXPECT_EQ(torch_version_of_producer("ersatz trace"), std::nullopt);
}

TEST(TorchVersion, HasOrderAndNewestIsDefault) {
  EXPECT_LT((TorchVersion{2, 9}), (TorchVersion{2, 11}));
  EXPECT_LT((TorchVersion{1, 13}), (TorchVersion{2, 0}));
  EXPECT_EQ(TorchVersion(), (TorchVersion{2, 15}));
  EXPECT_EQ(to_string(TorchVersion{2, 11}), "2.11");
}

}  // namespace
}  // namespace ersatz
