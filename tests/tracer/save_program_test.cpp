// Programs written as .pt2 archives: loading one gives the program that was written.
#include "tracer/pt2/save_program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/program_file.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own.
class SaveProgram : public testing::Test {
 protected:
  SaveProgram() : folder_(fs::path(testing::TempDir()) / ("ersatz_save_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~SaveProgram() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }

  /// Loads what it writes, compares, and answers what differs; empty: nothing.
  std::string round_trip(const Program& p) {
    const std::string file = path("written.pt2");
    save_program(file, p);
    std::string why;
    return same_program(p, load_program(file), &why) ? "" : why;
  }
  std::string round_trip(std::string_view text) { return round_trip(parse_program_text(text, path("p.txt"))); }

  /// What refuses the program, which leaves no file.
  std::string refusal(std::string_view text) {
    const Program p = parse_program_text(text, "p.txt");
    try {
      save_program(path("refused.pt2"), p);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::NotSupported);
      EXPECT_TRUE(fs::is_empty(folder_));
      return e.message;
    }
    return "nothing";
  }

  fs::path folder_;
};

/// Every `.pt2` file, or model.json, that the folder has.
std::vector<std::string> archives_below(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& e : fs::directory_iterator(folder)) {
    if (e.path().extension() == ".pt2") found.push_back(e.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST_F(SaveProgram, CommittedProgramsComeBackFromTheirArchives) {
  const auto folders = program_folders(fs::path(ERSATZ_SOURCE_DIR) / "tests" / "programs");
  ASSERT_GE(folders.size(), 5u);
  for (const std::string& folder : folders) EXPECT_EQ(round_trip(load_program(program_in(folder))), "") << folder;
}

TEST_F(SaveProgram, AllProgramsOfTheDataFolderComeBackFromTheirArchives) {
  if (data_folder().empty()) GTEST_SKIP() << "ERSATZ_DATA is not set: 102 programs not tried";
  std::vector<std::string> programs;
  for (const std::string& folder : program_folders(data_folder() / "programs")) programs.push_back(program_in(folder));
  ASSERT_EQ(programs.size(), 80u);
  const std::vector<std::string> traces = archives_below(data_folder() / "traces");
  ASSERT_EQ(traces.size(), 22u);
  programs.insert(programs.end(), traces.begin(), traces.end());
  for (const std::string& program : programs) {
    try {
      EXPECT_EQ(round_trip(load_program(program)), "") << program;
    } catch (const Error& e) {
      ADD_FAILURE() << program << ": " << e.message;
    }
  }
}

}  // namespace
}  // namespace ersatz
