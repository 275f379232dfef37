// Each line of tests/cases/FAMILY/OP.calls runs in every LineMode. Each run is a test: `flip.line_3/cpu`.
//
// With ERSATZ_CASES_DEVICE=cuda the lines run only on the GPU of the CUDA module.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tools/answer/test_answer.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {
namespace {

class Case : public testing::Test {
 public:
  Case(const CallLine* line, LineMode mode) : line_(line), mode_(mode) {}
  void TestBody() override {
    const LineAnswer answer = run_line(*line_, mode_);
    ASSERT_NE(answer.verdict, LineAnswer::Verdict::ExpectsNothing) << line_->where << ": expects nothing";
    for (const LineDifference& d : answer.differences) {
      ADD_FAILURE() << line_->where << ": " << d.about << ", " << d.field << ": expected " << d.expected << ", got "
                    << d.got << "\n  call:     " << line_->call() << "\n  expected: " << line_->expectation()
                    << "\n  got:      " << answer.got;
    }
    if (answer.verdict == LineAnswer::Verdict::Skipped) GTEST_SKIP() << answer.why;
  }

 private:
  const CallLine* line_;
  LineMode mode_;
};

std::vector<LineMode> modes() {
  const char* device = std::getenv("ERSATZ_CASES_DEVICE");
  if (device && std::string_view(device) == "cuda") return {LineMode::Cuda};
  return {LineMode::Cpu, LineMode::Fake, LineMode::Crosscheck, LineMode::Symbols};
}

/// Registers all tests, once. The lines live as long as the program.
bool register_cases() {
  static std::vector<std::vector<CallLine>> files;
  for (const std::string& path : call_files({ERSATZ_SOURCE_DIR "/tests/cases"})) {
    const std::string suite = std::filesystem::path(path).stem().string();
    for (const CallLine& line : files.emplace_back(parse_call_lines(read_file(path), path))) {
      for (const LineMode mode : modes()) {
        testing::RegisterTest(suite.c_str(), fmt::format("line_{}/{}", line.number, name(mode)).c_str(), nullptr,
                              nullptr, path.c_str(), static_cast<int>(line.number),
                              [&line, mode]() -> testing::Test* { return new Case(&line, mode); });
      }
    }
  }
  return !files.empty();
}

}  // namespace
}  // namespace ersatz::tools

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!ersatz::tools::register_cases()) return 1;
  return RUN_ALL_TESTS();
}
