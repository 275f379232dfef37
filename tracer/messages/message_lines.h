// A text as somebody pasted it, as the lines that the program printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

/// More than this is refused: an error with its traceback has some hundred lines.
inline constexpr size_t kMaxMessageBytes = size_t(64) << 20;

/// The lines, numbered from 0 as in the text. Taken away: carriage returns, a byte order mark, colours (ANSI escapes,
/// with or without the escape character), HTML entities, typographic quotes, and before each line Markdown's `> `,
/// pytest's `E `, `[rank0]:`, and the prefixes of PyTorch's, vLLM's and CI systems' logs.
std::vector<std::string> message_lines(std::string_view text);

}  // namespace ersatz
