// Calls of operators as lines of text, with what they return or raise: docs/test-files.md has the grammar.
//
//   aten.flip(i64[2,3] = 1..6, [1])   -> i64[2,3] = 3 2 1 6 5 4
//   aten.flip(f32[2,3], [1, -1])      !! flip.C1 runtime
//
// A line is a CallRecord whose outcome is what the line expects, so whatever replays records runs lines too. The text
// is hostile input: each refusal is one InvalidArgument that names file and line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz {

inline constexpr int64_t kMostWrittenElements = 64;  ///< of a tensor, in lines that are printed
inline constexpr char kArgumentName[] = "in";        ///< `in0` is the first tensor of a call's arguments

/// A result, or an argument after the call, as far as the line says it.
struct ExpectedLeaf {
  int argument = -1;      ///< `in0`: it is that argument, or it is that argument afterwards; -1: a result of its own
  bool has_meta = false;  ///< false: the metadata that the argument had before the call
  RecordedResult leaf;    ///< `tensor.has_values`: the line has the elements
};

struct CallLine {
  std::string where;  ///< `FILE:LINE`
  int64_t number = 0;
  std::string text;     ///< the call and what it expects, without the comment
  size_t call_end = 0;  ///< bytes of the call in `text`
  CallRecord record;    ///< the call; tensors without values are filled from [-2, 2], the same every time
  enum class Expects : uint8_t { Nothing, Results, Error } expects = Expects::Nothing;
  std::vector<ExpectedLeaf> results;  ///< lists flattened
  std::vector<ExpectedLeaf> after;    ///< arguments that the call changes and does not return
  std::string label, words;           ///< of an error: its label and a part of its message; empty: any
  ErrorFamily family = ErrorFamily::Runtime;
  std::optional<double> within;  ///< relative tolerance of floats; empty: that of the dtype

  std::string_view call() const { return std::string_view(text).substr(0, call_end); }
  std::string_view expectation() const;
};

/// The lines of a file, without those that are empty or comments. InvalidArgument, naming `file` and the line, where
/// one is wrong; NotSupported where no operator has its name.
std::vector<CallLine> parse_call_lines(std::string_view text, const std::string& file);

/// `3 2 1`, `0..5`, `1*64`: elements in row-major order, of which each prints with the fewest digits that read back.
std::string print_elements(const RecordedTensor& t);
/// A call as a line has it. Elements are written of tensors of up to `most_elements`.
std::string print_call(const OpEntry& op, const CallRecord& record, int64_t most_elements = kMostWrittenElements);
/// What a run of a call came to, as a line expects it: `-> ...`. `record` has the arguments and the outcome.
std::string print_outcome(const OpEntry& op, const CallRecord& record, int64_t most_elements = kMostWrittenElements);

/// Where the line's text ends and its comment, with the blanks before it, begins.
size_t comment_begin(std::string_view line);

}  // namespace ersatz
