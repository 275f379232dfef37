// The program that a command was given, with what lies beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracer/program_file.h"

namespace ersatz::tools {

struct ProgramInput {
  std::string path;
  Program program;
  std::string facts;   ///< facts.json beside it; empty: none
  std::string values;  ///< inputs_outputs.json beside it; empty: none
};

/// Loads a program and looks beside it. InvalidArgument where it cannot be used.
ProgramInput load_input(const std::string& path, uint64_t seed);

/// What a command was given: programs, and files of recorded calls (tracer/call_record.h).
struct InputFiles {
  std::vector<std::string> programs, call_records;
};
/// The file, or every program and record file below a folder, sorted. A single file that is no records counts as a
/// program: loading it says what is wrong. InvalidArgument where there is none.
InputFiles inputs_below(const std::string& path);

/// The programs that a FILE or DIR stands for: the file itself, or every program below the folder, sorted.
/// InvalidArgument where there is none.
std::vector<std::string> programs_below(const std::string& path);

}  // namespace ersatz::tools
