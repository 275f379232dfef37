// Finds the graphs of a pasted text: module classes with their `forward`, listings, and fragments of a graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracer/pasted/clean_lines.h"
#include "tracer/pasted/python_syntax.h"

namespace ersatz::pasted {

/// A line that could not be read, and the reason.
struct Unread {
  uint32_t line = 0;
  std::string reason;
};

/// Returns N of `line N:` in a message, 0 if it has none.
uint32_t line_named(std::string_view message);

/// A statement, or a comment between two statements.
struct BodyLine {
  uint32_t number = 0;  ///< number of the first line
  std::string text;
  bool comment = false;
  std::string damage;  ///< in generated code: the reason why the text is no statement; empty: it is one
};

struct GraphText {
  std::string name;                      ///< class name: `GraphModule`, `true_graph_0`; empty: none
  uint32_t first = 0, last = 0;          ///< line numbers
  std::optional<PySignature> signature;  ///< none in a fragment of a graph
  std::vector<PyParameter> given;        ///< inputs that a listing without a signature names
  std::vector<BodyLine> body;
  std::vector<GraphText> children;
  std::vector<std::string> members;       ///< `x = value` of `__init__`, without `self.`
  std::string title;                      ///< the heading above it, `===== Forward graph 0 =====`
  std::string_view compile_id, artifact;  ///< from its lines' prefixes
  size_t begin = 0, end = 0;              ///< indices among the clean lines of its stream
  uint32_t stream = 0;
  std::optional<Unread> damage;  ///< where the text is no graph; nothing after it can be trusted
  std::optional<Unread> cut;     ///< where the text ends before the graph does
  bool generated = false;        ///< Inductor's generated code (tracer/pasted/output_code.h)
  std::vector<Unread> left_out;  ///< statements of generated code that became no part of the graph
  std::vector<std::pair<std::string, int64_t>> examples;  ///< example values of symbols at compilation
};

/// Returns the graphs in the order of their first lines. If no class is found and `fragments` is true, returns the
/// listings of `print(graph)`, else pieces of generated code, else runs of annotated lines.
std::vector<GraphText> find_graphs(const CleanText& text, bool fragments = true);

}  // namespace ersatz::pasted
