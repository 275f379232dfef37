// Reads the graphs of a pasted text as programs, and lists the lines that could not be read.
//
// The text may have readable graphs (print_readable, TORCH_LOGS), printed ExportedPrograms, TORCH_TRACE logs, and
// scripts of fx_graph_runnable and of the minifier. Other lines may surround them: Markdown, mails, terminal output.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tracer/pasted/fx_graph.h"
#include "tracer/pasted/torch_names.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/pasted/trace_facts.h"

namespace ersatz::pasted {

/// A graph of a text. `PastedText::read` parses it on demand.
struct PastedGraph {
  std::string label;  ///< unique: `0_0/post_grad` in a log, `Repro` in a script, else the class's name
  std::string stage;  ///< `joint`, `post_grad`; empty: unknown
  /// Process and `0_0`. Graphs with an equal text here are stages of one compilation. Empty: unknown.
  std::string compilation;
  std::string compile_id;        ///< `0_0`; empty: unknown
  uint32_t first = 0, last = 0;  ///< line numbers
  uint32_t trouble = 0;          ///< the line where the text is damaged, else the first line
  bool generated = false;        ///< a function of Inductor's generated code
  uint32_t part = 0, place = 0;  ///< number of the part with the graph, and index among the part's graphs
};

/// GPUs that the code in a text was generated for, from `DeviceProperties(type='cuda', index=0, cc=90, ...)`. Maps a
/// compute capability to the first line that names it.
using NamedGpus = std::map<int, uint32_t>;

/// Facts about a text that the files next to it have.
struct TextBeside {
  SymbolHints symbols;  ///< for a text that has none itself
  TorchNames torch;     ///< for a text that names no version of PyTorch
};

/// A text with graphs. A log of gigabytes is read in parts, and only the places of its graphs are kept. Reading a graph
/// reads its part again, unless that part was read last.
class PastedText {
 public:
  /// Returns `count` bytes of a text from `begin` on.
  using Source = std::function<std::string(uint64_t begin, uint64_t count)>;

  /// Messages call the text `name`.
  PastedText(std::string text, std::string name, TextBeside beside = {});
  PastedText(Source source, uint64_t size, std::string name, TextBeside beside = {});

  const std::string& name() const { return name_; }
  const std::string& kind() const { return kind_; }  ///< `a TORCH_TRACE log`; empty if there is nothing to read
  bool traced() const { return traced_; }            ///< the text has TORCH_TRACE records
  size_t lines() const { return lines_; }
  const std::vector<PastedGraph>& graphs() const { return graphs_; }
  const NamedGpus& gpus() const { return gpus_; }
  const TorchNames& torch() const { return torch_; }
  /// Returns the facts of a TORCH_TRACE log that are not graphs. Reads the whole text again.
  TraceFacts facts() const;

  /// Returns the index of the graph with this label, or of the only graph whose label ends with it. Raises
  /// InvalidArgument with the list of labels otherwise.
  size_t find(std::string_view label) const;
  /// Returns an earlier graph of the same compilation with equal text, which a pass left unchanged. Both read alike
  /// except for their line numbers.
  std::optional<size_t> same_as(size_t graph) const;
  /// Returns the graph as a program, whose producer begins with `torch 2.11.0` if that is known. Raises
  /// InvalidArgument with the line where the text is no graph.
  ReadGraph read(size_t graph) const;

 private:
  struct Part {
    uint64_t begin = 0, size = 0;
    uint32_t before = 0;  ///< number of lines before the part
  };
  struct LoadedPart;

  void read_parts();
  /// Loads a part from `bytes` if they are given, else from the source.
  std::shared_ptr<const LoadedPart> load(size_t part, std::optional<std::string> bytes = {}) const;
  void add_graphs(const LoadedPart& part, uint32_t index);
  GraphHints hints_of(const PastedGraph& graph, const LoadedPart& part, std::vector<Unread>& unread) const;

  Source source_;
  uint64_t size_ = 0;
  std::string name_, kind_;
  TextBeside beside_;
  size_t lines_ = 0;
  std::vector<Part> parts_;
  TraceRecords records_;
  bool traced_ = false;  ///< the text has TORCH_TRACE records
  std::vector<PastedGraph> graphs_;
  NamedGpus gpus_;
  TorchNames torch_;
  mutable Processes processes_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const LoadedPart> last_;
};

/// `log.txt::0_0/joint`: a file and the label of a graph in it. If a file of the whole name exists, `graph` is empty.
struct GraphAddress {
  std::string file, graph;
};
GraphAddress graph_address(const std::string& path);

/// Returns the only graph of the text, or the one with this label. Raises InvalidArgument if it is missing or
/// ambiguous.
Program read_only_graph(const PastedText& text, const std::string& label);

}  // namespace ersatz::pasted
