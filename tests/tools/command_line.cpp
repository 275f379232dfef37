#include "tests/tools/command_line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

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

CommandResult run_program(const std::vector<std::string>& arguments, const std::string& input,
                          const std::vector<std::string>& environment) {
  static int runs = 0;
  const std::string in = scratch_file(fmt::format("run{}.in", ++runs), input);
  const std::string out = scratch_file(fmt::format("run{}.out", runs), "");
  const std::string err = scratch_file(fmt::format("run{}.err", runs), "");
  const std::string program = ERSATZ_BINARY_DIR "/bin/ersatz";
  std::vector<std::string> words = {"env"};
  words.insert(words.end(), environment.begin(), environment.end());
  words.push_back(program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(in.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY), STDERR_FILENO);
    ::execvp("env", argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CommandResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_bytes(out);
  result.err = read_bytes(err);
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
