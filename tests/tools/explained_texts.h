// Answers of `ersatz explain FILE...` about pasted texts, as JSON.
#pragma once

#include "tests/tools/command_line.h"

namespace ersatz::tools {

/// The answers about these files; an empty array if no text is recognised.
inline nlohmann::json answers(std::vector<std::string> files) {
  files.insert(files.begin(), "explain");
  files.emplace_back("--json");
  const CommandResult r = run_command(files);
  if (r.status == 2) return nlohmann::json::array();
  return r.json()["texts"];
}

/// The first answer; null if there is none.
inline nlohmann::json first(const std::vector<std::string>& files) {
  const nlohmann::json all = answers(files);
  return all.empty() ? nlohmann::json() : all[0];
}

}  // namespace ersatz::tools
