// `ersatz trace LIBRARY [FUNCTION]`: traces functions of a shared library by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;

const std::string kLibrary = ERSATZ_BINARY_DIR "/lib/traced_functions.so";

TEST(TraceLibrary, ListsItsFunctionsWhereNoneIsNamed) {
  const CommandResult r = run_command({"trace", kLibrary});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "layer(f32[4,8], f32[2,8])\ntwice()\n");
}

TEST(TraceLibrary, RecordsFunctionOnItsInputsAndOnOthers) {
  const CommandResult own = run_command({"trace", kLibrary, "layer"});
  EXPECT_EQ(own.status, 0) << own.err;
  EXPECT_THAT(own.out, HasSubstr("function \"layer\"\n"));
  EXPECT_THAT(own.out, HasSubstr("%relu: f32[4,2]{2,1}+0@cpu = aten.relu.default(%mm)\n"));
  const CommandResult other =
      run_command({"trace", kLibrary, "layer", "--inputs", "f32[3,5], f32[7,5]", "--mode", "real"});
  EXPECT_THAT(other.out, HasSubstr("%relu: f32[3,7]{7,1}+0@cpu = aten.relu.default(%mm)\n"));
}

TEST(TraceLibrary, WhatCannotBeTracedIsOneLine) {
  const CommandResult unknown = run_command({"trace", kLibrary, "lay"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no function is named lay; there are layer, twice"));
  const CommandResult none = run_command({"trace", ERSATZ_BINARY_DIR "/lib/demo_ops.so", "f"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("demo_ops.so: it names no functions to trace"));
  const CommandResult program = run_command({"trace", scratch_file("p.txt", "graph(%x: f32[2]):\n  return %x\n"), "f"});
  EXPECT_EQ(program.status, 2);
  EXPECT_THAT(program.err, HasSubstr("FUNCTION and --inputs are for libraries"));
}

}  // namespace
}  // namespace ersatz::tools
