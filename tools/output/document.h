// A report, made once by a command and printed in several forms: lines for people, and the same as data.
//
// What a form needs to know of a line is kept beside its text: no form searches in the text.
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
    Below,   ///< two spaces and the words
    Term,    ///< two spaces, a name, a colon, and what is said of it
    Code,    ///< four spaces and a line of code, or of a list
    Program  ///< a line of a program that is the report itself, as it is
  };
  struct Line {
    std::string text;  ///< without its end
    Kind kind = Kind::Top;
    Mark mark = Mark::None;
    size_t marked = 0;                       ///< bytes at the begin of the text that have the mark
    size_t source = std::string_view::npos;  ///< where `  # model.py:17: ...` begins in the text
    size_t name = 0, says = 0;               ///< of a term: where its name ends, and where the words begin

    /// Without the indentation of its kind.
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

  /// The lines of another one, and its closing line if it has one. Data and page stay.
  void add(Document more);
  /// The lines, the closing line and the keys of the data of a part of this report.
  void add_part(Document part);
  /// `head more`, where the head has the mark.
  void add(Mark mark, std::string_view head, Document more);
  /// A line of that kind. A text of several lines goes on in Top lines.
  void add(Kind kind, std::string_view text);
  /// Each line of the text: Code or Program.
  void add_code(std::string_view text, Kind kind = Kind::Code);
  /// `  name: says`, where the words begin `width` bytes behind the name's first one if the name is shorter.
  void add_term(std::string_view name, std::string_view says, size_t width = 0);
  /// `row  # source`, which a narrow terminal cuts; a row without a source is a line. REQUIRES: kind is Top or Below.
  void add_row(std::string_view row, std::string_view source, Kind kind = Kind::Top);

  const std::vector<Line>& lines() const { return lines_; }
  bool empty() const { return lines_.empty() && closing.empty(); }
  /// Bytes of the lines as text.
  size_t size() const;
  /// Keeps the first bytes of the lines, without half a character of UTF-8, and adds `...` where they end.
  void cut(size_t bytes);
  /// Bytes that a terminal would take for commands are spelt out.
  void make_printable();

  std::string closing;                ///< the last line, `COMMAND: counts`, without its end; empty: the report has none
  nlohmann::ordered_json data;        ///< what `--json` writes: an envelope (report_envelope) and the command's keys
  std::function<std::string()> page;  ///< makes a page that shows more than the lines; empty: there is none

  std::string command() const { return text_of("command"); }  ///< the envelope's
  std::string status() const { return text_of("status"); }    ///< the envelope's

 private:
  std::string text_of(const char* key) const { return data.is_object() ? data.value(key, "") : ""; }
  void add_lines(std::string_view text);
  std::vector<Line> lines_;
};

/// Adds the keys of a part's data to those of the report. Null adds nothing.
void add_keys(nlohmann::ordered_json& to, nlohmann::ordered_json part);

/// The report as text.
std::string plain(const Document& document);

/// The data as JSON. Names come from files: bytes that are no UTF-8 are replaced.
std::string json_text(const Document& document);

/// The report for a terminal: in colour if `color`. A row's source is cut where it passes the last column; nothing else
/// ever is. 0 columns: no limit.
std::string for_terminal(const Document& document, size_t columns, bool color);

}  // namespace ersatz::tools
