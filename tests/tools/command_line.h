// Runs a command line of `ersatz`, in this process or as the program, and keeps what it printed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ersatz::tools {

struct CommandResult {
  int status = -1;  ///< of a process that a signal ended: 128 and its number, as shells have it
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

CommandResult run_command(const std::vector<std::string>& arguments);

/// The program build/bin/ersatz in a process of its own, with `input` on its stdin; `environment` is added to ours, as
/// NAME=VALUE.
CommandResult run_program(const std::vector<std::string>& arguments, const std::string& input = "",
                          const std::vector<std::string>& environment = {});

/// A program that the repository holds: tests/programs/NAME/NAME.pt2.
std::string committed_program(const std::string& name);
/// A file with these bytes in the test's own folder, gone when the process ends.
std::string scratch_file(const std::string& name, const std::string& bytes);
std::string read_bytes(const std::string& path);

}  // namespace ersatz::tools
