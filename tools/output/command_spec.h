// The commands and options of the command line as data, for shell completions and the manual page.
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
  std::string name;  ///< displayed name, for example `PROGRAM`
  bool required = false, many = false;
  bool operators = false;            ///< the argument is the name of an operator
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
  CommandSpec itself;  ///< the options that precede a command
  std::vector<CommandSpec> commands;
};

/// Returns a script for bash to source. For operator names, the script runs the program.
std::string bash_completion(const ProgramSpec& program);
/// Returns the file `_ersatz`, which belongs in a folder of zsh's `fpath`.
std::string zsh_completion(const ProgramSpec& program);
/// Returns the manual page in roff, which `man -l` shows.
std::string manual_page(const ProgramSpec& program);

}  // namespace ersatz::tools
