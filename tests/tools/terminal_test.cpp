// Colour and width of output on a terminal. Output to pipes and files has no colour and no limit of width.
#include "tools/output/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Sets an environment variable as long as the object exists.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    if (before) before_ = before;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

struct Terminal {
  int master = -1, fd = -1;
  explicit Terminal(unsigned short columns) {
    const winsize size{24, columns, 0, 0};
    if (::openpty(&master, &fd, nullptr, nullptr, &size) != 0) fd = -1;
  }
  ~Terminal() {
    ::close(master);
    ::close(fd);
  }
};

TEST(Terminal, ColoursUnlessSomebodyObjects) {
  const Terminal terminal(80);
  if (terminal.fd < 0) GTEST_SKIP() << "no terminal can be made here";
  const Variable term("TERM", "xterm"), plain("NO_COLOR", nullptr);
  EXPECT_TRUE(wants_color(Color::Auto, terminal.fd));
  EXPECT_FALSE(wants_color(Color::Never, terminal.fd));
  {
    const Variable no("NO_COLOR", "1");
    EXPECT_FALSE(wants_color(Color::Auto, terminal.fd));
    EXPECT_TRUE(wants_color(Color::Always, terminal.fd));
  }
  const Variable empty("NO_COLOR", ""), dumb("TERM", "dumb");
  EXPECT_FALSE(wants_color(Color::Auto, terminal.fd));
}

TEST(Terminal, IsAsWideAsReportedOrAsColumns) {
  const Terminal terminal(77);
  if (terminal.fd < 0) GTEST_SKIP() << "no terminal can be made here";
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  {
    const Variable unset("COLUMNS", nullptr);
    EXPECT_EQ(columns_of(terminal.fd), 77u);
    EXPECT_EQ(columns_of(pipe[1]), 0u);
    EXPECT_EQ(columns_of_help(), columns_of(STDOUT_FILENO) ? columns_of(STDOUT_FILENO) : 120u);
  }
  const Variable set("COLUMNS", "50");
  EXPECT_EQ(columns_of(terminal.fd), 50u);
  EXPECT_EQ(columns_of(pipe[1]), 0u);
  EXPECT_EQ(columns_of_help(), 50u);
  const Variable wrong("COLUMNS", "50x");
  EXPECT_EQ(columns_of(terminal.fd), 77u);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(Filled, BreaksParagraphsAndLeavesExamplesAlone) {
  EXPECT_EQ(filled("one two three\nfour\n\nfive:\n  ersatz fake model.pt2 and more\n", 9),
            "one two\nthree\nfour\n\nfive:\n  ersatz fake model.pt2 and more\n");
  EXPECT_EQ(filled("averyveryverylongword b", 5), "averyveryverylongword\nb");
  EXPECT_EQ(filled("", 5), "");
}

TEST(Color, IsForTerminalsAndForThoseWhoAsk) {
  const std::string program = committed_program("mlp");
  const std::vector<std::string> calm = {"TERM=xterm", "CLICOLOR_FORCE=1"};
  EXPECT_THAT(run_program({"crosscheck", program}, "", calm).out, Not(HasSubstr("\033")));
  EXPECT_THAT(run_program({"crosscheck", program, "--color=always"}).out, HasSubstr("\033[32mcrosscheck: 10 compared"));
  EXPECT_EQ(run_program({"crosscheck", program, "--color=sometimes"}).status, 2);
  const std::string file = scratch_file("colour.txt", "");
  EXPECT_EQ(run_program({"crosscheck", program, "-o", file}).status, 0);
  EXPECT_THAT(read_bytes(file), Not(HasSubstr("\033")));
  EXPECT_EQ(run_program({"crosscheck", program, "-o", file, "--color", "always"}).status, 0);
  EXPECT_THAT(read_bytes(file), HasSubstr("\033[32m"));
  EXPECT_THAT(run_program({"crosscheck", program, "--json", "--color", "always"}).out, Not(HasSubstr("\033")));
}

TEST(Quiet, LeavesTheClosingLineOfACleanRun) {
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--quiet"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "crosscheck: 10 compared, 0 mismatched, 0 skipped\n");
  EXPECT_THAT(run_command({"fake", committed_program("mlp"), "-q"}).out, testing::StartsWith("fake: 10 nodes, "));
}

TEST(Quiet, LeavesReportOfFindingsAndProgramWhole) {
  const std::string program = committed_program("mlp");
  const std::string unused = scratch_file("waivers", "aten.tanh.default stride nobody knows\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"crosscheck", program, "--waivers", unused}, {"show", program}, {"ops", "relu"}}) {
    std::vector<std::string> quiet = words;
    quiet.push_back("--quiet");
    EXPECT_EQ(run_command(quiet).out, run_command(words).out);
  }
}

TEST(Help, IsNoWiderThanTheTerminal) {
  for (const char* command : {"fake", "crosscheck", "show", "ops"}) {
    const CommandResult r = run_program({command, "--help"}, "", {"COLUMNS=80"});
    EXPECT_EQ(r.status, 0);
    for (size_t at = 0; at < r.out.size(); at = r.out.find('\n', at) + 1) {
      const std::string line = r.out.substr(at, r.out.find('\n', at) - at);
      if (!line.starts_with("  ersatz ")) {  // examples must be copyable, so they are not wrapped
        EXPECT_LE(line.size(), 80u) << line;
      }
    }
  }
}

}  // namespace
}  // namespace ersatz::tools
