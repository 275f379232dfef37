// The text form of programs: docs/text-form.md has the grammar.
//
// S1 parse(print(P)) equals P (same_program), and printing the result gives equal bytes. S2 docs/text-form.md defines
// the meaning of every omitted part (version line, strides, records). Texts are not trusted. Nesting is limited, and a
// refusal is an InvalidArgument of one line, `FILE:LINE: ...`.
#pragma once

#include <string>
#include <string_view>

#include "tracer/program/program.h"

namespace ersatz {

inline constexpr int kTextFormVersion = 2;

struct TextOptions {
  /// Writes the bytes of payloads into the text instead of a reference to their place. Repros need that.
  bool inline_values = false;
  bool sources = true;  ///< writes source lines of the user's code, `{at="train.py:3"}`
};

std::string print_program(const Program& program, const TextOptions& options = {});
/// Returns the text form of one node, without indentation, for reports.
std::string print_node(const Program& program, const Graph& graph, NodeId node);

/// Parses a program. `file` is the name in error messages; relative paths in the text are relative to its folder.
Program parse_program_text(std::string_view text, const std::string& file);

}  // namespace ersatz
