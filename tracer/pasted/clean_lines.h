// Splits a pasted text into lines without what chat programs, terminals and logs add to them.
//
// These are removed:
// - the prefix of TORCH_LOGS, `V1126 12:00:00.000000 123 torch/a.py:29] [0/0] [__graph_code] `, after an optional rank;
// - prefixes of vLLM's and CI systems' logs;
// - `> ` of a quotation, pytest's `E   `, and the tab before a payload of TORCH_TRACE;
// - colours (ANSI escapes, with or without the escape character), a byte order mark, and CR.
// HTML entities and typographic quotes become plain characters. A tab of an indentation becomes four blanks. Each line
// keeps its number. If several processes wrote one file, each has a stream of its own.
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
  uint32_t number = 0;          ///< from 1
  uint32_t stream = 0;          ///< number of the process that wrote the line, in order of first lines
  bool record = false;          ///< `text` is the JSON of a TORCH_TRACE record, whose payload follows
  std::string_view compile_id;  ///< `0/0` of `[0/0]`; empty: none
  std::string_view artifact;    ///< `graph_code` of `[__graph_code]`
  size_t indent() const { return blanks_before(text); }  ///< for a blank line, its length
  bool is_blank() const { return indent() == text.size(); }
};

struct CleanText {
  std::vector<CleanLine> lines;
  std::deque<std::string> owned;  ///< texts of the lines that differ from the input
  size_t records = 0;             ///< lines that are TORCH_TRACE records
  size_t prefixed = 0;            ///< lines with a prefix of TORCH_LOGS
  size_t streams = 1;
};

/// Longer lines are not parsed. No graph has one.
inline constexpr size_t kMaxLine = size_t(4) << 20;  // bytes

/// Joins lines that a terminal wrapped: a line of the greatest length continues in the next one. Returns false and
/// changes nothing if the text does not look wrapped.
bool join_wrapped(CleanText& text);
/// Returns whether `join_wrapped` would change the text.
bool looks_wrapped(const CleanText& text);

/// Removes the text in front of the first `def forward(self`, and equal text in front of the other lines; numbers in it
/// may differ. Examples are line numbers, names of containers and processes (`worker-1  | `, `[default0]:`) and times.
/// Returns false if there is no common text.
bool strip_line_heads(CleanText& text);

/// Stream numbers of the processes that wrote a text. All parts of a text share them.
using Processes = std::map<std::string, uint32_t, std::less<>>;

/// `text` must outlive the result. `before` lines of the whole text precede `text`.
CleanText clean_lines(std::string_view text, Processes& processes, uint32_t before = 0);
CleanText clean_lines(std::string_view text);

/// Returns the offset of the last record of TORCH_TRACE, or of the last graph of TORCH_LOGS, after the first line of
/// `text`. A log may be cut there, since no graph crosses that offset. 0: there is none.
size_t last_begin(std::string_view text);

/// Returns only the texts of the cleaned lines.
std::vector<std::string> plain_lines(std::string_view text);

}  // namespace ersatz::pasted
