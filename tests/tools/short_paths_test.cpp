// Paths of source lines are shortened as far as they stay distinct.
#include "tools/output/short_paths.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

TEST(ShortPaths, AreTheLastPartWhereThatIsEnough) {
  const std::vector<std::string> sources = {"/home/me/models/gpt/block.py:17 in forward: x = self.ln(x)",
                                            "/home/me/models/gpt/mlp.py:9"};
  const ShortPaths paths(sources);
  EXPECT_EQ(paths(sources[0]), "block.py:17 in forward: x = self.ln(x)");
  EXPECT_EQ(paths(sources[1]), "mlp.py:9");
  EXPECT_EQ(paths("/home/me/models/gpt/block.py:40"), "block.py:40");
}

TEST(ShortPaths, TellTwoFilesOfOneNameApart) {
  const std::vector<std::string> sources = {"/a/gpt/nn/block.py:1", "/a/bert/nn/block.py:1", "/a/bert/nn/head.py:2"};
  const ShortPaths paths(sources);
  EXPECT_EQ(paths(sources[0]), "gpt/nn/block.py:1");
  EXPECT_EQ(paths(sources[1]), "bert/nn/block.py:1");
  EXPECT_EQ(paths(sources[2]), "head.py:2");
}

TEST(ShortPaths, LeavePathWholeThatIsEndOfAnother) {
  const std::vector<std::string> sources = {"nn/block.py:1", "gpt/nn/block.py:1", "x/gpt/nn/block.py:1"};
  const ShortPaths paths(sources);
  for (const std::string& source : sources) EXPECT_EQ(paths(source), source);
}

TEST(ShortPaths, LeaveWhatIsNoPathAlone) {
  const std::vector<std::string> sources = {"", "no path here", ":17", "a: b"};
  const ShortPaths paths(sources);
  for (const std::string& source : sources) EXPECT_EQ(paths(source), source);
}

TEST(ShortPaths, AreInFakeRunsTextNotItsJson) {
  const std::string file = scratch_file("long_path.txt",
                                        "graph(%x: f32[3]):\n  %y: f32[3] = aten.relu.default(%x) "
                                        "{at=\"/home/me/models/gpt/block.py:17 in forward: y = x.relu()\"}\n"
                                        "  return %y\n");
  const std::string text = run_command({"fake", file}).out;
  EXPECT_NE(text.find("  # block.py:17 in forward: y = x.relu()\n"), std::string::npos) << text;
  EXPECT_NE(run_command({"fake", file, "--json"}).out.find("/home/me/models/gpt/block.py:17"), std::string::npos);
}

}  // namespace
}  // namespace ersatz::tools
