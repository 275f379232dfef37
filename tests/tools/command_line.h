// Runs a command line of `ersatz`, in this process or as a program, and stores its output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ersatz::tools {

struct CommandResult {
  int status = -1;  ///< of a process that a signal ended: 128 plus the signal's number, as in a shell
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

CommandResult run_command(const std::vector<std::string>& arguments);

/// Runs build/bin/ersatz in its own process, with `input` on stdin. `environment` adds variables, as NAME=VALUE.
CommandResult run_program(const std::vector<std::string>& arguments, const std::string& input = "",
                          const std::vector<std::string>& environment = {});

/// Path of a program in the repository: tests/programs/NAME/NAME.pt2.
std::string committed_program(const std::string& name);
/// Writes a file in the test's own folder, which is deleted at the end of the process.
std::string scratch_file(const std::string& name, const std::string& bytes);
std::string read_bytes(const std::string& path);

}  // namespace ersatz::tools
