// Recorded calls and whole programs on a CUDA device, each call held against the same call on the CPU: what
// `ersatz crosscheck --device cuda` does, as a program of its own.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <regex>
#include <string>

namespace ersatz {
namespace {

struct Closing {
  int64_t compared = -1, mismatched = -1;
  int status = -1;
  std::string text;
};

/// Runs it and reads its closing line; the CUDA module is the one that this process has.
Closing crosscheck(const std::string& arguments) {
  const std::string command =
      ERSATZ_BINARY_DIR "/bin/ersatz crosscheck " + arguments + " --device cuda --keep-going 2>&1";
  Closing closing;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return closing;
  std::array<char, 4096> buffer;
  while (size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) closing.text.append(buffer.data(), n);
  closing.status = pclose(pipe);
  std::smatch found;
  if (std::regex_search(closing.text, found, std::regex("crosscheck: (\\d+) compared, (\\d+) mismatched"))) {
    closing.compared = std::stoll(found[1]);
    closing.mismatched = std::stoll(found[2]);
  }
  return closing;
}

TEST(CudaReplay, RecordedCallsAgreeWithTheCpu) {
  const Closing closing = crosscheck(ERSATZ_SOURCE_DIR "/tests/conformance");
  EXPECT_EQ(closing.status, 0) << closing.text;  // what is known to differ comes with the program
  EXPECT_EQ(closing.mismatched, 0) << closing.text;
  EXPECT_GT(closing.compared, 10000) << closing.text;
  // Zeros would hide most differences.
  std::smatch made_up;
  ASSERT_TRUE(std::regex_search(closing.text, made_up, std::regex("inputs of (\\d+) calls made up"))) << closing.text;
  EXPECT_GT(std::stoll(made_up[1]), 5000);
}

TEST(CudaReplay, ProgramsAgreeWithTheCpu) {
  const Closing closing = crosscheck(ERSATZ_SOURCE_DIR "/tests/programs");
  EXPECT_EQ(closing.status, 0) << closing.text;
  EXPECT_EQ(closing.mismatched, 0) << closing.text;
  EXPECT_GT(closing.compared, 250) << closing.text;
}

}  // namespace
}  // namespace ersatz
