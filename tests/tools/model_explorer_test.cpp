// `--format model-explorer`: node data of Google's Model Explorer. tests/python/model_explorer_test.py reads it with
// the classes of its package.
#include "tools/output/model_explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json nodes_of(const std::string& program) {
  const CommandResult r =
      run_command({"crosscheck", scratch_file("explored.txt", program), "--format", "model-explorer"});
  const Json data = Json::parse(r.out);
  EXPECT_EQ(data.size(), 1u);
  EXPECT_EQ(data.at("graph").at("name"), "ersatz crosscheck");
  return data.at("graph").at("results");
}

TEST(ModelExplorer, FindingsAndDownstreamNodesHaveValueAndColour) {
  const Json nodes = nodes_of(
      "graph(%x: f32[64,96]{1,64}):\n  %a: f32[64,96]{96,1} = aten.add.Tensor(%x, %x)\n"
      "  %b: f32[64,96]{1,64} = aten.relu.default(%a)\n  return %b\n");
  ASSERT_EQ(nodes.size(), 2u) << nodes;
  EXPECT_EQ(nodes["a"]["value"], "stride: predicted f32[64,96]{1,64}+0@cpu, record says f32[64,96]{96,1}+0@cpu");
  EXPECT_EQ(nodes["b"]["value"], "inherits from a");
  EXPECT_NE(nodes["a"]["bgColor"], nodes["b"]["bgColor"]);
}

TEST(ModelExplorer, SeveralFindingsOfANodeAreOneValue) {
  const Json report = {
      {"command", "crosscheck"},
      {"findings",
       {{{"node", "a"}, {"field", "dtype"}, {"predicted", "f32"}, {"observed", "f16"}, {"witness", "eager"}},
        {{"node", "a"}, {"field", "size"}, {"predicted", "2"}, {"observed", "3"}, {"witness", "eager"}},
        {{"node", ""}, {"field", "size"}, {"predicted", "2"}, {"observed", "3"}, {"witness", "eager"}}}}};
  const Json results = Json::parse(model_explorer_text(report)).at("graph").at("results");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results["a"]["value"], "dtype: predicted f32, eager says f16; size: predicted 2, eager says 3");
}

TEST(ModelExplorer, ACleanProgramHasNoNodes) {
  EXPECT_TRUE(nodes_of("graph(%x: f32[2]):\n  %a: f32[2] = aten.relu.default(%x)\n  return %a\n").empty());
}

TEST(ModelExplorer, NamesThatAreNoUtf8AreReplaced) {
  EXPECT_NO_THROW(
      model_explorer_text({{"command", "crosscheck"}, {"findings", {{{"node", "\xff"}, {"field", "size"}}}}}));
}

}  // namespace
}  // namespace ersatz::tools
