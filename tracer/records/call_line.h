// Operator calls as lines of text, with the expected results or error. docs/test-files.md has the grammar.
//
//   aten.flip(i64[2,3] = 1..6, [1])   -> i64[2,3] = 3 2 1 6 5 4
//   aten.flip(f32[2,3], [1, -1])      !! flip.C1 runtime
//
// A line becomes a CallRecord whose outcome is the expected one, so that the code that replays records also runs lines.
// The text is not trusted: each refusal is an InvalidArgument of one line with file and line number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz {

inline constexpr int64_t kMostWrittenElements = 64;  ///< most elements of a tensor that a printed line has
inline constexpr char kArgumentName[] = "in";        ///< `in0` means the first tensor among a call's arguments

/// A result, or an argument after the call, with the properties that the line gives for it.
struct ExpectedLeaf {
  int argument = -1;      ///< number of the argument that this tensor is (`in0`); -1: it is a new tensor
  bool has_meta = false;  ///< false: the line gives no metadata, so those of the argument before the call are expected
  RecordedResult leaf;    ///< `tensor.has_values`: the line gives elements
};

struct CallLine {
  std::string where;  ///< `FILE:LINE`
  int64_t number = 0;
  std::string text;     ///< the call and its expectation, without comment
  size_t call_end = 0;  ///< length of the call in `text`, in bytes
  CallRecord record;    ///< the call; a tensor without given values is filled from [-2, 2], equally in every run
  enum class Expects : uint8_t { Nothing, Results, Error } expects = Expects::Nothing;
  std::vector<ExpectedLeaf> results;  ///< expected results, with lists flattened
  std::vector<ExpectedLeaf> after;    ///< arguments that are expected to change and that the call does not return
  std::string label, words;           ///< for an expected error: its label, and a part of its message; empty: any
  ErrorFamily family = ErrorFamily::Runtime;
  std::optional<double> within;  ///< relative tolerance for floating point elements; nullopt: the dtype's tolerance

  std::string_view call() const { return std::string_view(text).substr(0, call_end); }
  std::string_view expectation() const;
};

/// Parses the lines of a file except empty lines and comments. RAISES InvalidArgument, with `file` and line number, for
/// a malformed line, NotSupported if an operator is not registered.
std::vector<CallLine> parse_call_lines(std::string_view text, const std::string& file);

/// Returns elements in row-major order: `3 2 1`, `0..5`, `1*64`. Each element has the fewest digits that are parsed to
/// the same value.
std::string print_elements(const RecordedTensor& t);
/// Returns the call in the syntax of a line. A tensor with at most `most_elements` elements is written with them.
std::string print_call(const OpEntry& op, const CallRecord& record, int64_t most_elements = kMostWrittenElements);
/// Returns the outcome of a run in the syntax of an expectation, `-> ...`. `record` has the call's arguments and
/// outcome.
std::string print_outcome(const OpEntry& op, const CallRecord& record, int64_t most_elements = kMostWrittenElements);

/// Returns the index at which the line's comment begins, with the blanks before it.
size_t comment_begin(std::string_view line);

}  // namespace ersatz
