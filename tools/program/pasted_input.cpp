#include "tools/program/pasted_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "runtime/base/context.h"
#include "runtime/base/count_text.h"
#include "runtime/base/error.h"
#include "tracer/archive/input_file.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

namespace {

constexpr size_t kShown = 12;  // the most unread lines that a shortened report lists

/// Returns a text that changes when the file's content changes.
std::string state_of(const std::string& file) {
  std::error_code ignored;
  if (is_stream(file)) return file;
  return fmt::format("{} {} {}", file, fs::file_size(file, ignored),
                     fs::last_write_time(file, ignored).time_since_epoch().count());
}

/// Returns the example sizes of symbols, from the raw log in a tlparse folder.
pasted::SymbolHints symbols_of(const fs::path& folder, const TlparseFile& of) {
  static std::string last_raw;
  static std::map<std::string, pasted::SymbolHints> last;
  const std::string raw = (folder / "raw.jsonl").string();
  std::error_code ignored;
  if (!fs::is_regular_file(raw, ignored)) return {};
  if (const std::string state = state_of(raw); state != last_raw) {
    last = pasted::symbols_of_tlparse(read_file(raw));
    last_raw = state;
  }
  const auto found = last.find(of.compile_id);
  return found == last.end() ? pasted::SymbolHints() : found->second;
}

/// Collects facts about the graphs of a tlparse file from the other files in its folder. Empty for any other file.
pasted::TextBeside files_beside(const std::string& file) {
  pasted::TextBeside beside;
  const std::optional<TlparseFile> of = tlparse_file(file);
  if (!of) return beside;
  const fs::path folder = fs::path(of->folder).parent_path();
  beside.symbols = symbols_of(folder, *of);
  std::error_code ignored;
  // This folder has records that belong to no compilation. A second version file there would come from a restarted
  // process and name the same version, so only the first is read.
  const fs::path version = folder / "-_-_-_-" / "torch_version_0.json";
  if (fs::is_regular_file(version, ignored)) beside.torch.read_file(read_file(version.string()), version.string());
  return beside;
}

/// Texts in memory that HeldText registered, by name.
struct HeldTexts {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const pasted::PastedText>, std::less<>> by_name;

  static HeldTexts& all() {
    static HeldTexts texts;
    return texts;
  }
  std::shared_ptr<const pasted::PastedText> find(const std::string& name) {
    const std::lock_guard lock(mutex);
    const auto at = by_name.find(name);
    return at == by_name.end() ? nullptr : at->second;
  }
};

/// Returns a text in memory, or the text of a file that has no format of ersatz; null for any other file.
std::shared_ptr<const pasted::PastedText> any_text(const std::string& file) {
  if (auto held = HeldTexts::all().find(file)) return held;
  static std::mutex mutex;
  // The two texts that were parsed last, newest first.
  static std::array<std::pair<std::string, std::shared_ptr<const pasted::PastedText>>, 2> last;
  std::error_code ignored;
  if (!is_stream(file) && !fs::is_regular_file(file, ignored)) return nullptr;
  const std::lock_guard lock(mutex);
  const std::string state = state_of(file);
  if (state == last[1].first) std::swap(last[0], last[1]);
  if (state == last[0].first) return last[0].second;
  const std::string head = read_head(file);
  if (guess_program_format(head) != ProgramFormat::None || head.find('\0') != head.npos) return nullptr;
  const auto part = [file](uint64_t begin, uint64_t count) { return read_part(file, begin, count); };
  auto text = std::make_shared<const pasted::PastedText>(part, input_size(file).value_or(0), file, files_beside(file));
  last[1] = std::move(last[0]);
  last[0] = {state, std::move(text)};
  return last[0].second;
}

}  // namespace

std::optional<TlparseFile> tlparse_file(const std::string& file) {
  const fs::path path(file);
  const std::string folder = path.parent_path().filename().string(), stem = path.stem().string();
  const size_t last = stem.rfind('_');
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
  };
  if (!folder.starts_with("-_") || last == stem.npos || !digits(std::string_view(stem).substr(last + 1)))
    return std::nullopt;
  TlparseFile of{path.parent_path().string(), folder.substr(2), stem.substr(0, last), std::stol(stem.substr(last + 1))};
  if (of.compile_id.ends_with("_0") && std::count(of.compile_id.begin(), of.compile_id.end(), '_') == 2)
    of.compile_id.resize(of.compile_id.size() - 2);  // tlparse appends _0 to the name of a first attempt
  return of;
}

PastedRead PastedRead::of(const pasted::PastedText& text, size_t graph, const pasted::ReadGraph& read) {
  PastedRead one;
  one.kind = text.kind();
  one.lines = text.lines();
  one.gpus = text.gpus();
  if (!text.torch().rows().empty()) one.torch.emplace(text.name(), text.torch());
  one.unread = read.unread;
  const bool generated = text.graphs()[graph].generated;
  (generated ? one.functions : one.graphs) = 1;
  (generated ? one.statements : one.nodes) = read.nodes;
  return one;
}

void PastedRead::add(const PastedRead& other) {
  kind = other.kind;
  graphs += other.graphs;
  nodes += other.nodes;
  functions += other.functions;
  statements += other.statements;
  lines = other.lines;
  gpus.insert(other.gpus.begin(), other.gpus.end());
  torch.insert(other.torch.begin(), other.torch.end());
  for (const pasted::Unread& u : other.unread) {
    const bool known = std::any_of(unread.begin(), unread.end(),
                                   [&](const auto& k) { return k.line == u.line && k.reason == u.reason; });
    if (!known) unread.push_back(u);
  }
}

HeldText::HeldText(const std::string& name, std::string text) : name_(name) {
  auto held = std::make_shared<const pasted::PastedText>(std::move(text), name);
  HeldTexts& all = HeldTexts::all();
  const std::lock_guard lock(all.mutex);
  if (!all.by_name.try_emplace(name, std::move(held)).second) fail_argument("{}: a text of that name is in use", name);
}

HeldText::~HeldText() {
  HeldTexts& all = HeldTexts::all();
  const std::lock_guard lock(all.mutex);
  all.by_name.erase(name_);
}

std::shared_ptr<const pasted::PastedText> pasted_text(const std::string& file) {
  const auto text = any_text(file);
  return text && !text->graphs().empty() ? text : nullptr;
}

std::shared_ptr<const pasted::PastedText> trace_without_graphs(const std::string& file) {
  const auto text = any_text(file);
  return text && text->graphs().empty() && text->traced() ? text : nullptr;
}

Document pasted_report(const PastedRead& read, bool whole) {
  const auto count = [](size_t n, std::string_view noun) { return count_of(static_cast<int64_t>(n), noun); };
  std::string what;
  if (read.functions == 0 || read.graphs > 0)
    what = fmt::format("{}, {} read", count(read.graphs, "graph"), count(read.nodes, "node"));
  if (read.functions > 0) {
    what += fmt::format("{}{} of generated code, {} read", what.empty() ? "" : "; ", count(read.functions, "function"),
                        count(read.statements, "statement"));
  }
  Document out = read.lines > 0 ? fmt::format("{}, {}: {}\n", read.kind, count(read.lines, "line"), what)
                                : fmt::format("{}: {}\n", read.kind, what);
  nlohmann::ordered_json counts = {
      {"kind", read.kind}, {"graphs", read.graphs}, {"nodes", read.nodes}, {"lines", read.lines}};
  if (read.functions > 0) {
    counts["functions"] = read.functions;
    counts["statements"] = read.statements;
  }
  for (const auto& [capability, line] : read.gpus)
    counts["gpus"].push_back({{"backend", fmt::format("sm_{}", capability)}, {"line", line}});
  for (const auto& [text, names] : read.torch) {
    for (const pasted::NamedTorch& n : names.rows()) {
      counts["torch"].push_back({{"version", n.text}, {"line", n.line}, {"file", n.file.empty() ? text : n.file}});
    }
  }
  auto rows = nlohmann::ordered_json::array();
  for (size_t i = 0; i < read.unread.size(); ++i) {
    const pasted::Unread& u = read.unread[i];
    rows.push_back({{"line", u.line}, {"reason", u.reason}});
    if (whole || i < kShown) {
      out.add(u.line > 0 ? fmt::format("not read: line {}: {}\n", u.line, u.reason)
                         : fmt::format("not read: {}\n", u.reason));
    } else if (i == kShown) {
      out.add(fmt::format("not read: {} more; --json lists them\n", read.unread.size() - i));
    }
  }
  out.data = {{"read", std::move(counts)}, {"unread", std::move(rows)}};
  return out;
}

std::string backend_of_text(const PastedRead& read) {
  return read.gpus.size() == 1 ? fmt::format("sm_{}", read.gpus.begin()->first) : "";
}

std::string gpu_line(const PastedRead& read) {
  if (read.gpus.empty()) return {};
  if (read.gpus.size() == 1) {
    const auto& [capability, line] = *read.gpus.begin();
    return fmt::format("GPU: sm_{}, as DeviceProperties in line {} say; the text does not name its libraries\n",
                       capability, line);
  }
  std::string names;
  for (const auto& [capability, line] : read.gpus)
    names += fmt::format("{}sm_{} in line {}", names.empty() ? "" : ", ", capability, line);
  return fmt::format("GPU: DeviceProperties name several: {}; --backend says which is meant\n", names);
}

std::string torch_lines(const PastedRead& read, std::optional<TorchVersion> told) {
  struct Line {
    std::string text;
    size_t more = 0;  // number of further texts that name the same version
  };
  std::vector<Line> lines;
  std::map<std::string, size_t> of_version;  // version -> its index in `lines`
  for (const auto& [text, names] : read.torch) {
    const std::vector<pasted::NamedTorch> rows = names.rows();
    const pasted::NamedTorch& one = rows[0];
    if (const auto [at, added] = of_version.emplace(one.text, lines.size()); !added && rows.size() == 1) {
      ++lines[at->second].more;
      continue;
    }
    std::string all;
    for (const pasted::NamedTorch& n : rows) {
      const std::string place = !n.file.empty()         ? n.file
                                : read.torch.size() > 1 ? fmt::format("line {} of {}", n.line, text)
                                                        : fmt::format("line {}", n.line);
      all += fmt::format("{}{} in {}", all.empty() ? "" : ", ", n.text, place);
    }
    const TorchVersion known = std::clamp(one.version, kOldestTorch, TorchVersion());
    if (told) {
      all += fmt::format("; --torch asks for {}", to_string(*told));
    } else if (rows.size() > 1) {
      all += fmt::format("; --torch says which is meant, {} is predicted", to_string(rule_context().torch));
    } else if (known != one.version) {
      all += fmt::format("; {} to {} are known, {} is predicted", to_string(kOldestTorch), to_string(TorchVersion()),
                         to_string(known));
    }
    lines.push_back({std::move(all)});
  }
  std::string out;
  for (const Line& line : lines) {
    const std::string more =
        line.more > 0 ? fmt::format(", as in {}", count_of(static_cast<int64_t>(line.more), "other text")) : "";
    out += fmt::format("PyTorch: {}{}\n", line.text, more);
  }
  return out;
}

Document graph_list(const pasted::PastedText& text, PastedRead& read) {
  Document rows;
  size_t width = 5;
  for (const pasted::PastedGraph& g : text.graphs()) width = std::max(width, std::min<size_t>(g.label.size(), 48));
  std::vector<PastedRead> each(text.graphs().size());
  for (size_t i = 0; i < text.graphs().size(); ++i) {
    const pasted::PastedGraph& g = text.graphs()[i];
    std::string what;
    try {
      if (const auto same = text.same_as(i); same && !each[*same].kind.empty()) {
        each[i] = each[*same];
        for (pasted::Unread& u : each[i].unread) u.line += g.first - text.graphs()[*same].first;
      } else {
        each[i] = PastedRead::of(text, i, text.read(i));
      }
      read.add(each[i]);
      what = g.generated ? count_of(static_cast<int64_t>(each[i].statements), "statement")
                         : count_of(static_cast<int64_t>(each[i].nodes), "node");
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      what = "not read";
      read.unread.push_back({g.trouble, e.message});
    }
    rows.add(Document::Kind::Below, fmt::format("{:<{}}  lines {} to {}, {}", g.label, width, g.first, g.last, what));
  }
  return rows;
}

}  // namespace ersatz::tools
