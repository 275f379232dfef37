// Finds the graphs of a pasted text: classes of a module with their `forward`, and lines out of a graph's middle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracer/pasted/clean_lines.h"
#include "tracer/pasted/python_syntax.h"

namespace ersatz::pasted {

/// A part that could not be read, and why.
struct Unread {
  uint32_t line = 0;
  std::string reason;
};

/// The N of `line N:` in a message; 0: it names none.
uint32_t line_named(std::string_view message);

/// A statement, or a comment between two.
struct BodyLine {
  uint32_t number = 0;  ///< of its first line
  std::string text;
  bool comment = false;
  std::string damage;  ///< of generated code: why its text is no statement; empty: it is one
};

struct GraphText {
  std::string name;                      ///< of the class: `GraphModule`, `true_graph_0`; empty: none
  uint32_t first = 0, last = 0;          ///< lines
  std::optional<PySignature> signature;  ///< none: lines out of the middle of a graph
  std::vector<PyParameter> given;        ///< inputs that lines without a signature name
  std::vector<BodyLine> body;
  std::vector<GraphText> children;
  std::vector<std::string> members;       ///< `x = value` of `__init__`, without `self.`
  std::string title;                      ///< the line before it, `===== Forward graph 0 =====`
  std::string_view compile_id, artifact;  ///< as its lines have them
  size_t begin = 0, end = 0;              ///< its place among the clean lines of its stream
  uint32_t stream = 0;
  std::optional<Unread> damage;  ///< where its text is no graph's, and what follows cannot be trusted
  std::optional<Unread> cut;     ///< where the text ends before the graph does
  bool generated = false;        ///< its body was code that Inductor generated (tracer/pasted/output_code.h)
  std::vector<Unread> left_out;  ///< statements of that code that are none of a graph
  std::vector<std::pair<std::string, int64_t>> examples;  ///< values that symbols had when it was compiled
};

/// Graphs in the order of their first lines. Without any of a class, and where `fragments` are wanted, graphs as
/// `print(graph)` lists them, else the annotated lines out of a graph's middle.
std::vector<GraphText> find_graphs(const CleanText& text, bool fragments = true);

}  // namespace ersatz::pasted
