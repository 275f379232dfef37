// Finds the graphs in a pasted text: module classes with a `forward`, listings of torch.fx, and fragments of a graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracer/pasted/clean_lines.h"
#include "tracer/pasted/python_syntax.h"

namespace ersatz::pasted {

/// A line that could not be parsed, and the reason.
struct Unread {
  uint32_t line = 0;
  std::string reason;
};

/// Returns N if the message has `line N:`; else 0.
uint32_t line_named(std::string_view message);

/// A statement, or a comment between two statements.
struct BodyLine {
  uint32_t number = 0;  ///< line number of its first line
  std::string text;
  bool comment = false;
  std::string damage;  ///< in generated code: the reason why the text is no statement; empty if it is one
};

struct GraphText {
  std::string name;                      ///< name of the class: `GraphModule`, `true_graph_0`; empty: none
  uint32_t first = 0, last = 0;          ///< numbers of its first and last line
  std::optional<PySignature> signature;  ///< nullopt for a fragment of a graph
  std::vector<PyParameter> given;        ///< inputs of a listing, because it has no signature
  std::vector<BodyLine> body;
  std::vector<GraphText> children;
  std::vector<std::string> members;       ///< the lines `self.x = value` of `__init__`, without `self.`
  std::string title;                      ///< the heading above the graph, `===== Forward graph 0 =====`
  std::string_view compile_id, artifact;  ///< from the prefixes of its lines
  /// Indices of its first line and of the line after it, among the cleaned lines of its stream.
  size_t begin = 0, end = 0;
  uint32_t stream = 0;
  std::optional<Unread> damage;  ///< the place from which on the text is no graph; nothing after it is used
  std::optional<Unread> cut;     ///< the place at which the text ends before the graph is complete
  bool generated = false;        ///< Inductor's generated code (tracer/pasted/output_code.h)
  std::vector<Unread> left_out;  ///< statements of generated code that are not in the graph
  std::vector<std::pair<std::string, int64_t>> examples;  ///< symbol -> example value when the graph was compiled
};

/// Returns the graphs in the order of their first lines. If the text has no class and `fragments` is true, other graphs
/// are returned. All are of one kind, the first that the text has: listings of `print(graph)`, parts of generated code,
/// runs of annotated lines.
std::vector<GraphText> find_graphs(const CleanText& text, bool fragments = true);

}  // namespace ersatz::pasted
