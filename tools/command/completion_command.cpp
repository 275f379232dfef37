// `ersatz completion`: shell completions and the manual page, generated from the command line's options.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <set>

#include "runtime/base/version.h"
#include "runtime/op/registry.h"
#include "tools/command/command.h"
#include "tools/output/command_spec.h"
#include "tools/output/report_output.h"

namespace ersatz::tools {

namespace {

/// Returns the values that an option accepts. CLI11 spells them in the type name: `TEXT:{auto,always,never}`.
std::vector<std::string> choices_of(const CLI::Option& option) {
  if (option.check_lname("device")) return {"cpu", "cuda", "meta"};  // cuda:1 and the like are not offered
  const std::string type = option.get_type_name();
  const size_t begin = type.find('{'), end = type.find('}');
  if (begin == type.npos || end == type.npos) return {};
  std::vector<std::string> words(1);
  for (const char c : type.substr(begin + 1, end - begin - 1)) c == ',' ? words.emplace_back() : words.back() += c;
  return words;
}

CommandSpec spec_of(const CLI::App& app) {
  CommandSpec spec{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* o : app.get_options()) {
    if (o->get_positional()) {
      const std::string name = o->get_name(true);
      // A positional argument takes operator names if it is displayed as NAME or OP.
      const bool operators = name == "NAME" || name.starts_with("OP");
      spec.positionals.push_back(
          {name, o->get_required(), o->get_expected_max() > 1, operators, choices_of(*o), o->get_description()});
      continue;
    }
    OptionSpec option;
    for (const std::string& name : o->get_snames()) option.names.push_back("-" + name);
    for (const std::string& name : o->get_lnames()) option.names.push_back("--" + name);
    option.takes_value = o->get_items_expected_max() > 0;
    option.choices = choices_of(*o);
    option.help = o->get_description();
    spec.options.push_back(std::move(option));
  }
  return spec;
}

ProgramSpec spec_of_program(const CLI::App& app) {
  ProgramSpec program{app.get_name(), std::string(version()), spec_of(app), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    program.commands.push_back(spec_of(*command));
  }
  return program;
}

/// Returns the operator names that begin with `prefix`, one per line. They include the namespace only if `prefix` does.
std::string operators_of(const std::string& prefix) {
  std::set<std::string> names;
  for (const OpEntry* op : registry().all()) {
    names.insert(op->schema.base);
    if (!prefix.empty()) names.insert({op->schema.ns + "." + op->schema.base, op->name});
  }
  std::string out;
  for (const std::string& name : names) {
    if (name.starts_with(prefix)) out += name + "\n";
  }
  return out;
}

}  // namespace

Run add_completion_command(CLI::App& app) {
  struct Options {
    std::string what, prefix;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("completion", "Completions for bash and zsh, and the manual page");
  command->add_option("WHAT", options->what, "bash, zsh: a script; man: the manual page; ops: names of operators")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "man", "ops"}));
  command->add_option("PREFIX", options->prefix, "For ops: how the names begin");
  command->footer(
      "\nInstalled with the program. Without installation:\n  source <(ersatz completion bash)\n  ersatz completion "
      "zsh "
      ">~/.zfunc/_ersatz      where fpath has ~/.zfunc\n  ersatz completion man | man -l -\n\nExamples:\n  ersatz "
      "completion bash\n  ersatz completion ops aten.conv");
  return [options, &app] {
    const ProgramSpec program = spec_of_program(app);
    write_report(options->what == "bash"  ? bash_completion(program)
                 : options->what == "zsh" ? zsh_completion(program)
                 : options->what == "man" ? manual_page(program)
                                          : operators_of(options->prefix),
                 "");
    return ExitStatus::Clean;
  };
}

}  // namespace ersatz::tools
