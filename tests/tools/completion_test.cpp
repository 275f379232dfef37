// Completions in bash and zsh, and the manual page in its readers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

bool has_program(const std::string& name) { return std::system(("command -v " + name + " >/dev/null").c_str()) == 0; }

std::string completion_file(const std::string& what) {
  return scratch_file("completion." + what, run_command({"completion", what}).out);
}

/// The completions that bash offers after these words, of which the last is incomplete.
std::vector<std::string> offered(const std::vector<std::string>& words) {
  std::string script = "PATH=" ERSATZ_BINARY_DIR "/bin:$PATH; source '" + completion_file("bash") + "'; cd '" +
                       std::string(ERSATZ_SOURCE_DIR) + "/tests'; COMP_WORDS=(ersatz";
  for (const std::string& w : words) script += " '" + w + "'";
  script += "); COMP_CWORD=" + std::to_string(words.size()) + "; _ersatz; printf '%s\\n' \"${COMPREPLY[@]}\"\n";
  const std::string file = scratch_file("complete.bash", script), out = scratch_file("complete.out", "");
  EXPECT_EQ(std::system(("bash '" + file + "' >'" + out + "' 2>&1").c_str()), 0);
  std::vector<std::string> lines;
  std::istringstream all(read_bytes(out));
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

TEST(BashCompletion, OffersCommandsOptionsAndTheirValues) {
  if (!has_program("bash")) GTEST_SKIP() << "bash is not here";
  const struct {
    std::vector<std::string> words;
    std::vector<std::string> offered;
  } rows[] = {{{"cross"}, {"crosscheck"}},
              {{"crosscheck", "--dev"}, {"--device"}},
              {{"crosscheck", "--known"}, {"--known-wrong"}},
              {{"crosscheck", "--device", "cu"}, {"cuda"}},
              {{"fake", "x", "--fallback", "z"}, {"zeros"}},
              {{"fake", "x", "--color", "=", "al"}, {"always"}},
              {{"fake", "x", "--format", "s"}, {"sarif"}},
              {{"completion", "z"}, {"zsh"}},
              {{"show", "progra"}, {"programs"}},
              {{"fake", "x", "-o", "conform"}, {"conformance"}}};
  for (const auto& row : rows) EXPECT_EQ(offered(row.words), row.offered) << row.words.back();
}

TEST(BashCompletion, AsksTheProgramForOperators) {
  if (!has_program("bash")) GTEST_SKIP() << "bash is not here";
  EXPECT_THAT(offered({"ops", "aten.addmm."}), Contains("aten.addmm.default"));
  EXPECT_THAT(offered({"ops", "convo"}), ElementsAre("convolution", "convolution_backward"));
}

TEST(BashCompletion, KnowsEveryOptionOfEveryCommand) {
  const std::string script = run_command({"completion", "bash"}).out, zsh = run_command({"completion", "zsh"}).out;
  for (const char* command : {"fake", "crosscheck", "show", "ops"}) {
    std::istringstream help(run_program({command, "--help"}).out);
    for (std::string line; std::getline(help, line);) {
      const size_t at = line.find("--");
      if (at > 6 || !line.starts_with("  -")) continue;
      const std::string option = line.substr(at, line.find_first_of(" ,", at) - at);
      EXPECT_THAT(script, HasSubstr(option)) << command;
      EXPECT_THAT(zsh, HasSubstr("*" + option)) << command;
    }
  }
}

TEST(ZshCompletion, IsAScriptThatZshTakes) {
  if (!has_program("zsh")) GTEST_SKIP() << "zsh is not here";
  EXPECT_EQ(std::system(("zsh -n '" + completion_file("zsh") + "'").c_str()), 0);
}

TEST(ManualPage, HasEveryCommandAndIsReadByShells) {
  const std::string file = completion_file("man"), page = read_bytes(file);
  EXPECT_THAT(page, testing::StartsWith(".TH ERSATZ 1 "));
  for (const char* command : {"fake", "crosscheck", "show", "ops", "completion"}) {
    EXPECT_THAT(page, HasSubstr(std::string(".SS \\fBersatz ") + command + "\\fR")) << command;
  }
  if (!has_program("mandoc") && !has_program("groff")) GTEST_SKIP() << "neither mandoc nor groff is here";
  const std::string out = scratch_file("lint.out", "");
  if (has_program("mandoc")) {
    EXPECT_NE(std::system(("mandoc -T lint '" + file + "' >'" + out + "' 2>&1").c_str()), -1);
    // The page contains no date, which would make the page of each build different.
    std::istringstream all(read_bytes(out));
    for (std::string line; std::getline(all, line);) {
      EXPECT_THAT(line, HasSubstr("missing date"));
    }
  } else {
    EXPECT_EQ(std::system(("groff -man -Tutf8 -ww '" + file + "' >/dev/null 2>'" + out + "'").c_str()), 0);
    EXPECT_EQ(read_bytes(out), "");
  }
}

}  // namespace
}  // namespace ersatz::tools
