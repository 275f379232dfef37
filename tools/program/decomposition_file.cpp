#include "tools/program/decomposition_file.h"

#include <fstream>

namespace ersatz::tools {

DecompositionTable read_decompositions(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    fail_argument("--decompositions {}: it is core, none, or a file of operators, and no such file can be read", path);
  DecompositionTable table;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) continue;
    const std::string op = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    try {
      table.add(op);
    } catch (const Error& e) {
      fail_argument("{}:{}: {}", path, number, e.message);
    }
  }
  return table;
}

}  // namespace ersatz::tools
