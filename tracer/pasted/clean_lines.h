// Splits a pasted text into lines, and removes text that chat programs, terminals and logs have added:
// - the prefix of TORCH_LOGS, `V1126 12:00:00.000000 123 torch/a.py:29] [0/0] [__graph_code] `, after an optional rank;
// - prefixes of vLLM's and CI systems' logs;
// - `> ` of a quotation, pytest's `E   `, and the tab before a payload of TORCH_TRACE;
// - colours (ANSI escapes, with or without the escape character), a byte order mark, and CR.
// HTML entities and typographic quotes become plain characters. A tab in an indentation becomes four blanks. Each line
// keeps its number. If several processes wrote one file, the lines of each process form a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/pasted/words.h"

namespace ersatz::pasted {

struct CleanLine {
  std::string_view text;
  uint32_t number = 0;  ///< line number, from 1
  /// Number of the process that wrote the line; processes are numbered by their first lines.
  uint32_t stream = 0;
  bool record = false;          ///< `text` is the JSON of a TORCH_TRACE record; the record's payload follows
  std::string_view compile_id;  ///< `0/0` if the prefix has `[0/0]`; empty: none
  std::string_view artifact;    ///< `graph_code` if the prefix has `[__graph_code]`
  /// Returns the number of blanks before the text. If the line is blank, that is its length.
  size_t indent() const { return blanks_before(text); }
  bool is_blank() const { return indent() == text.size(); }
};

struct CleanText {
  std::vector<CleanLine> lines;
  std::deque<std::string> owned;  ///< storage for lines that differ from the input
  size_t records = 0;             ///< number of lines that are TORCH_TRACE records
  size_t prefixed = 0;            ///< number of lines with a prefix of TORCH_LOGS
  size_t streams = 1;
};

/// A longer line is not parsed, because no graph has one.
inline constexpr size_t kMaxLine = size_t(4) << 20;  // bytes

/// Joins lines that a terminal wrapped: a line of the greatest length is joined with the next line. Returns false and
/// changes nothing if the text does not look wrapped.
bool join_wrapped(CleanText& text);
/// Returns whether `join_wrapped` would change the text.
bool looks_wrapped(const CleanText& text);

/// Removes a prefix that most lines have: a line number, a time, or the name of a container or process (`worker-1  | `,
/// `[default0]:`). The prefix is the text before the first `def forward(self`. Its numbers may differ from line to
/// line. Returns false if they have no common prefix.
bool strip_line_heads(CleanText& text);

/// Process -> stream number. All parts of a text share one map.
using Processes = std::map<std::string, uint32_t, std::less<>>;

/// Splits and cleans `text`. REQUIRES: `text` outlives the result. `before` is the number of lines before `text` in the
/// whole text.
CleanText clean_lines(std::string_view text, Processes& processes, uint32_t before = 0);
CleanText clean_lines(std::string_view text);

/// Returns the offset at which the last TORCH_TRACE record, or the last graph of TORCH_LOGS, begins. Returns 0 if none
/// begins after the first line of `text`. A log may be cut at this offset, because no graph extends across it.
size_t last_begin(std::string_view text);

/// Returns the texts of the cleaned lines.
std::vector<std::string> plain_lines(std::string_view text);

}  // namespace ersatz::pasted
