// The graphs of a pasted text, as programs, and its lines that could not be read.
//
// Known are readable graphs (print_readable, TORCH_LOGS), printed ExportedPrograms, TORCH_TRACE logs, scripts of
// fx_graph_runnable and of the minifier, alone or among other lines: reports in Markdown, mails, terminals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tracer/pasted/fx_graph.h"

namespace ersatz::pasted {

/// A graph of a text, to be read when it is wanted.
struct PastedGraph {
  std::string label;  ///< `0_0/post_grad` in a log, `Repro` in a script, the class's name; each another one
  std::string stage;  ///< `joint`, `post_grad`; empty: not known
  /// Graphs with the same are stages of one compilation: the process and `0_0`. Empty: not known.
  std::string compilation;
  GraphText text;
  GraphHints hints;
  std::vector<Unread> unread;  ///< of the lines around it that describe its inputs
};

class PastedText {
 public:
  /// Messages call the text `name`.
  /// `known` are symbols of a text that has none itself.
  PastedText(std::string text, std::string name, SymbolHints known = {});

  const std::string& name() const { return name_; }
  const std::string& kind() const { return kind_; }  ///< `a TORCH_TRACE log`; empty where there is no graph
  size_t lines() const { return lines_; }
  const std::vector<PastedGraph>& graphs() const { return graphs_; }

  /// The place of the graph that has the label, or whose label ends with it if only one does. InvalidArgument lists
  /// what there is.
  size_t find(std::string_view label) const;
  /// The graph as a program. InvalidArgument names the line where the text is no graph.
  ReadGraph read(size_t graph) const;

 private:
  std::string text_, name_, kind_;
  size_t lines_ = 0;
  CleanText clean_;
  std::vector<PastedGraph> graphs_;
};

/// `log.txt::0_0/joint`: a file, and the label of a graph in it, where no file has the whole name.
struct GraphAddress {
  std::string file, graph;
};
GraphAddress graph_address(const std::string& path);

/// The only graph of the text, or the one of that label. InvalidArgument where there is none, or several.
Program read_only_graph(const PastedText& text, const std::string& label);

}  // namespace ersatz::pasted
