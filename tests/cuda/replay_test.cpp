// Recorded calls and whole programs on a CUDA device. Each call is compared with the same call on the CPU by `ersatz
// crosscheck --device cuda`, which runs as a child process.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>

namespace ersatz {
namespace {

struct Closing {
  int64_t compared = -1, mismatched = -1;
  int status = -1;
  std::string text;
};

/// Runs `ersatz crosscheck` and reads its closing line. It uses the CUDA module of this process.
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

#ifdef __SANITIZE_THREAD__
/// Returns a folder with the committed records, except files with calls that write elements which share memory (in
/// place, into `out=`, or by their own strides). ThreadSanitizer reports races in these calls; PyTorch's kernels race
/// too.
std::string records() {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "records_without_shared_places";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& file : std::filesystem::directory_iterator(ERSATZ_SOURCE_DIR "/tests/conformance")) {
    const std::string op = file.path().stem();
    const bool shares = op == "as_strided_scatter" || op == "baddbmm" || op == "conj_physical" || op == "randperm" ||
                        op == "threshold" || op == "tril";
    if (!shares) std::filesystem::create_symlink(file.path(), folder / file.path().filename());
  }
  return folder;
}
#else
std::string records() { return ERSATZ_SOURCE_DIR "/tests/conformance"; }
#endif

TEST(CudaReplay, RecordedCallsAgreeWithTheCpu) {
  const Closing closing = crosscheck(records());
  EXPECT_EQ(closing.status, 0) << closing.text;  // the program has the list of known differences
  EXPECT_EQ(closing.mismatched, 0) << closing.text;
  EXPECT_GT(closing.compared, 10000) << closing.text;
  // Inputs of zeros would hide most differences.
  std::smatch synthetic;
  ASSERT_TRUE(std::regex_search(closing.text, synthetic, std::regex("inputs of (\\d+) calls made up"))) << closing.text;
  EXPECT_GT(std::stoll(synthetic[1]), 5000);
}

TEST(CudaReplay, ProgramsAgreeWithTheCpu) {
  const Closing closing = crosscheck(ERSATZ_SOURCE_DIR "/tests/programs");
  EXPECT_EQ(closing.status, 0) << closing.text;
  EXPECT_EQ(closing.mismatched, 0) << closing.text;
  EXPECT_GT(closing.compared, 250) << closing.text;
}

}  // namespace
}  // namespace ersatz
