// The lines of a pasted text without what chat programs, terminals and logs put around them.
//
// These are taken away: the prefix of TORCH_LOGS (`V1126 12:00:00.000000 123 torch/a.py:29] [0/0] [__graph_code] `,
// with a rank before it), prefixes of vLLM's and CI systems' logs, `> ` of a quotation, pytest's `E   `, the tab before
// a payload of TORCH_TRACE, colours (ANSI escapes, with or without the escape character), a byte order mark, CR.
// HTML entities and typographic quotes become plain characters, tabs of an indentation four blanks.
// Each line keeps its number. Processes that wrote one file are streams of their own.
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
  uint32_t stream = 0;          ///< which process wrote it, by the first line of each
  bool record = false;          ///< `text` is the JSON of a TORCH_TRACE record, whose payload follows
  std::string_view compile_id;  ///< `0/0` of `[0/0]`; empty: none
  std::string_view artifact;    ///< `graph_code` of `[__graph_code]`
  size_t indent() const { return blanks_before(text); }  ///< of a blank line its length
  bool is_blank() const { return indent() == text.size(); }
};

struct CleanText {
  std::vector<CleanLine> lines;
  std::deque<std::string> owned;  ///< of lines that are not a part of the text as it is
  size_t records = 0;             ///< lines that are TORCH_TRACE records
  size_t prefixed = 0;            ///< lines with a prefix of TORCH_LOGS
  size_t streams = 1;
};

/// A line longer than this is not looked at: no graph has one.
inline constexpr size_t kMaxLine = size_t(4) << 20;  // bytes

/// Joins what a terminal wrapped: lines of the longest length, where there are several, go on in the next one. False,
/// and nothing is changed, where the text does not look like that.
bool join_wrapped(CleanText& text);
/// Would `join_wrapped` change the text?
bool looks_wrapped(const CleanText& text);

/// Takes away the text before the first `def forward(self` and, but for its numbers, before the lines around it: line
/// numbers, names of containers and processes (`worker-1  | `, `[default0]:`), times. False: there is none.
bool strip_line_heads(CleanText& text);

/// Processes that wrote a text, by the number of their stream: parts of one text share them.
using Processes = std::map<std::string, uint32_t, std::less<>>;

/// `text` must outlive the result. `before` lines of the whole text are not in it.
CleanText clean_lines(std::string_view text, Processes& processes, uint32_t before = 0);
CleanText clean_lines(std::string_view text);

/// Finds where the last record of TORCH_TRACE, or graph of TORCH_LOGS, begins behind the text's first line: no graph
/// reaches from before it into what follows. 0: there is none.
size_t last_begin(std::string_view text);

/// The texts of these lines alone.
std::vector<std::string> plain_lines(std::string_view text);

}  // namespace ersatz::pasted
