// Operator calls as lines of text, with the expected results or error: docs/test-files.md has the grammar.
//
//   aten.flip(i64[2,3] = 1..6, [1])   -> i64[2,3] = 3 2 1 6 5 4
//   aten.flip(f32[2,3], [1, -1])      !! flip.C1 runtime
//
// A line becomes a CallRecord whose outcome is the expected one, so code that replays records also runs lines. The text
// is hostile input: each refusal is an InvalidArgument of one line with file and line number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz {

inline constexpr int64_t kMostWrittenElements = 64;  ///< elements of a tensor in printed lines
inline constexpr char kArgumentName[] = "in";        ///< `in0` is the first tensor of a call's arguments

/// A result, or an argument after the call, with the properties that the line gives.
struct ExpectedLeaf {
  int argument = -1;      ///< number of the argument that it is (`in0`), before or after the call; -1: a new result
  bool has_meta = false;  ///< false: it has the metadata of the argument before the call
  RecordedResult leaf;    ///< `tensor.has_values`: the line gives the elements
};

struct CallLine {
  std::string where;  ///< `FILE:LINE`
  int64_t number = 0;
  std::string text;     ///< the call and its expectation, without the comment
  size_t call_end = 0;  ///< number of bytes of the call in `text`
  CallRecord record;    ///< tensors without given values are filled from [-2, 2], always the same
  enum class Expects : uint8_t { Nothing, Results, Error } expects = Expects::Nothing;
  std::vector<ExpectedLeaf> results;  ///< with lists flattened
  std::vector<ExpectedLeaf> after;    ///< arguments that the call changes but does not return
  std::string label, words;           ///< for an error: its label and a part of its message; empty: any
  ErrorFamily family = ErrorFamily::Runtime;
  std::optional<double> within;  ///< relative tolerance for floats; empty: that of the dtype

  std::string_view call() const { return std::string_view(text).substr(0, call_end); }
  std::string_view expectation() const;
};

/// Parses the lines of a file, except empty lines and comments. Raises InvalidArgument with `file` and line number for
/// a wrong line, NotSupported if no operator has its name.
std::vector<CallLine> parse_call_lines(std::string_view text, const std::string& file);

/// Returns elements in row-major order: `3 2 1`, `0..5`, `1*64`. Each has the fewest digits that read back as the same
/// value.
std::string print_elements(const RecordedTensor& t);
/// Returns the call as a line has it. Tensors of up to `most_elements` elements get their elements.
std::string print_call(const OpEntry& op, const CallRecord& record, int64_t most_elements = kMostWrittenElements);
/// Returns the outcome of a run as a line expects it, `-> ...`. `record` has the arguments and the outcome.
std::string print_outcome(const OpEntry& op, const CallRecord& record, int64_t most_elements = kMostWrittenElements);

/// Returns the index where the line's comment begins, including the blanks before it.
size_t comment_begin(std::string_view line);

}  // namespace ersatz
