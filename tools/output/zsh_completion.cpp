#include <fmt/format.h>

#include "tools/output/command_spec.h"

namespace ersatz::tools {

namespace {

/// Escapes text for single quotes in zsh, and for a specification of `_arguments`, in which brackets and colons are
/// special.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '\n') {
      out += ' ';
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string action(const std::vector<std::string>& choices) {
  if (choices.empty()) return "_files";
  std::string words;
  for (const std::string& c : choices) words += (words.empty() ? "" : " ") + c;
  return "(" + words + ")";
}

/// Returns an option's specification for `_arguments`. Every option may be repeated, because some collect values.
std::string specification(const OptionSpec& option) {
  std::string out;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    out += fmt::format("        '*{}{}[{}]{}' \\\n", name, option.takes_value && is_long ? "=" : "",
                       zsh_text(option.help), option.takes_value ? ":value:" + action(option.choices) : "");
  }
  return out;
}

std::string specification(const PositionalSpec& p) {
  const std::string what = p.operators ? "_ersatz_operators_or_files" : action(p.choices);
  return fmt::format("        '{}:{}:{}' \\\n", p.many ? "*" : p.required ? "" : ":", zsh_text(p.name), what);
}

}  // namespace

std::string zsh_completion(const ProgramSpec& program) {
  std::string commands, cases;
  for (const CommandSpec& c : program.commands) {
    commands += fmt::format("      '{}:{}'\n", c.name, zsh_text(c.about));
    cases += fmt::format("    {})\n      _arguments \\\n", c.name);
    for (const OptionSpec& o : c.options) cases += specification(o);
    for (const PositionalSpec& p : c.positionals) cases += specification(p);
    cases += "        && return\n      ;;\n";
  }
  std::string own;
  for (const OptionSpec& o : program.itself.options) {
    for (const std::string& name : o.names) own += " " + name;
  }
  constexpr const char* kScript = R"zsh(#compdef {0}
# zsh completion of {0} {1}, written by `{0} completion zsh`.

_{0}_operators_or_files() {{
  local -a operators
  operators=(${{(f)"$(_call_program operators {0} completion ops ${{(q)PREFIX}} 2>/dev/null)"}})
  compadd -a operators
  _files
}}

_{0}() {{
  if ((CURRENT == 2)); then
    local -a commands
    commands=(
{2}    )
    _describe -t commands command commands
    compadd --{3}
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{4}  esac
}}

_{0} "$@"
)zsh";
  return fmt::format(fmt::runtime(kScript), program.name, program.version, commands, own, cases);
}

}  // namespace ersatz::tools
