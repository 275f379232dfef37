#include "tools/program_input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "runtime/error.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

namespace {

std::string beside(const fs::path& program, const char* name) {
  fs::path file = program.parent_path() / name;
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) ? file.string() : "";
}

/// Enough of a file to know its format.
std::string first_bytes(const fs::path& file) {
  std::string bytes(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

/// Does a JSON file have the key of exported graphs?
bool names_graph(const std::string& file) { return read_file(file).find("\"graph_module\"") != std::string::npos; }

}  // namespace

ProgramInput load_input(const std::string& path, uint64_t seed) {
  LoadOptions options;
  options.seed = seed;
  return {path, load_program(path, options), beside(path, "facts.json"), beside(path, "inputs_outputs.json")};
}

std::vector<std::string> programs_below(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    // Any JSON may be a graph by its first bytes; facts and stored values lie beside programs and are none.
    ProgramFormat format = guess_program_format(first_bytes(it->path()));
    bool is_program =
        format == ProgramFormat::GraphJson ? names_graph(it->path().string()) : format != ProgramFormat::None;
    if (is_program) found.push_back(it->path().string());
  }
  if (error) fail_argument("{}: the folder cannot be read: {}", path, error.message());
  if (found.empty()) fail_argument("{}: there is no program below this folder", path);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace ersatz::tools
