// A report in lines, made once by a command and printed in several forms.
//
// What a form needs to know of a line is kept beside its text: no form searches in the text.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::tools {

enum class Mark : uint8_t { None, Finding, Warning };

class Document {
 public:
  struct Line {
    std::string text;  ///< without its end
    Mark mark = Mark::None;
    size_t marked = 0;                       ///< bytes at the begin of the text that have the mark
    size_t source = std::string_view::npos;  ///< where `  # model.py:17: ...` begins in the text
  };

  Document() = default;
  /// A text is a document without marks.
  template <std::convertible_to<std::string_view> Text>
  Document(const Text& text) {  // NOLINT(google-explicit-constructor)
    add_lines(text);
  }

  /// The lines of another one, and its closing line if it has one.
  void add(Document more);
  /// `head lines`, where the head has the mark.
  void add(Mark mark, std::string_view head, std::string_view lines);
  /// `row  # source`, which a narrow terminal cuts; a row without a source is a line.
  void add_row(std::string_view row, std::string_view source);

  const std::vector<Line>& lines() const { return lines_; }
  bool empty() const { return lines_.empty() && closing.empty(); }
  /// Bytes of the lines as text.
  size_t size() const;
  /// Keeps the first bytes of the lines, without half a character of UTF-8, and adds `...` where they end.
  void cut(size_t bytes);
  /// Bytes that a terminal would take for commands are spelt out.
  void make_printable();

  std::string closing;  ///< the last line, `COMMAND: counts`, without its end; empty: the report has none

 private:
  void add_lines(std::string_view text);
  std::vector<Line> lines_;
};

/// The report as text.
std::string plain(const Document& document);

/// The report for a terminal: in colour if `color`. A row's source is cut where it passes the last column; nothing else
/// ever is. 0 columns: no limit. `status` is the envelope's.
std::string for_terminal(const Document& document, size_t columns, bool color, std::string_view status);

}  // namespace ersatz::tools
