// Recognition of a file's format.
#include <gtest/gtest.h>

#include "tracer/pt2/program_file.h"

namespace ersatz {
namespace {

constexpr const char* kGraph = "graph(%x: f32[2]):\n  return %x\n";

bool is_text(const std::string& bytes) { return guess_program_format(bytes) == ProgramFormat::Text; }

TEST(ProgramFormat, AProgramMayBeginWithAnyStatement) {
  for (const char* first :
       {"ersatz program 1", "producer \"me\"", "plugin \"x.so\"", "schema \"ns::f(Tensor x) -> Tensor\"", "seed 7",
        "seed -7", "symbol s0 in [2, 64] hint 4", "constraint \"2*s0\" in [4, 8]", "storage $0 8B made", ""}) {
    EXPECT_TRUE(is_text(std::string(first) + "\n" + kGraph)) << first;
    EXPECT_TRUE(is_text("  # a comment\n\n" + std::string(first) + "\n" + kGraph)) << first;
  }
}

TEST(ProgramFormat, AProgramThatBeginsWithAnyStatementLoads) {
  for (const char* first : {"plugin \"x.so\"", "schema \"ns::f(Tensor x) -> Tensor\"", "seed 7", "function \"f\"",
                            "steals \"x\"", "module 0 \"a\" \"B\"", "symbol s0 in [2, 64]",
                            "constraint \"2*s0\" in [4, 8]", "storage $0 8B made", "producer \"me\""}) {
    EXPECT_EQ(load_program_bytes(std::string(first) + "\n" + kGraph, "p").main().inputs.size(), 1u) << first;
  }
}

TEST(ProgramFormat, AGraphMayBeNamedOrSingle) {
  EXPECT_TRUE(is_text("graph @then(%x: f32[2]):\n  return %x\n"));
  EXPECT_TRUE(is_text("graph single (%x: f32[2]):\n  return %x\n"));
}

TEST(ProgramFormat, ProseThatBeginsWithSuchWordIsNone) {
  for (const char* text : {"graph structure is drawn below", "storage is cheap", "seed oils", "symbol of power",
                           "plugin architecture", "schema migrations", "ersatz is a tensor runtime",
                           "# Title\n\nSome words", "graphics(", "# nothing else", "", "plugin", "symbol s0"}) {
    EXPECT_EQ(guess_program_format(text), ProgramFormat::None) << text;
  }
}

TEST(ProgramFormat, AHeadOfCommentsMayBeAPrograms) {
  EXPECT_TRUE(is_text(std::string(4096, '#'))) << "the statement stands behind what was read";
  EXPECT_TRUE(is_text("# " + std::string(5000, 'c') + "\n" + kGraph));
}

}  // namespace
}  // namespace ersatz
