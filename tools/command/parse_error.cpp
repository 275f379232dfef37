#include "tools/command/parse_error.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>

#include "runtime/base/nearest.h"

namespace ersatz::tools {

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    // CLI11 hides a command without a group from --help, so it is not suggested.
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

/// Returns the names of an app's options as a user types them: `--device`, `-o`.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

std::string no_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = command_names(app);
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    return fmt::format("a command comes before {}: {} (ersatz --help says what they do)", word, joined(names));
  }
  const std::string meant = did_you_mean(nearest_names(word, names));
  return fmt::format("there is no command {}{} (ersatz --help says what they do)", word,
                     meant.empty() ? "; there are " + joined(names) : meant);
}

/// The error for an unknown option. `word` is what the user typed, possibly with `=VALUE`.
std::string no_option(const CLI::App& app, const std::string& who, std::string word) {
  word.resize(std::min(word.find('='), word.size()));
  const std::string letters = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  // Names are compared without dashes. In a short name two dashes would weigh too much, and `-json` should find
  // `--json`.
  std::vector<std::string> names, bare;
  for (const std::string& name : option_names(app)) bare.push_back(name.substr(name.find_first_not_of('-')));
  for (const std::string& near : nearest_names(letters, bare)) {
    if (near.size() > 1) names.push_back("--" + near);
  }
  return fmt::format("there is no option {}{} ({} --help lists them)", word, did_you_mean(names), who);
}

}  // namespace

std::string parse_error_line(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const std::string who = parsed.empty() ? "ersatz" : "ersatz " + command.get_name();
  // An unknown word is reported before a missing option, because the word may be that option, misspelled.
  for (const std::string& word : app.remaining()) {
    const bool dashed = word.size() > 1 && word[0] == '-';
    return "ersatz: " + (dashed ? no_option(app, "ersatz", word) : no_command(app, word));
  }
  for (const std::string& word : command.remaining()) {
    if (word.size() > 1 && word[0] == '-') return fmt::format("{}: {}", who, no_option(command, who, word));
  }
  if (parsed.empty() && dynamic_cast<const CLI::RequiredError*>(&error)) {
    return fmt::format("ersatz: which command? There are {} (ersatz --help says what they do)",
                       joined(command_names(app)));
  }
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  return fmt::format("{}: {} ({} --help says more)", who, what, who);
}

}  // namespace ersatz::tools
