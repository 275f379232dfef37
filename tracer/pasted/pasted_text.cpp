#include "tracer/pasted/pasted_text.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "runtime/base/count_text.h"
#include "runtime/base/error.h"
#include "tracer/pasted/exported_program_text.h"
#include "tracer/pasted/fx_graph_runnable.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/pasted/words.h"
#include "tracer/program/verify.h"

namespace ersatz::pasted {

namespace {

constexpr size_t kListed = 40;                            // most labels that a message lists
constexpr uint64_t kPartBytes = uint64_t(32) << 20;       // size of a part in bytes; a smaller text is one part
constexpr uint64_t kMostPartBytes = uint64_t(256) << 20;  // largest size of a part if it has no place to cut

/// Returns the stage of a graph: `forward` if its title is `Forward graph 0`, `post_grad` for `AFTER POST GRAD`; else
/// the stage of its artifact.
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

/// Makes labels unique: the second graph named `name` becomes `name.1`.
void number_labels(std::vector<PastedGraph>& graphs) {
  std::unordered_map<std::string, int> seen;
  for (PastedGraph& g : graphs) {
    if (g.label.empty()) g.label = "graph";
    const int before = seen[g.label]++;
    if (before > 0) g.label += fmt::format(".{}", before);
  }
}

/// Returns whether two graphs have equal texts, whatever their line numbers are.
bool same_text(const GraphText& a, const GraphText& b) {
  const auto same_parameters = [](const std::vector<PyParameter>& x, const std::vector<PyParameter>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const PyParameter& p, const PyParameter& q) {
      return p.name == q.name && p.annotation == q.annotation;
    });
  };
  const auto same_line = [&](const BodyLine& x, const BodyLine& y) {
    return x.number - a.first == y.number - b.first && x.comment == y.comment && x.text == y.text;
  };
  return !a.damage && !a.cut && !a.generated && !b.damage && !b.cut && !b.generated && a.name == b.name &&
         a.signature.has_value() == b.signature.has_value() &&
         (!a.signature || same_parameters(a.signature->parameters, b.signature->parameters)) &&
         same_parameters(a.given, b.given) && a.members == b.members &&
         std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(), same_line) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same_text);
}

/// Returns whether the graph is complete and all its lines are statements.
bool is_sound(const GraphText& g) {
  if (g.damage || g.cut) return false;
  try {
    for (const BodyLine& line : g.body) {
      if (!line.comment && !g.generated) parse_statements(line.text);
    }
  } catch (const Error&) {
    return false;
  }
  return std::all_of(g.children.begin(), g.children.end(), is_sound);
}

/// Adds the GPUs that the Triton kernels in a part were generated for. `before` lines precede the part in the text.
void find_gpus(std::string_view text, size_t before, NamedGpus& gpus) {
  constexpr std::string_view kHead = "DeviceProperties(type='cuda'", kCapability = " cc=";
  for (size_t at = 0; (at = text.find(kHead, at)) != text.npos; at += kHead.size()) {
    const std::string_view inside = text.substr(at, text.substr(at, 1024).find(')'));
    const size_t key = inside.find(kCapability);
    if (key == inside.npos) continue;
    const std::string_view rest = inside.substr(key + kCapability.size());
    const auto capability = whole_number(rest.substr(0, std::min(rest.find_first_of(",)"), rest.size())));
    if (!capability || *capability < 10 || *capability > 999 || gpus.contains(static_cast<int>(*capability))) continue;
    const auto line =
        before + static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
    gpus[static_cast<int>(*capability)] = static_cast<uint32_t>(line + 1);
  }
}

}  // namespace

/// A part of the text after cleaning, with its graphs.
struct PastedText::LoadedPart {
  size_t index = 0;
  std::string bytes;
  CleanText clean;
  std::vector<GraphText> found;
  std::vector<std::vector<const CleanLine*>>
      streams;  ///< filled only for scripts and exported programs, in which lines around a graph describe it
  size_t lines = 0;
  bool exported = false, script = false;
};

PastedText::PastedText(std::string text, std::string name, TextBeside beside)
    : size_(text.size()), name_(std::move(name)), beside_(std::move(beside)) {
  source_ = [whole = std::move(text)](uint64_t begin, uint64_t count) { return whole.substr(begin, count); };
  read_parts();
}

PastedText::PastedText(Source source, uint64_t size, std::string name, TextBeside beside)
    : source_(std::move(source)), size_(size), name_(std::move(name)), beside_(std::move(beside)) {
  read_parts();
}

void PastedText::read_parts() {
  size_t prefixed = 0, lines = 0;
  bool exported = false, script = false, headed = false, printed = false;
  for (uint64_t begin = 0; begin < size_;) {
    uint64_t wanted = kPartBytes;
    std::string bytes = source_(begin, wanted);
    size_t end = bytes.size();
    while (begin + end < size_) {
      end = last_begin(bytes);
      if (end > 0) break;
      wanted *= 2;
      if (wanted > kMostPartBytes) {
        fail_argument("{}: from byte {} on {} MiB have no record of TORCH_TRACE and no graph of TORCH_LOGS", name_,
                      begin, kMostPartBytes >> 20);
      }
      bytes = source_(begin, wanted);
      end = bytes.size();
    }
    parts_.push_back({begin, end, static_cast<uint32_t>(lines)});
    begin += end;
    bytes.resize(end);
    const std::shared_ptr<const LoadedPart> part = load(parts_.size() - 1, std::move(bytes));
    find_gpus(part->bytes, lines, gpus_);
    torch_.read(part->bytes, lines, parts_.size() == 1 || begin >= size_);
    lines += part->lines;
    prefixed += part->clean.prefixed;
    traced_ |= part->clean.records > 0;
    exported |= part->exported;
    script |= part->script;
    for (const GraphText& g : part->found) {
      headed |= g.signature || g.damage || g.cut;
      printed |= !g.generated;
    }
    if (part->clean.records > 0) records_.read(part->clean);
    add_graphs(*part, static_cast<uint32_t>(parts_.size() - 1));
  }
  lines_ = lines;
  if (torch_.rows().empty()) torch_ = beside_.torch;
  if (graphs_.empty() && !traced_) return;
  number_labels(graphs_);
  kind_ = traced_        ? "a TORCH_TRACE log"
          : prefixed > 0 ? "a log of TORCH_LOGS"
          : script       ? "a script that runs a graph again (fx_graph_runnable, minifier)"
          : exported     ? "a printed ExportedProgram"
          : !printed     ? "code that Inductor generated"
          : headed       ? "a printed FX graph"
                         : "lines of a printed FX graph";
}

std::shared_ptr<const PastedText::LoadedPart> PastedText::load(size_t index, std::optional<std::string> bytes) const {
  const std::lock_guard lock(mutex_);
  if (last_ && last_->index == index) return last_;
  last_.reset();
  const Part& place = parts_[index];
  auto part = std::make_shared<LoadedPart>();
  part->index = index;
  part->bytes = bytes ? std::move(*bytes) : source_(place.begin, place.size);
  const auto clean = [&] { return clean_lines(part->bytes, processes_, place.before); };
  const bool whole = place.size == size_;
  part->clean = clean();
  part->lines = part->clean.lines.size();
  part->found = find_graphs(part->clean, whole);
  const bool stripped = whole && part->found.empty() && strip_line_heads(part->clean);
  if (stripped) part->found = find_graphs(part->clean);
  if (whole && looks_wrapped(part->clean) && !std::all_of(part->found.begin(), part->found.end(), is_sound)) {
    // Wrapped lines are joined only if that makes all graphs complete. Otherwise the text is restored.
    join_wrapped(part->clean);
    std::vector<GraphText> again = find_graphs(part->clean);
    if (!again.empty() && std::all_of(again.begin(), again.end(), is_sound)) {
      part->found = std::move(again);
    } else {
      part->clean = clean();
      if (stripped) strip_line_heads(part->clean);
      part->found = find_graphs(part->clean);
    }
  }
  part->exported = part->bytes.find("ExportedProgram:") != std::string::npos;
  part->script = part->bytes.find("def load_args(reader)") != std::string::npos;
  if (part->script || part->exported) {
    part->streams.resize(part->clean.streams);
    for (const CleanLine& line : part->clean.lines)
      part->streams[std::min<size_t>(line.stream, part->clean.streams - 1)].push_back(&line);
  }
  last_ = part;
  return part;
}

void PastedText::add_graphs(const LoadedPart& part, uint32_t index) {
  for (uint32_t i = 0; i < part.found.size(); ++i) {
    const GraphText& text = part.found[i];
    PastedGraph g;
    g.part = index;
    g.place = i;
    g.first = text.first;
    g.last = text.last;
    g.generated = text.generated;
    g.trouble = text.damage ? text.damage->line : text.first;
    if (traced_) {
      const TraceRecords::Place place = records_.place(text.stream, text.first);
      g.compile_id = place.compile_id;
      g.stage = place.stage;
    } else {
      g.stage = stage_of_log(text);
      g.compile_id = with_underscores(text.compile_id);
    }
    g.label = !g.compile_id.empty() && !g.stage.empty() ? g.compile_id + "/" + g.stage
              : !g.stage.empty()                        ? g.stage
              : text.name == "<lambda>"                 ? std::string("lambda")
                                                        : text.name;
    if (text.generated && text.name != "call" && g.label != text.name) g.label += "." + text.name;
    if (!g.compile_id.empty()) g.compilation = fmt::format("{}/{}", text.stream, g.compile_id);
    graphs_.push_back(std::move(g));
  }
}

GraphHints PastedText::hints_of(const PastedGraph& graph, const LoadedPart& part, std::vector<Unread>& unread) const {
  const GraphText& text = part.found[graph.place];
  GraphHints hints;
  hints.symbols = traced_ ? records_.symbols(text.stream, graph.compile_id) : beside_.symbols;
  for (const auto& [symbol, value] : text.examples) {
    if (SymbolHint& hint = hints.symbols[symbol]; !hint.value) hint.value = value;
  }
  if (!part.script && !part.exported) return hints;
  const std::vector<const CleanLine*>& lines = part.streams[text.stream];
  // Lines before and after the graph belong to it, up to the nearest other graph or record.
  const auto in_stream = [&](const GraphText& g) { return g.stream == text.stream; };
  const auto self = part.found.begin() + graph.place;
  const auto before = std::find_if(std::make_reverse_iterator(self), part.found.rend(), in_stream);
  const auto after = std::find_if(self + 1, part.found.end(), in_stream);
  const size_t least = before == part.found.rend() ? 0 : before->end;
  const size_t most = after == part.found.end() ? lines.size() : after->begin;
  size_t begin = text.begin;
  const size_t end = std::max(text.end, text.begin + 1);
  while (begin > least && !lines[begin - 1]->record) --begin;
  size_t stop = end;
  while (stop < most && !lines[stop]->record) ++stop;
  const std::span<const CleanLine* const> all(lines);
  const auto above = all.subspan(begin, text.begin - begin);
  const auto below = all.subspan(std::min(end, stop), stop - std::min(end, stop));
  if (part.script) {
    read_load_args(above, hints, unread);
    read_load_args(below, hints, unread);
  }
  if (part.exported) read_range_constraints(below, hints);
  return hints;
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

std::optional<size_t> PastedText::same_as(size_t graph) const {
  const PastedGraph& g = graphs_.at(graph);
  if (g.compilation.empty()) return std::nullopt;
  const std::shared_ptr<const LoadedPart> part = load(g.part);
  for (size_t i = graph; i-- > 0 && graphs_[i].part == g.part && graphs_[i].compilation == g.compilation;) {
    if (same_text(part->found[graphs_[i].place], part->found[g.place])) return i;
  }
  return std::nullopt;
}

ReadGraph PastedText::read(size_t i) const {
  const PastedGraph& g = graphs_.at(i);
  try {
    const std::shared_ptr<const LoadedPart> part = load(g.part);
    std::vector<Unread> unread;
    const GraphHints hints = hints_of(g, *part, unread);
    ReadGraph read = read_fx_graph(part->found[g.place], hints);
    read.unread.insert(read.unread.begin(), unread.begin(), unread.end());
    if (const std::string torch = torch_.only(); !torch.empty())
      read.program.producer = fmt::format("torch {}, ", torch);
    read.program.producer +=
        fmt::format("{}, {}, lines {} to {}", kind_.substr(kind_.starts_with("a ") ? 2 : 0), g.label, g.first, g.last);
    verify_program(read.program, fmt::format("{}, graph {}", name_, g.label));
    return read;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError || e.message.starts_with(name_)) throw;
    fail_argument("{}: graph {}: {}", name_, g.label, e.message);
  }
}

TraceFacts PastedText::facts() const {
  TraceFacts facts;
  for (size_t i = 0; traced_ && i < parts_.size(); ++i) facts.read(load(i)->clean);
  return facts;
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
