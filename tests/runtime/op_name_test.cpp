// Lookup of operators by the spellings that users write.
#include "runtime/op/op_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ersatz {
namespace {

using testing::ElementsAre;

std::vector<std::string> meant(std::string_view written) {
  std::vector<std::string> names;
  for (const OpEntry* op : ops_meant(written)) names.push_back(op->name);
  return names;
}

TEST(OpName, OneOverloadIsWrittenWithOrWithoutNamespace) {
  for (const char* name : {"aten.add.Tensor", "aten::add.Tensor", "torch.ops.aten.add.Tensor", "add.Tensor"}) {
    EXPECT_THAT(meant(name), ElementsAre("aten.add.Tensor")) << name;
    EXPECT_EQ(op_named(name).name, "aten.add.Tensor") << name;
  }
}

TEST(OpName, ANameWithoutAnOverloadMeansEveryOne) {
  for (const char* name : {"flip", "aten.flip", "aten::flip", "torch.ops.aten.flip"}) {
    EXPECT_THAT(meant(name), ElementsAre("aten.flip.default", "aten.flip.out")) << name;
  }
}

TEST(OpName, APartOfANameMeansNothing) {
  for (const char* name : {"aten", "ad", "aten.ad", "add.Tens", "aten::add.", "", ".", "::", "add.Tensor.x"}) {
    EXPECT_THAT(meant(name), ElementsAre()) << name;
  }
}

TEST(OpName, AnExplicitNamespaceIsNoOperator) {
  EXPECT_TRUE(op_name_means("add.Tensor", "aten.add.Tensor"));
  EXPECT_FALSE(op_name_means("add::Tensor", "aten.add.Tensor"));
}

TEST(OpName, IsReadForUnregisteredOperatorsToo) {
  EXPECT_TRUE(op_name_means("mine::mix", "mine.mix.default"));
  EXPECT_TRUE(op_name_means("mix", "mine.mix.Scalar"));
  EXPECT_FALSE(op_name_means("mine::mix", "yours.mix.default"));
}

TEST(OpName, OutOverloadNeedsItsFullName) {
  EXPECT_EQ(op_named("mm").name, "aten.mm.default");
  EXPECT_EQ(op_named("mm.out").name, "aten.mm.out");
}

}  // namespace
}  // namespace ersatz
