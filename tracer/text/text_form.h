// The text form of programs: docs/text-form.md has the grammar.
//
// S1  parse(print(P)) equals P (same_program), and printing that gives the same bytes.
// S2  What the text does not say (a missing version line, strides, records) has a documented meaning.
// The parser takes hostile text: bounded nesting, one InvalidArgument line `FILE:LINE: ...` on refusal.
#pragma once

#include <string>
#include <string_view>

#include "tracer/program/program.h"

namespace ersatz {

inline constexpr int kTextFormVersion = 2;

struct TextOptions {
  /// Payload bytes are printed in the text instead of a reference to where they are. For repros.
  bool inline_values = false;
  bool sources = true;  ///< lines of the user's code are printed, `{at="train.py:3"}`
};

std::string print_program(const Program& program, const TextOptions& options = {});
/// One node as the text form has it, without indentation: for reports.
std::string print_node(const Program& program, const Graph& graph, NodeId node);

/// `file` is named in messages; relative paths in the text start at its folder.
Program parse_program_text(std::string_view text, const std::string& file);

}  // namespace ersatz
