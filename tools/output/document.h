// A report, which a command makes once and prints in several forms: lines of text, and JSON data.
//
// Properties of a line are stored next to its text, so that no printer has to parse the text.
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
  /// The kind of a line. A line that is not Top belongs to the nearest Top line above it, which is the heading of its
  /// section.
  enum class Kind : uint8_t {
    Top,
    Below,   ///< two spaces, then the text
    Term,    ///< two spaces, a name, a colon, then a text about that name
    Code,    ///< four spaces, then a line of code or of a list
    Program  ///< a line of program text, if the report is a program; printed unchanged
  };
  struct Line {
    std::string text;  ///< without the newline
    Kind kind = Kind::Top;
    Mark mark = Mark::None;
    size_t marked = 0;                       ///< number of bytes at the start that the mark colours
    size_t source = std::string_view::npos;  ///< position of `  # model.py:17: ...` in the text
    size_t name = 0, says = 0;               ///< for Term: the end of its name, and the start of its text

    /// Returns the text without the indentation of its kind.
    std::string_view words() const;
    /// Returns the name. REQUIRES: kind is Term.
    std::string_view term() const;
    std::string_view said() const { return std::string_view(text).substr(std::min(says, text.size())); }
  };

  Document() = default;
  /// Makes a document of Top lines without marks from a text.
  template <std::convertible_to<std::string_view> Text>
  Document(const Text& text) {  // NOLINT(google-explicit-constructor)
    add_lines(text);
  }

  /// Appends the lines of another document, and its closing line if it has one. `data` and `page` do not change.
  void add(Document more);
  /// Appends a part of this report: adds its lines, its closing line, and the keys of its data.
  void add_part(Document part);
  /// Adds `head` and the first line of `more` as one line, then the other lines of `more`. The mark is on `head`.
  void add(Mark mark, std::string_view head, Document more);
  /// Adds the first line of the text with that kind. Further lines of the text become Top lines.
  void add(Kind kind, std::string_view text);
  /// Adds each line of the text with the kind Code or Program.
  void add_code(std::string_view text, Kind kind = Kind::Code);
  /// Adds `  name: says`. After a short name, `says` begins `width` bytes after the name's first byte.
  void add_term(std::string_view name, std::string_view says, size_t width = 0);
  /// Adds `row  # source`. On a narrow terminal the source is cut. If there is no source, only the row is added.
  /// REQUIRES: kind is Top or Below.
  void add_row(std::string_view row, std::string_view source, Kind kind = Kind::Top);

  const std::vector<Line>& lines() const { return lines_; }
  bool empty() const { return lines_.empty() && closing.empty(); }
  /// Returns the number of bytes that `plain` returns.
  size_t size() const;
  /// Cuts the document's lines to `bytes` bytes in all, at a whole UTF-8 character, and adds `...`.
  void cut(size_t bytes);
  /// Escapes bytes that a terminal would interpret as commands.
  void make_printable();

  std::string closing;                ///< the last line, `COMMAND: counts`, without its newline; empty: none
  nlohmann::ordered_json data;        ///< data of `--json`: the keys of report_envelope and those of the command
  std::function<std::string()> page;  ///< returns an HTML page that shows more than the lines; empty: there is none

  std::string command() const { return text_of("command"); }  ///< the command's name in the envelope
  std::string status() const { return text_of("status"); }    ///< the exit status in the envelope

 private:
  std::string text_of(const char* key) const { return data.is_object() ? data.value(key, "") : ""; }
  void add_lines(std::string_view text);
  std::vector<Line> lines_;
};

/// Adds the keys of `part` to `to`. If `part` is null, does nothing.
void add_keys(nlohmann::ordered_json& to, nlohmann::ordered_json part);

/// Returns the report as plain text.
std::string plain(const Document& document);

/// Returns the data as JSON text. Bytes that are not UTF-8 (in names from files) are replaced.
std::string json_text(const Document& document);

/// Returns the report for a terminal, in colour if `color`. Only the source of a row is cut, at column `columns`; 0:
/// nothing is cut.
std::string for_terminal(const Document& document, size_t columns, bool color);

}  // namespace ersatz::tools
