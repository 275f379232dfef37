// Reads the graphs in a pasted text as programs, and lists the lines that could not be parsed.
//
// The text may have readable FX graphs (print_readable, TORCH_LOGS), printed ExportedPrograms, TORCH_TRACE logs, and
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

/// A graph in a text. `PastedText::read` parses it when it is needed.
struct PastedGraph {
  std::string label;  ///< unique name: `0_0/post_grad` in a log, `Repro` in a script, else the name of its class
  std::string stage;  ///< for example `joint`, `post_grad`; empty: unknown
  /// Process and compile id. Graphs for which this text is equal are stages of one compilation. Empty: unknown.
  std::string compilation;
  std::string compile_id;        ///< for example `0_0`; empty: unknown
  uint32_t first = 0, last = 0;  ///< numbers of its first and last line
  uint32_t trouble = 0;          ///< the line at which the text is damaged; if it is not damaged, the first line
  bool generated = false;        ///< the graph is a function of Inductor's generated code
  uint32_t part = 0, place = 0;  ///< number of the part that has the graph, and its index among the graphs of the part
};

/// The GPUs that code in a text was generated for: compute capability -> the first line that names it, as in
/// `DeviceProperties(type='cuda', index=0, cc=90, ...)`.
using NamedGpus = std::map<int, uint32_t>;

/// Facts about a text that files in its folder give.
struct TextBeside {
  SymbolHints symbols;  ///< used if the text itself has no symbols
  TorchNames torch;     ///< used if the text itself names no version of PyTorch
};

/// A text with graphs. A log of gigabytes is read in parts, and only the places of its graphs are kept in memory.
/// Reading a graph loads its part again, unless that part was loaded last.
class PastedText {
 public:
  /// A function that returns `count` bytes of a text from `begin` on.
  using Source = std::function<std::string(uint64_t begin, uint64_t count)>;

  /// `name` is the text's name in error messages.
  PastedText(std::string text, std::string name, TextBeside beside = {});
  PastedText(Source source, uint64_t size, std::string name, TextBeside beside = {});

  const std::string& name() const { return name_; }
  /// For example `a TORCH_TRACE log`; empty if the text has nothing to read.
  const std::string& kind() const { return kind_; }
  bool traced() const { return traced_; }  ///< the text has TORCH_TRACE records
  size_t lines() const { return lines_; }
  const std::vector<PastedGraph>& graphs() const { return graphs_; }
  const NamedGpus& gpus() const { return gpus_; }
  const TorchNames& torch() const { return torch_; }
  /// Returns the records of a TORCH_TRACE log that are not graphs. Reads the whole text again.
  TraceFacts facts() const;

  /// Returns the index of the graph with this label or, if there is none, of the only graph whose label ends with it.
  /// RAISES InvalidArgument with a list of the labels if none or several fit.
  size_t find(std::string_view label) const;
  /// Returns an earlier graph of the same compilation whose text is equal: the compiler passes between the two changed
  /// nothing. Reading either gives the same program, except for line numbers.
  std::optional<size_t> same_as(size_t graph) const;
  /// Parses the graph. The program's producer begins with `torch 2.11.0` if the version is known. RAISES
  /// InvalidArgument, with the line, if the text is no graph.
  ReadGraph read(size_t graph) const;

 private:
  struct Part {
    uint64_t begin = 0, size = 0;
    uint32_t before = 0;  ///< number of lines before the part
  };
  struct LoadedPart;

  void read_parts();
  /// Loads a part: parses `bytes` if they are given, else reads them from the source.
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

/// A file and the label of a graph in it, parsed from `log.txt::0_0/joint`. If a file has the whole text as its name,
/// `graph` is empty.
struct GraphAddress {
  std::string file, graph;
};
GraphAddress graph_address(const std::string& path);

/// Reads the only graph of the text, or the one with this label. RAISES InvalidArgument if it is missing or ambiguous.
Program read_only_graph(const PastedText& text, const std::string& label);

}  // namespace ersatz::pasted
