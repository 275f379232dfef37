// A command line as data, for completions and the manual page.
#pragma once

#include <string>
#include <vector>

namespace ersatz::tools {

struct OptionSpec {
  std::vector<std::string> names;  ///< as typed: `-o`, `--output`
  bool takes_value = false;
  std::vector<std::string> choices;  ///< possible values; empty: any text
  std::string help;
};

struct PositionalSpec {
  std::string name;  ///< `PROGRAM`
  bool required = false, many = false;
  bool operators = false;            ///< takes names of operators
  std::vector<std::string> choices;  ///< possible values; empty: any text
  std::string help;
};

struct CommandSpec {
  std::string name, about, footer;
  std::vector<PositionalSpec> positionals;
  std::vector<OptionSpec> options;
};

struct ProgramSpec {
  std::string name, version;
  CommandSpec itself;  ///< options before a command
  std::vector<CommandSpec> commands;
};

/// A script that bash sources. Operator names come from running the program.
std::string bash_completion(const ProgramSpec& program);
/// The file `_ersatz` for a folder in zsh's `fpath`.
std::string zsh_completion(const ProgramSpec& program);
/// The manual page, for `man -l`.
std::string manual_page(const ProgramSpec& program);

}  // namespace ersatz::tools
