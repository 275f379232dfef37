// A report, which a command makes once and prints in several forms: lines for people, and JSON data.
//
// Properties of a line are stored next to its text, so that no form has to search in the text.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::tools {

enum class Mark : uint8_t { None, Finding, Warning };

class Document {
 public:
  /// A line of a section belongs to the nearest Top line above it, which is the section's heading.
  enum class Kind : uint8_t {
    Top,
    Below,   ///< two spaces and the text
    Term,    ///< two spaces, a name, a colon, and its text
    Code,    ///< four spaces and a line of code or of a list
    Program  ///< an unchanged line of a program that is the report itself
  };
  struct Line {
    std::string text;  ///< without the line end
    Kind kind = Kind::Top;
    Mark mark = Mark::None;
    size_t marked = 0;                       ///< number of first bytes with the mark
    size_t source = std::string_view::npos;  ///< position of `  # model.py:17: ...` in the text
    size_t name = 0, says = 0;               ///< for Term: end of its name, begin of its text

    /// The text without the indentation of its kind.
    std::string_view words() const;
    /// REQUIRES: kind is Term.
    std::string_view term() const;
    std::string_view said() const { return std::string_view(text).substr(std::min(says, text.size())); }
  };

  Document() = default;
  /// A text is a document of Top lines without marks.
  template <std::convertible_to<std::string_view> Text>
  Document(const Text& text) {  // NOLINT(google-explicit-constructor)
    add_lines(text);
  }

  /// Adds the lines of another document, and its closing line if any. `data` and `page` do not change.
  void add(Document more);
  /// Adds the lines, the closing line and the keys of the data of a part of this report.
  void add_part(Document part);
  /// Adds `head more`, with the mark on the head.
  void add(Mark mark, std::string_view head, Document more);
  /// Adds a line of that kind. Further lines of the text are Top lines.
  void add(Kind kind, std::string_view text);
  /// Adds each line of the text as Code or Program.
  void add_code(std::string_view text, Kind kind = Kind::Code);
  /// Adds `  name: says`. With a shorter name, the text begins `width` bytes after the name's first byte.
  void add_term(std::string_view name, std::string_view says, size_t width = 0);
  /// Adds `row  # source`, whose source a narrow terminal cuts. Without a source it is a plain line. REQUIRES: kind is
  /// Top or Below.
  void add_row(std::string_view row, std::string_view source, Kind kind = Kind::Top);

  const std::vector<Line>& lines() const { return lines_; }
  bool empty() const { return lines_.empty() && closing.empty(); }
  /// Number of bytes of `plain`.
  size_t size() const;
  /// Keeps the first bytes of the lines, whole UTF-8 characters only, and adds `...` at the end.
  void cut(size_t bytes);
  /// Escapes bytes that a terminal would interpret as commands.
  void make_printable();

  std::string closing;                ///< the last line, `COMMAND: counts`, without its line end; empty: none
  nlohmann::ordered_json data;        ///< data of `--json`: an envelope (report_envelope) and the command's keys
  std::function<std::string()> page;  ///< makes an HTML page with more than the lines; empty: none

  std::string command() const { return text_of("command"); }  ///< from the envelope
  std::string status() const { return text_of("status"); }    ///< from the envelope

 private:
  std::string text_of(const char* key) const { return data.is_object() ? data.value(key, "") : ""; }
  void add_lines(std::string_view text);
  std::vector<Line> lines_;
};

/// Adds the keys of a part's data to those of the report. Null adds nothing.
void add_keys(nlohmann::ordered_json& to, nlohmann::ordered_json part);

/// The report as text.
std::string plain(const Document& document);

/// The data as JSON text. Bytes that are not UTF-8, in names from files, are replaced.
std::string json_text(const Document& document);

/// The report for a terminal, in colour if `color`. Only a row's source is cut, at the last column. `columns` 0: no
/// limit.
std::string for_terminal(const Document& document, size_t columns, bool color);

}  // namespace ersatz::tools
