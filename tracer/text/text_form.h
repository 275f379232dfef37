// The text form of programs: docs/text-form.md has the grammar.
//
// S1  parse(print(P)) equals P (same_program), and printing the result gives equal bytes.
// S2  docs/text-form.md defines the meaning of every omitted part (version line, strides, records).
// The parser takes hostile text. Nesting is bounded, and a refusal is an InvalidArgument of one line, `FILE:LINE: ...`.
#pragma once

#include <string>
#include <string_view>

#include "tracer/program/program.h"

namespace ersatz {

inline constexpr int kTextFormVersion = 2;

struct TextOptions {
  /// Prints payload bytes in the text instead of a reference to their place. For repros.
  bool inline_values = false;
  bool sources = true;  ///< print lines of the user's code, `{at="train.py:3"}`
};

std::string print_program(const Program& program, const TextOptions& options = {});
/// Returns one node in the text form, without indentation, for reports.
std::string print_node(const Program& program, const Graph& graph, NodeId node);

/// Messages name `file`; relative paths in the text begin at its folder.
Program parse_program_text(std::string_view text, const std::string& file);

}  // namespace ersatz
