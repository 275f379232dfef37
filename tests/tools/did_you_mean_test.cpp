// Unknown commands, options and operators: status 2 and one line with a suggestion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

struct Row {
  std::vector<std::string> arguments;
  std::string line;
};

/// Expects one line on stderr that begins with `line`, nothing on stdout, and status 2.
void expect_lines(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const CommandResult r = run_command(row.arguments);
    EXPECT_EQ(r.status, 2) << row.line;
    EXPECT_EQ(r.out, "") << row.line;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_EQ(r.err.substr(0, row.line.size()), row.line);
  }
}

TEST(DidYouMean, ACommand) {
  expect_lines({
      {{"crosschek", "x.pt2"}, "ersatz: there is no command crosschek; did you mean crosscheck? (ersatz --help says"},
      {{"CrossCheck"}, "ersatz: there is no command CrossCheck; did you mean crosscheck?"},
      {{"cross"}, "ersatz: there is no command cross; did you mean crosscheck?"},
      {{"--json", "fkae"}, "ersatz: there is no option --json"},
      {{"fkae", "--json"}, "ersatz: there is no command fkae; did you mean fake?"},
      {{"fly"}, "ersatz: there is no command fly; there are fake, crosscheck, "},
  });
}

TEST(DidYouMean, ACommandBeforeAFile) {
  const std::string file = committed_program("mlp");
  expect_lines({{{file, "--json"}, "ersatz: a command comes before " + file + ": fake, crosscheck, "}});
}

TEST(DidYouMean, AnOption) {
  expect_lines({
      {{"crosscheck", "--devce", "cuda"}, "ersatz crosscheck: there is no option --devce; did you mean --device? ("},
      {{"crosscheck", "--devce=cuda"}, "ersatz crosscheck: there is no option --devce; did you mean --device? ("},
      {{"crosscheck", "x", "--Seed", "3"}, "ersatz crosscheck: there is no option --Seed; did you mean --seed?"},
      {{"crosscheck", "x", "--keep"}, "ersatz crosscheck: there is no option --keep; did you mean --keep-going?"},
      {{"fake", "x", "-json"}, "ersatz fake: there is no option -json; did you mean --json?"},
      {{"fake", "x", "--zzz"}, "ersatz fake: there is no option --zzz (ersatz fake --help lists them)"},
  });
}

TEST(DidYouMean, OtherCommandLineErrorsAreOneLine) {
  expect_lines({
      {{"crosscheck"}, "ersatz crosscheck: PROGRAM is required (ersatz crosscheck --help says more)"},
      {{"show", "a", "b"}, "ersatz show: The following argument was not expected: b ("},
      {{"fake", "x", "--fallback", "zero"}, "ersatz fake: --fallback: zero not in {rule,zeros,refuse} ("},
      {{"crosscheck", "x", "--seed", "abc"}, "ersatz crosscheck: Could not convert: --seed = abc ("},
  });
}

TEST(DidYouMean, AnOperator) {
  expect_lines({
      {{"ops", "convolushun"}, "ersatz: no operator is named convolushun; did you mean aten.convolution?\n"},
      {{"ops", "aten::convolushun"}, "ersatz: no operator is named aten::convolushun; did you mean aten.convolution?"},
      {{"ops", "Relu"}, "ersatz: no operator is named Relu; did you mean aten.relu"},
      {{"ops", "atem.relu.default"}, "ersatz: no operator is named atem.relu.default; there is aten.relu.default"},
      {{"ops", "aten.convolution.defalt"},
       "ersatz: no operator is named aten.convolution.defalt; there is aten.convolution.default, aten.convolution.out"},
      {{"ops", "zzzzzzzz"}, "ersatz: no operator is named zzzzzzzz\n"},
      {{"explain", "add.Tensr", "f32[2], f32[2]"}, "ersatz: no operator is named add.Tensr; there is aten.add."},
      {{"crosscheck", ERSATZ_SOURCE_DIR "/tests/conformance/add.jsonl", "--only", "convolushun"},
       "ersatz: --only: no operator is named convolushun; did you mean aten.convolution?"},
  });
}

}  // namespace
}  // namespace ersatz::tools
