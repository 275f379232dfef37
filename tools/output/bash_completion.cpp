#include <fmt/format.h>

#include "tools/output/command_spec.h"

namespace ersatz::tools {

namespace {

std::string joined(const std::vector<std::string>& words, char between) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : std::string(1, between)) + w;
  return out;
}

/// Returns the branches of a shell `case`, with the values of each option: `      --fallback) words="rule zeros refuse"
/// ;;`.
std::string values_of(const CommandSpec& command) {
  std::string out;
  std::vector<std::string> files;
  for (const OptionSpec& o : command.options) {
    if (!o.takes_value) continue;
    if (o.choices.empty()) {
      files.insert(files.end(), o.names.begin(), o.names.end());
    } else {
      out += fmt::format("        {}) kind=words words=\"{}\" ;;\n", joined(o.names, '|'), joined(o.choices, ' '));
    }
  }
  if (!files.empty()) out += fmt::format("        {}) kind=files ;;\n", joined(files, '|'));
  return out;
}

std::string case_of(const CommandSpec& command) {
  std::vector<std::string> options, choices;
  bool operators = false;
  for (const OptionSpec& o : command.options) options.insert(options.end(), o.names.begin(), o.names.end());
  for (const PositionalSpec& p : command.positionals) {
    operators |= p.operators;
    choices.insert(choices.end(), p.choices.begin(), p.choices.end());
  }
  const std::string rest = choices.empty() ? operators ? "kind=operators" : "kind=files"
                                           : fmt::format("kind=words words=\"{}\"", joined(choices, ' '));
  return fmt::format("    {})\n      options=\"{}\"\n      case $before in\n{}        *) {} ;;\n      esac\n      ;;\n",
                     command.name, joined(options, ' '), values_of(command), rest);
}

}  // namespace

std::string bash_completion(const ProgramSpec& program) {
  std::vector<std::string> first;
  for (const CommandSpec& c : program.commands) first.push_back(c.name);
  for (const OptionSpec& o : program.itself.options) first.insert(first.end(), o.names.begin(), o.names.end());
  std::string cases;
  for (const CommandSpec& c : program.commands) cases += case_of(c);
  return fmt::format(R"(# bash completion of {0} {1}, written by `{0} completion bash`.
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} kind=none words= options=
  COMPREPLY=()
  # bash takes --color=always for three words.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{2}" -- "$word")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{3}    *) return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
    operators) mapfile -t COMPREPLY < <("${{COMP_WORDS[0]}}" completion ops "$word" 2>/dev/null) ;;&
    files | operators)
      compopt -o filenames 2>/dev/null
      local file
      while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$word")
      ;;
  esac
}}
complete -F _{0} {0}
)",
                     program.name, program.version, joined(first, ' '), cases);
}

}  // namespace ersatz::tools
