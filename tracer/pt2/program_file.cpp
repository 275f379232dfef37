#include "tracer/pt2/program_file.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "runtime/base/error.h"
#include "tracer/archive/input_file.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/program/verify.h"
#include "tracer/pt2/pt2_archive.h"
#include "tracer/pt2/pt2_json.h"
#include "tracer/text/text_form.h"

namespace ersatz {

namespace fs = std::filesystem;

namespace {

/// Finds the weights config of a graph JSON that is in no archive. The config is in the JSON's folder, or in the folder
/// in which unpacked archives have it.
std::vector<PayloadConfig> find_config(const fs::path& json, PayloadFolder folder, fs::path& found) {
  const PayloadFolderNames& names = names_of(folder);
  const std::string name = fmt::format("{}{}", json.stem().string(), names.config);
  for (const fs::path& dir : {json.parent_path(), json.parent_path().parent_path() / names.folder.substr(1)}) {
    std::error_code failed;
    if (!fs::is_regular_file(dir / name, failed)) continue;
    found = dir;
    return parse_payload_config(read_file((dir / name).string()), (dir / name).string());
  }
  return {};
}

Program load_graph_json(std::string_view bytes, const std::string& path, bool on_disk, const LoadOptions& options) {
  Program program = parse_pt2_json(bytes, path);
  if (!program.weights.seed) program.weights.seed = options.seed;
  std::array<fs::path, 3> dirs;
  PayloadConfigs configs;
  for (size_t i = 0; on_disk && i < configs.size(); ++i) {
    configs[i] = find_config(path, static_cast<PayloadFolder>(i), dirs[i]);
  }
  auto find = [&](const PayloadConfig& row, PayloadFolder folder) {
    const fs::path file = dirs[static_cast<size_t>(folder)] / row.path;
    Payload p;
    std::error_code failed;
    const uint64_t size = fs::file_size(file, failed);
    if (failed) return p;  // the file cannot be read, so the payload is synthetic
    p.kind = Payload::Kind::File;
    p.path = fs::absolute(file).lexically_normal().string();
    p.nbytes = static_cast<int64_t>(size);
    return p;
  };
  bind_weights(program, configs, find, path);
  return program;
}

[[noreturn]] void refuse_format(const std::string& name) {
  fail_argument(
      "{}: no program: neither a .pt2 archive, nor its graph JSON, nor the text form, nor a printed graph, nor "
      "recorded "
      "calls (JSON lines with `op`)",
      name);
}

constexpr std::string_view kBlanks = " \t\r\n";

/// Removes blanks and comments from the front.
void skip_blanks(std::string_view& text) {
  while (!text.empty()) {
    const size_t blanks = std::min(text.find_first_not_of(kBlanks), text.size());
    text.remove_prefix(blanks);
    if (!text.starts_with('#')) return;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::string_view take_word(std::string_view& text) {
  skip_blanks(text);
  const size_t n = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
  const std::string_view word = text.substr(0, n);
  text.remove_prefix(n);
  skip_blanks(text);
  return word;
}

/// Returns whether the text begins like the text form (docs/text-form.md): with the first word of a statement, and
/// something that may follow that word. If `text` has only comments, the result is true if `text` is not the whole
/// file.
bool opens_text_form(std::string_view text) {
  constexpr size_t kHead = 4096;  // number of bytes of a file that are read to recognise its format
  const bool cut = text.size() >= kHead;
  const std::string_view word = take_word(text);
  if (text.empty()) return cut && word.empty();
  if (word == "ersatz") return take_word(text) == "program";
  if (word == "untold") return text[0] == 's' || text[0] == 'o' || text[0] == 'l' || text[0] == 'd';
  // The text of `print(graph)` of torch.fx also begins with "graph" (tracer/pasted/graph_listing.h).
  if (word == "graph" && text.find("[num_users=") != text.npos) return false;
  if (word == "graph") return text[0] == '(' || text[0] == '@' || take_word(text) == "single";
  if (word == "storage") return text[0] == '$';
  if (word == "seed") return text[0] == '-' || std::isdigit(static_cast<unsigned char>(text[0]));
  if (word == "symbol") return !take_word(text).empty() && take_word(text) == "in";
  if (word == "module") return !take_word(text).empty() && !text.empty() && text[0] == '"';
  const bool quotes = word == "producer" || word == "function" || word == "steals" || word == "plugin" ||
                      word == "schema" || word == "constraint";
  return quotes && text[0] == '"';
}

/// Loads a graph from a pasted text: the only graph, or the one with this label.
Program load_pasted(std::string bytes, const std::string& name, const std::string& label) {
  const pasted::PastedText text(std::move(bytes), name);
  if (text.graphs().empty()) refuse_format(name);
  return pasted::read_only_graph(text, label);
}

Program verified(Program program, const std::string& name) {
  verify_program(program, name);
  return program;
}

}  // namespace

std::string read_file(const std::string& path) {
  const InputFile file = open_input(path);
  std::string bytes;
  if (const std::optional<uint64_t> size = input_size(path); size && *size <= kMaxFileBytes) bytes.reserve(*size);
  char block[1 << 16];
  size_t got;
  while ((got = std::fread(block, 1, sizeof block, file.get())) > 0 && bytes.size() <= kMaxFileBytes)
    bytes.append(block, got);
  if (std::ferror(file.get())) fail_argument("{}: cannot be read to its end", path);
  if (bytes.size() > kMaxFileBytes) fail_argument("{}: is larger than 8 GiB", path);
  return bytes;
}

ProgramFormat guess_program_format(std::string_view bytes) {
  if (bytes.substr(0, 4) == "PK\3\4" || bytes.substr(0, 4) == "PK\5\6") return ProgramFormat::Archive;
  const size_t start = bytes.find_first_not_of(kBlanks);
  if (start != bytes.npos && bytes[start] == '{') return ProgramFormat::GraphJson;
  return opens_text_form(bytes) ? ProgramFormat::Text : ProgramFormat::None;
}

Program load_program(const std::string& address, const LoadOptions& options) {
  const auto [path, graph] = pasted::graph_address(address);
  std::error_code failed;
  if (fs::is_directory(path, failed)) fail_argument("{}: is a folder, not a program", path);
  if (is_stream(path)) return load_program_bytes(read_file(path), path, options);  // a stream has no files next to it
  std::string head(4096, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), open_input(path).get()));
  switch (guess_program_format(head)) {
    case ProgramFormat::Archive:  // the weights in the archive are read on first use
      return verified(
          load_pt2_archive(ZipArchive::open(fs::absolute(path).lexically_normal().string()), options.seed, graph),
          address);
    case ProgramFormat::GraphJson:
      return verified(load_graph_json(read_file(path), path, true, options), path);
    case ProgramFormat::Text:
      return verified(parse_program_text(read_file(path), path), path);
    case ProgramFormat::None:
      break;
  }
  return load_pasted(read_file(path), path, graph);
}

Program load_program_bytes(std::string bytes, const std::string& name, const LoadOptions& options) {
  switch (guess_program_format(bytes)) {
    case ProgramFormat::Archive:
      return verified(load_pt2_archive(ZipArchive::from_bytes(std::move(bytes), name), options.seed), name);
    case ProgramFormat::GraphJson:
      return verified(load_graph_json(bytes, name, false, options), name);
    case ProgramFormat::Text:
      return verified(parse_program_text(bytes, name), name);
    case ProgramFormat::None:
      break;
  }
  return load_pasted(std::move(bytes), name, "");
}

}  // namespace ersatz
