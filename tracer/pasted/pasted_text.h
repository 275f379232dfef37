// The graphs of a pasted text, as programs, and its lines that could not be read.
//
// Known are readable graphs (print_readable, TORCH_LOGS), printed ExportedPrograms, TORCH_TRACE logs, scripts of
// fx_graph_runnable and of the minifier, alone or among other lines: reports in Markdown, mails, terminals.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tracer/pasted/fx_graph.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/pasted/trace_facts.h"

namespace ersatz::pasted {

/// A graph of a text, to be read when it is wanted.
struct PastedGraph {
  std::string label;  ///< `0_0/post_grad` in a log, `Repro` in a script, the class's name; each another one
  std::string stage;  ///< `joint`, `post_grad`; empty: not known
  /// Graphs with the same are stages of one compilation: the process and `0_0`. Empty: not known.
  std::string compilation;
  std::string compile_id;        ///< `0_0`; empty: not known
  uint32_t first = 0, last = 0;  ///< lines
  uint32_t trouble = 0;          ///< the line where its text is damaged; else its first one
  bool generated = false;        ///< a function of code that Inductor generated
  uint32_t part = 0, place = 0;  ///< the part of the text that has it, and its place among the part's graphs
};

/// The GPUs that code in a text was generated for, `DeviceProperties(type='cuda', index=0, cc=90, ...)`: by compute
/// capability the first line that names it.
using NamedGpus = std::map<int, uint32_t>;

/// A log may have gigabytes. It is read in parts, and of each part only the places of its graphs are kept: reading a
/// graph reads its part again, unless it was the last one that was read.
class PastedText {
 public:
  /// Bytes of a text from `begin` on.
  using Source = std::function<std::string(uint64_t begin, uint64_t count)>;

  /// Messages call the text `name`.
  /// `known` are symbols of a text that has none itself.
  PastedText(std::string text, std::string name, SymbolHints known = {});
  PastedText(Source source, uint64_t size, std::string name, SymbolHints known = {});

  const std::string& name() const { return name_; }
  const std::string& kind() const { return kind_; }  ///< `a TORCH_TRACE log`; empty where there is nothing to read
  bool traced() const { return traced_; }            ///< has records of TORCH_TRACE
  size_t lines() const { return lines_; }
  const std::vector<PastedGraph>& graphs() const { return graphs_; }
  const NamedGpus& gpus() const { return gpus_; }
  /// Records of a TORCH_TRACE log beside its graphs; the whole text is looked at again.
  TraceFacts facts() const;

  /// The place of the graph that has the label, or whose label ends with it if only one does. InvalidArgument lists
  /// what there is.
  size_t find(std::string_view label) const;
  /// An earlier graph of the compilation with the same text, which a pass left as it was: both are read alike, but for
  /// the numbers of their lines.
  std::optional<size_t> same_as(size_t graph) const;
  /// The graph as a program. InvalidArgument names the line where the text is no graph.
  ReadGraph read(size_t graph) const;

 private:
  struct Part {
    uint64_t begin = 0, size = 0;
    uint32_t before = 0;  ///< lines of the parts before it
  };
  struct LoadedPart;

  void read_parts();
  /// `bytes` are the part's, where they are at hand; else they are read.
  std::shared_ptr<const LoadedPart> load(size_t part, std::optional<std::string> bytes = {}) const;
  void add_graphs(const LoadedPart& part, uint32_t index);
  GraphHints hints_of(const PastedGraph& graph, const LoadedPart& part, std::vector<Unread>& unread) const;

  Source source_;
  uint64_t size_ = 0;
  std::string name_, kind_;
  SymbolHints known_;
  size_t lines_ = 0;
  std::vector<Part> parts_;
  TraceRecords records_;
  bool traced_ = false;  ///< it has records of TORCH_TRACE
  std::vector<PastedGraph> graphs_;
  NamedGpus gpus_;
  mutable Processes processes_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const LoadedPart> last_;
};

/// `log.txt::0_0/joint`: a file, and the label of a graph in it, where no file has the whole name.
struct GraphAddress {
  std::string file, graph;
};
GraphAddress graph_address(const std::string& path);

/// The only graph of the text, or the one of that label. InvalidArgument where there is none, or several.
Program read_only_graph(const PastedText& text, const std::string& label);

}  // namespace ersatz::pasted
