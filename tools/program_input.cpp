#include "tools/program_input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "runtime/error.h"
#include "tracer/call_record.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

namespace {

std::string beside(const fs::path& program, const char* name) {
  fs::path file = program.parent_path() / name;
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) ? file.string() : "";
}

/// Enough of a file to know its format; more where a record's first members are long.
std::string first_bytes(const fs::path& file, size_t most = 4096) {
  std::string bytes(most, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

/// Does a JSON file have the key of exported graphs?
bool names_graph(const std::string& file) { return read_file(file).find("\"graph_module\"") != std::string::npos; }

bool is_call_records(const fs::path& file) {
  return guess_program_format(first_bytes(file)) == ProgramFormat::GraphJson &&
         looks_like_call_records(first_bytes(file, size_t(1) << 16));
}

}  // namespace

ProgramInput load_input(const std::string& path, uint64_t seed) {
  LoadOptions options;
  options.seed = seed;
  return {path, load_program(path, options), beside(path, "facts.json"), beside(path, "inputs_outputs.json")};
}

InputFiles inputs_below(const std::string& path) {
  std::error_code error;
  InputFiles found;
  if (!fs::is_directory(path, error)) {
    (is_call_records(path) ? found.call_records : found.programs).push_back(path);
    return found;
  }
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    const std::string file = it->path().string();
    const ProgramFormat format = guess_program_format(first_bytes(file));
    // Any JSON may be a graph by its first bytes; facts and stored values lie beside programs and are none.
    if (format == ProgramFormat::GraphJson) {
      if (is_call_records(file)) {
        found.call_records.push_back(file);
      } else if (names_graph(file)) {
        found.programs.push_back(file);
      }
    } else if (format != ProgramFormat::None) {
      found.programs.push_back(file);
    }
  }
  if (error) fail_argument("{}: the folder cannot be read: {}", path, error.message());
  if (found.programs.empty() && found.call_records.empty())
    fail_argument("{}: there is no program and no recorded call below this folder", path);
  std::sort(found.programs.begin(), found.programs.end());
  std::sort(found.call_records.begin(), found.call_records.end());
  return found;
}

std::vector<std::string> programs_below(const std::string& path) {
  InputFiles found = inputs_below(path);
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  if (found.programs.empty()) fail_argument("{}: there is no program below this folder", path);
  return std::move(found.programs);
}

}  // namespace ersatz::tools
