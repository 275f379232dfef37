#include "tests/tools/command_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/command/command.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

CommandResult run_command(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"ersatz"};
  for (const std::string& a : arguments) argv.push_back(a.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CommandResult result;
  result.status = run_command_line(static_cast<int>(argv.size()), argv.data());
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

std::string committed_program(const std::string& name) {
  return std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/" + name + "/" + name + ".pt2";
}

std::string scratch_file(const std::string& name, const std::string& bytes) {
  static const struct Folder {
    fs::path path = fs::temp_directory_path() / ("ersatz_test_" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
  } folder;
  fs::path file = folder.path / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  return file.string();
}

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

}  // namespace ersatz::tools
