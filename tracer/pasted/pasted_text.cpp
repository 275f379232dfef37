#include "tracer/pasted/pasted_text.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "runtime/base/count_text.h"
#include "runtime/base/error.h"
#include "tracer/pasted/exported_program_text.h"
#include "tracer/pasted/fx_graph_runnable.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/program/verify.h"

namespace ersatz::pasted {

namespace {

constexpr size_t kListed = 40;  // labels in a message

/// `forward` of `Forward graph 0`, `post_grad` of `AFTER POST GRAD`; else the artifact's stage.
std::string stage_of_log(const GraphText& g) {
  std::string title;
  for (const char c : g.title) title += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view stage : {"joint", "forward", "backward", "inference"}) {
    if (title.starts_with(stage)) return std::string(stage);
  }
  if (title.starts_with("after post grad")) return "post_grad";
  if (title.starts_with("before post grad")) return "before_post_grad";
  if (title.starts_with("before pre grad")) return "before_pre_grad";
  if (title.starts_with("after pre grad")) return "pre_grad";
  if (title.find("compiled_fn") != title.npos) return "dynamo";
  return stage_called(g.artifact);
}

std::string with_underscores(std::string_view compile_id) {
  std::string id(compile_id);
  std::replace(id.begin(), id.end(), '/', '_');
  return id;
}

/// Labels become distinct: the second one of a name is `name.1`.
void number_labels(std::vector<PastedGraph>& graphs) {
  std::unordered_map<std::string, int> seen;
  for (PastedGraph& g : graphs) {
    if (g.label.empty()) g.label = "graph";
    const int before = seen[g.label]++;
    if (before > 0) g.label += fmt::format(".{}", before);
  }
}

}  // namespace

PastedText::PastedText(std::string text, std::string name, SymbolHints known)
    : text_(std::move(text)), name_(std::move(name)) {
  clean_ = clean_lines(text_);
  lines_ = clean_.lines.size();
  std::vector<GraphText> found = find_graphs(clean_);
  const auto is_whole = [](const GraphText& g) { return !g.damage && !g.cut; };
  if (!std::all_of(found.begin(), found.end(), is_whole) && join_wrapped(clean_)) {
    // Wrapped lines are joined where that makes whole graphs; else the text stays as it is.
    std::vector<GraphText> again = find_graphs(clean_);
    if (std::all_of(again.begin(), again.end(), is_whole)) {
      found = std::move(again);
    } else {
      clean_ = clean_lines(text_);
      found = find_graphs(clean_);
    }
  }
  if (found.empty()) return;
  std::vector<std::vector<const CleanLine*>> streams(clean_.streams);
  for (const CleanLine& line : clean_.lines)
    streams[std::min<size_t>(line.stream, streams.size() - 1)].push_back(&line);
  const TraceRecords records(clean_);
  const bool exported = text_.find("ExportedProgram:") != text_.npos;
  const bool script = text_.find("def load_args(reader)") != text_.npos;
  bool headed = false;
  for (size_t i = 0; i < found.size(); ++i) {
    PastedGraph g;
    g.text = std::move(found[i]);
    headed |= g.text.signature || g.text.damage || g.text.cut;
    const uint32_t stream = g.text.stream;
    std::string compile_id;
    if (clean_.records > 0) {
      const TraceRecords::Place place = records.place(stream, g.text.first);
      compile_id = place.compile_id;
      g.stage = place.stage;
      g.hints.symbols = records.symbols(stream, compile_id);
    } else {
      g.stage = stage_of_log(g.text);
      g.hints.symbols = known;
      compile_id = with_underscores(g.text.compile_id);
    }
    g.label = !compile_id.empty() && !g.stage.empty() ? compile_id + "/" + g.stage
              : !g.stage.empty()                      ? g.stage
              : g.text.name == "<lambda>"             ? std::string("lambda")
                                                      : g.text.name;
    if (!compile_id.empty()) g.compilation = fmt::format("{}/{}", stream, compile_id);
    // Lines around it that are its own: to the next graph or record on both sides.
    const auto& lines = streams[stream];
    size_t begin = g.text.begin, end = std::max(g.text.end, g.text.begin + 1);
    while (begin > 0 && !lines[begin - 1]->record &&
           (graphs_.empty() || graphs_.back().text.stream != stream || begin > graphs_.back().text.end))
      --begin;
    size_t stop = end;
    while (stop < lines.size() && !lines[stop]->record &&
           !(i + 1 < found.size() && found[i + 1].stream == stream && stop >= found[i + 1].begin))
      ++stop;
    if (script) {
      const std::span<const CleanLine* const> all(lines);
      read_load_args(all.subspan(begin, g.text.begin - begin), g.hints, g.unread);
      read_load_args(all.subspan(std::min(end, lines.size()), stop - std::min(end, lines.size())), g.hints, g.unread);
    }
    if (exported)
      read_range_constraints(
          std::span<const CleanLine* const>(lines).subspan(std::min(end, stop), stop - std::min(end, stop)), g.hints);
    graphs_.push_back(std::move(g));
  }
  number_labels(graphs_);
  kind_ = clean_.records > 0    ? "a TORCH_TRACE log"
          : clean_.prefixed > 0 ? "a log of TORCH_LOGS"
          : script              ? "a script that runs a graph again (fx_graph_runnable, minifier)"
          : exported            ? "a printed ExportedProgram"
          : headed              ? "a printed FX graph"
                                : "lines of a printed FX graph";
}

size_t PastedText::find(std::string_view label) const {
  size_t found = graphs_.size(), ends = 0;
  for (size_t i = 0; i < graphs_.size(); ++i) {
    if (graphs_[i].label == label) return i;
    if (!graphs_[i].label.ends_with(label)) continue;
    found = i;
    ++ends;
  }
  if (ends == 1) return found;
  std::string list;
  for (size_t i = 0; i < std::min(graphs_.size(), kListed); ++i) list += (i ? ", " : "") + graphs_[i].label;
  if (graphs_.size() > kListed) list += ", ...";
  if (label.empty())
    fail_argument("{}: holds {}; --graph picks one: {}", name_, count_of(static_cast<int64_t>(graphs_.size()), "graph"),
                  list);
  fail_argument("{}: {} graph is called {}; there are {}", name_, ends ? "more than one" : "no", label, list);
}

ReadGraph PastedText::read(size_t i) const {
  const PastedGraph& g = graphs_.at(i);
  try {
    ReadGraph read = read_fx_graph(g.text, g.hints);
    read.unread.insert(read.unread.begin(), g.unread.begin(), g.unread.end());
    read.program.producer =
        fmt::format("{}, {}, lines {} to {}", kind_.substr(kind_.find(' ') + 1), g.label, g.text.first, g.text.last);
    verify_program(read.program, fmt::format("{}, graph {}", name_, g.label));
    return read;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError || e.message.starts_with(name_)) throw;
    fail_argument("{}: graph {}: {}", name_, g.label, e.message);
  }
}

GraphAddress graph_address(const std::string& path) {
  std::error_code ignored;
  const size_t colons = path.rfind("::");
  if (colons == path.npos || colons == 0 || std::filesystem::exists(path, ignored)) return {path, ""};
  return {path.substr(0, colons), path.substr(colons + 2)};
}

Program read_only_graph(const PastedText& text, const std::string& label) {
  const size_t at = label.empty() && text.graphs().size() == 1 ? 0 : text.find(label);
  return text.read(at).program;
}

}  // namespace ersatz::pasted
