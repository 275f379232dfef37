// The paths of the tests' programs. Some programs are committed, the others are in a data folder that may be missing.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace ersatz {

/// Returns the file that a user would pass for a program's folder: the archive, or the graph JSON if there is none.
inline std::string program_in(const std::filesystem::path& folder) {
  const auto archive = folder / (folder.filename().string() + ".pt2");
  return (std::filesystem::exists(archive) ? archive : folder / "model.json").string();
}

inline std::string committed_program(const std::string& name) {
  return program_in(std::filesystem::path(ERSATZ_SOURCE_DIR) / "tests" / "programs" / name);
}

/// Returns the data folder, empty if it is not set or does not exist.
inline std::filesystem::path data_folder() {
  const char* set = std::getenv("ERSATZ_DATA");
  const std::filesystem::path folder = set && *set ? set : ERSATZ_DATA;
  return !folder.empty() && std::filesystem::is_directory(folder / "programs") ? folder : std::filesystem::path();
}

/// Returns the folders below `root` with a program, sorted.
inline std::vector<std::string> program_folders(const std::filesystem::path& root) {
  std::vector<std::string> folders;
  if (!std::filesystem::is_directory(root)) return folders;
  for (const auto& e : std::filesystem::recursive_directory_iterator(root)) {
    if (e.is_directory() && std::filesystem::exists(program_in(e.path()))) folders.push_back(e.path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace ersatz
