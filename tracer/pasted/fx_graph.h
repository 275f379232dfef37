// Reads a readable FX graph into a program: `mm: "f16[8, 8][8, 1]cuda:0" = torch.ops.aten.mm.default(a, b)`.
//
// Annotations become recorded metadata. They have no storage offsets, and some have no strides; `Program::untold` lists
// the missing parts. A call of PyTorch's Python API (`torch.nn.functional.linear`, `x.view(2, 3)`, `a + b`) becomes a
// call of the aten operator if its arguments determine that operator. Any other call keeps its Python name, and its
// results have the annotated metadata. If the text has no signature, a name that no line defines becomes an input
// without metadata.
#pragma once

#include <map>

#include "tracer/pasted/annotation.h"
#include "tracer/pasted/graph_text.h"
#include "tracer/program/program.h"

namespace ersatz::pasted {

/// Facts about a graph that come from other places in the text.
struct GraphHints {
  SymbolHints symbols;
  std::vector<Annotation> inputs;  ///< annotations of the inputs, in order; only scripts give them
};

struct ReadGraph {
  Program program;
  std::vector<Unread> unread;          ///< lines of the graph that are not in the program, with reasons
  size_t nodes = 0;                    ///< number of inputs and of lines that name a value
  std::vector<std::string> synthetic;  ///< symbols for which the text has no example value
};

/// Parses a graph. RAISES InvalidArgument with `line N: reason` if the text is no graph.
ReadGraph read_fx_graph(const GraphText& text, const GraphHints& hints);

}  // namespace ersatz::pasted
