// A command line as data: what completions and the manual page are made of.
#pragma once

#include <string>
#include <vector>

namespace ersatz::tools {

struct OptionSpec {
  std::vector<std::string> names;  ///< as they are typed: `-o`, `--output`
  bool takes_value = false;
  std::vector<std::string> choices;  ///< what the value may be; empty: anything, a file perhaps
  std::string help;
};

struct PositionalSpec {
  std::string name;  ///< `PROGRAM`
  bool required = false, many = false;
  bool operators = false;            ///< names of operators go here
  std::vector<std::string> choices;  ///< likewise
  std::string help;
};

struct CommandSpec {
  std::string name, about, footer;
  std::vector<PositionalSpec> positionals;
  std::vector<OptionSpec> options;
};

struct ProgramSpec {
  std::string name, version;
  CommandSpec itself;  ///< its own options
  std::vector<CommandSpec> commands;
};

/// A script for bash to source; operators are asked of the program that is completed.
std::string bash_completion(const ProgramSpec& program);
/// A file of the name `_ersatz` for a folder of zsh's `fpath`.
std::string zsh_completion(const ProgramSpec& program);
/// The manual page, for `man -l`.
std::string manual_page(const ProgramSpec& program);

}  // namespace ersatz::tools
