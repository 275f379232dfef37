// A readable FX graph as a program: `mm: "f16[8, 8][8, 1]cuda:0" = torch.ops.aten.mm.default(a, b)`.
//
// Annotations become records. They have no storage offsets, and some have no strides: `Program::untold` says so.
// A call of PyTorch's Python interface (`torch.nn.functional.linear`, `x.view(2, 3)`, `a + b`) becomes the operator
// that it calls where its arguments tell which; others keep their own name, and return what the text says. A text
// without a head may use values that no line makes: they are inputs of which nothing is known.
#pragma once

#include <map>

#include "tracer/pasted/annotation.h"
#include "tracer/pasted/graph_text.h"
#include "tracer/program/program.h"

namespace ersatz::pasted {

/// Facts of a graph from elsewhere in the text.
struct GraphHints {
  SymbolHints symbols;
  std::vector<Annotation> inputs;  ///< of a script: what its inputs are, in order
};

struct ReadGraph {
  Program program;
  std::vector<Unread> unread;        ///< lines of the graph that are no part of the program
  size_t nodes = 0;                  ///< that were read: inputs, and lines that name a value
  std::vector<std::string> made_up;  ///< symbols whose example values the text does not have
};

/// InvalidArgument with `line N: reason` where the text is no graph.
ReadGraph read_fx_graph(const GraphText& text, const GraphHints& hints);

}  // namespace ersatz::pasted
