// `ersatz decompose` is short for `ersatz trace` with some options; the tests run both commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

std::string writes() {
  return scratch_file("writes.txt",
                      "graph(%x: f32[2,3]):\n"
                      "  %y: f32[2,3] = aten.silu.default(%x)\n"
                      "  %z: f32[2,3] = aten.add_.Tensor(%x, %y)\n"
                      "  return %z\n");
}

TEST(Decompose, FileIsProgramAndReportGoesToStdout) {
  const std::string out = scratch_file("core.txt", "");
  const CommandResult r = run_command({"decompose", writes(), "-o", out});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "decompose: 3 nodes, 1 inputs, 2 outputs\n");
  const std::string text = read_bytes(out);
  EXPECT_THAT(text, HasSubstr("aten.sigmoid.default(%x)"));
  EXPECT_THAT(text, HasSubstr("return input_mutation \"x\" %add, %add"));
}

TEST(Decompose, FileNamesOperatorsThatAreTakenApart) {
  const std::string table = scratch_file("table.txt", "# one a line\n\n  aten.silu.default\n");
  const CommandResult r = run_command({"trace", writes(), "--decompositions", table});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("aten.sigmoid.default"));
  EXPECT_THAT(r.out, HasSubstr("aten.add_.Tensor"));
}

TEST(Decompose, UnknownOperatorInFileIsOneLine) {
  const std::string table = scratch_file("unknown.txt", "aten.silu.default\naten.nope.default\n");
  const CommandResult r = run_command({"trace", writes(), "--decompositions", table});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, HasSubstr(table + ":2: no operator is named aten.nope.default"));
}

TEST(Decompose, FileThatIsNotThereIsOneLine) {
  const CommandResult r = run_command({"trace", writes(), "--decompositions", "cor"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--decompositions cor: it is core, none, or a file of operators"));
}

}  // namespace
}  // namespace ersatz::tools
