#include "tracer/pasted/graph_text.h"

#include <algorithm>

#include "runtime/base/error.h"
#include "tracer/pasted/graph_listing.h"
#include "tracer/pasted/graph_marks.h"
#include "tracer/pasted/open_brackets.h"
#include "tracer/pasted/output_code.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

constexpr int kMaxClasses = 32;
constexpr size_t kMostNested = 256;  // the most graphs that may be members of one class
constexpr std::string_view kModule = "(torch.nn.Module):";

using Lines = std::vector<const CleanLine*>;

/// Returns the name of the class that the line defines; nullopt if it defines none.
std::optional<std::string> class_name(std::string_view line) {
  line = trimmed(line);
  if (!line.ends_with(kModule) || line.starts_with('#')) return std::nullopt;
  const size_t end = line.size() - kModule.size();
  const size_t at = line.rfind("class ", end);
  if (at == line.npos || (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t')) return std::nullopt;
  const std::string_view name = line.substr(at + 6, end - at - 6);
  if (name.empty() || name.find_first_of(" ('\"") != name.npos) return std::nullopt;
  return std::string(name);
}

/// Returns the class's indentation; 0 if a log put a file name before `class`, so that the body begins at column 0.
size_t class_indent(const CleanLine& line) {
  const size_t indent = line.indent();
  return line.text.substr(indent).starts_with("class ") ? indent : 0;
}

class Finder {
 public:
  Finder(const Lines& lines, std::vector<GraphText>& found)
      : lines_(lines), found_(found), balance_(lines.size(), Balance::Unknown) {}

  void headed() {
    const size_t before = found_.size();
    for (size_t i = 0; i < lines_.size();) {
      const CleanLine& line = *lines_[i];
      if (line.record || is_comment(line)) {
        ++i;
      } else if (const auto name = class_name(line.text)) {
        i = graph_of_class(i, *name);
      } else if (begins_code(i)) {
        i = output_code(i);
      } else if (trimmed(line.text).starts_with("def forward(self")) {
        i = bare_function(i);
      } else {
        ++i;
      }
    }
    attach_members(before);
  }

  /// Finds printed graphs of torch.fx (tracer/pasted/graph_listing.h), with or without the first line `graph():`.
  void listings() {
    for (size_t i = 0; i < lines_.size();) {
      const std::optional<ListedLine> first = lines_[i]->record ? std::nullopt : listed_line(lines_[i]->text);
      if (!first || first->kind == ListedLine::Kind::Return) {
        ++i;
        continue;
      }
      GraphText g = begin(i);
      const bool headed = first->kind == ListedLine::Kind::Head;
      if (headed) g.signature.emplace();
      const size_t end = listing(g, headed ? i + 1 : i);
      close(g, end);
      if (!g.body.empty()) found_.push_back(std::move(g));
      i = std::max(end, i + 1);
    }
  }

  /// Finds lines that were cut from Inductor's generated code.
  void pieces_of_code() {
    for (size_t i = 0, free = 0; i < lines_.size();) {
      if (!allocates_buffer(lines_[i]->text)) {
        ++i;
        continue;
      }
      while (i > free && !lines_[i - 1]->record && !lines_[i - 1]->is_blank()) --i;
      free = i = output_code(i);
    }
  }

  /// Finds fragments of a graph: statements and comments that follow an annotated line.
  void fragments() {
    for (size_t i = 0; i < lines_.size();) {
      if (!is_annotated_line(lines_[i]->text)) {
        ++i;
        continue;
      }
      GraphText g = begin(i);
      size_t end = i;
      while (end < lines_.size() && belongs_to_fragment(*lines_[end])) ++end;
      // Statements without an annotation that come directly before the annotated line belong to the fragment too.
      size_t first = i;
      while (first > 0 && is_plain_statement(*lines_[first - 1])) --first;
      g.begin = first;
      g.first = lines_[first]->number;
      read_body(g, first, end);
      close(g, end);
      found_.push_back(std::move(g));
      i = std::max(end, i + 1);
    }
  }

 private:
  static bool is_plain_statement(const CleanLine& line) {
    const std::string_view text = trimmed(line.text);
    return !line.record && (text.find(" = torch.ops.") != text.npos || is_annotated_line(text));
  }
  static bool belongs_to_fragment(const CleanLine& line) {
    if (line.record) return false;
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.starts_with('#') || text.starts_with("return ") || is_annotated_line(text)) return true;
    const size_t equals = text.find(" = ");
    return equals != text.npos && text.substr(0, equals).find_first_of(" '\"") == text.npos;
  }

  static size_t size_of(const GraphText& g) {
    size_t n = 1;
    for (const GraphText& child : g.children) n += size_of(child);
    return n;
  }

  /// Makes a class a child of the class whose `__init__` instantiates it: `self.true_graph_0 = true_graph_0_0()`. A
  /// script defines its classes one after another instead of nesting them.
  void attach_members(size_t first) {
    std::vector<bool> nested(found_.size(), false);
    for (size_t i = first; i < found_.size(); ++i) {
      size_t room = kMostNested;
      for (const std::string& member : found_[i].members) {
        const size_t equals = member.find(" = ");
        if (equals == member.npos || !member.ends_with("()")) continue;
        const std::string_view type = std::string_view(member).substr(equals + 3, member.size() - equals - 5);
        for (size_t j = i; j-- > first;) {  // search backwards, because a log may have several classes of one name
          if (found_[j].name != type || found_[j].compile_id != found_[i].compile_id) continue;
          const size_t size = size_of(found_[j]);
          if (size > room) continue;
          room -= size;
          GraphText child = found_[j];
          child.name = member.substr(0, equals);
          if (child.damage && !found_[i].damage) found_[i].damage = child.damage;
          if (child.cut && !found_[i].cut) found_[i].cut = child.cut;
          found_[i].children.push_back(std::move(child));
          nested[j] = true;
          break;
        }
      }
    }
    size_t at = 0;
    std::erase_if(found_, [&](const GraphText&) { return nested[at++]; });
  }

  /// Reads a listing that begins at line `i`. Returns the index of the line after the listing.
  size_t listing(GraphText& g, size_t i) const {
    bool returned = false;
    for (; i < lines_.size() && !returned; ++i) {
      const CleanLine& line = *lines_[i];
      if (line.record) break;
      if (line.is_blank()) continue;
      if (line.text.size() > kMaxLine) {
        too_long(g, line);
        break;
      }
      std::optional<ListedLine> listed = listed_line(line.text);
      if (!listed || listed->kind == ListedLine::Kind::Head) {
        if (is_comment(line)) continue;
        break;
      }
      returned = listed->kind == ListedLine::Kind::Return;
      if (listed->kind != ListedLine::Kind::Input) {
        g.body.push_back({line.number, std::move(listed->statement), false});
      } else if (g.signature) {
        g.signature->parameters.push_back({std::move(listed->name), std::move(listed->annotation)});
      } else {
        g.given.push_back({std::move(listed->name), std::move(listed->annotation)});
      }
    }
    if (!returned && g.signature && !g.damage)
      g.cut = Unread{i > 0 ? lines_[i - 1]->number : 0, "the graph has no return: the text was cut"};
    return i;
  }

  GraphText begin(size_t i) const {
    GraphText g;
    g.first = lines_[i]->number;
    g.begin = i;
    g.compile_id = lines_[i]->compile_id;
    g.artifact = lines_[i]->artifact;
    g.stream = lines_[i]->stream;
    return g;
  }

  void close(GraphText& g, size_t end) const {
    while (end > g.begin + 1 && lines_[end - 1]->is_blank()) --end;
    g.end = end;
    g.last = lines_[end - 1]->number;
  }

  /// Returns whether the text, or a record's payload, ends at line `end`. A graph that is incomplete there was cut off.
  bool ends_at(size_t end) const {
    while (end < lines_.size() && lines_[end]->is_blank()) ++end;
    return end >= lines_.size() || lines_[end]->record;
  }

  /// Returns whether the lines [i, end) are a printed graph and not hand-written code of a module.
  bool is_printed(size_t i, size_t end) const {
    return std::any_of(lines_.begin() + static_cast<ptrdiff_t>(i), lines_.begin() + static_cast<ptrdiff_t>(end),
                       [](const CleanLine* line) { return is_mark(*line); });
  }

  size_t graph_of_class(size_t i, const std::string& name) {
    GraphText g = begin(i);
    g.name = name;
    for (size_t before = i; before > 0 && before + 4 > i; --before) {
      const std::string_view text = trimmed(lines_[before - 1]->text);
      if (lines_[before - 1]->record) break;
      if (!text.starts_with("=====")) continue;
      g.title = std::string(trimmed(text.substr(5, text.size() - std::min<size_t>(text.size(), 10))));
      break;
    }
    const size_t end = read_class(g, i, class_indent(*lines_[i]), 0);
    close(g, end);
    const bool graph = g.signature || g.damage || g.cut;
    if (graph && is_printed(i, end)) found_.push_back(std::move(g));
    return std::max(end, i + 1);
  }

  bool begins_code(size_t i) const {
    return unpacks_arguments(lines_[i]->text, i + 1 < lines_.size() ? lines_[i + 1]->text : std::string_view());
  }

  /// Reads generated code (a function or lines of one) from line `i` on. Returns the index of the line after it.
  size_t output_code(size_t i) {
    constexpr size_t kMostBelow = 4096;  // most lines below a function that are read for it
    size_t indent = lines_[i]->indent(), before = i;
    std::string name = "call";
    while (before > 0 && i - before < 3 && !lines_[before]->record) {
      const std::string_view text = trimmed(lines_[--before]->text);
      if (!text.starts_with("def ")) continue;
      indent = lines_[before]->indent() + 1;
      name = text.substr(4, text.find('(') - 4);
      break;
    }
    GraphText g = begin(i);
    g.name = name;
    g.generated = true;
    size_t end = i + 1;
    if (indent > 0) {
      end = end_of_block(end, indent - 1, i);
    } else {
      while (end < lines_.size() && !lines_[end]->record && !lines_[end - 1]->text.starts_with("return ")) ++end;
    }
    read_body(g, i, end);
    // The lines after the function call it with example inputs.
    size_t stop = end;
    while (stop < lines_.size() && stop < end + kMostBelow && !lines_[stop]->record &&
           lines_[stop]->artifact == g.artifact && !begins_code(stop))
      ++stop;
    std::vector<std::string> lines;
    for (size_t k = i; k < stop; ++k) lines.emplace_back(lines_[k]->text);
    read_output_code(g, lines);
    close(g, end);
    if (!g.body.empty() || !g.left_out.empty()) found_.push_back(std::move(g));
    return std::max(end, i + 1);
  }

  size_t bare_function(size_t i) {
    GraphText g = begin(i);
    const size_t indent = lines_[i]->indent();
    const size_t end = end_of_block(i + 1, indent, i);
    read_function(g, i, end);
    close(g, end);
    if (is_printed(i, end)) found_.push_back(std::move(g));
    return std::max(end, i + 1);
  }

  /// Returns the first line from `i` on that is outside brackets and indented by at most `indent`. Brackets that line
  /// `from` opens count too.
  size_t end_of_block(size_t i, size_t indent, size_t from) const {
    OpenBrackets open;
    bool broken = false;
    const auto read = [&](size_t at) {
      if (broken || is_comment(*lines_[at]) || is_balanced(at)) return;
      try {
        open.read(lines_[at]->text);
      } catch (const Error&) {
        broken = true;  // reading the lines as code will report the error
      }
    };
    read(from);
    for (; i < lines_.size(); ++i) {
      const CleanLine& line = *lines_[i];
      if (line.record) return i;
      if (line.is_blank()) continue;
      const bool closes = !broken && !open.open.empty() && line.text[line.indent()] == open.open.back();
      if (line.indent() <= indent && !closes) return i;
      read(i);
    }
    return i;
  }

  /// Returns whether line i is balanced (open_brackets.h). The result is cached, because all blocks around i need it.
  bool is_balanced(size_t i) const {
    if (balance_[i] == Balance::Unknown)
      balance_[i] = pasted::is_balanced(lines_[i]->text) ? Balance::Yes : Balance::No;
    return balance_[i] == Balance::Yes;
  }

  /// Reads the class that begins at line `i`. Returns the index of the line after the class.
  size_t read_class(GraphText& g, size_t i, size_t indent, int depth) {
    const size_t end = end_of_block(i + 1, indent, i);
    if (depth > kMaxClasses) {
      g.damage = Unread{lines_[i]->number, fmt::format("classes are nested more than {} deep", kMaxClasses)};
      return end;
    }
    for (size_t at = i + 1; at < end;) {
      const CleanLine& line = *lines_[at];
      const std::string_view text = trimmed(line.text);
      if (const auto name = is_comment(line) ? std::nullopt : class_name(line.text)) {
        GraphText child = begin(at);
        child.name = *name;
        const size_t next = std::max(read_class(child, at, line.indent(), depth + 1), at + 1);
        close(child, next);
        if (child.damage && !g.damage) g.damage = child.damage;
        if (child.cut && !g.cut) g.cut = child.cut;
        g.children.push_back(std::move(child));
        at = next;
      } else if (text.starts_with("def ")) {
        const size_t next = std::min(end, end_of_block(at + 1, line.indent(), at));
        if (text.starts_with("def forward")) {
          read_function(g, at, next);
        } else if (text.starts_with("def __init__")) {
          for (size_t k = at + 1; k < next; ++k) {
            const std::string_view member = trimmed(lines_[k]->text);
            if (member.starts_with("self.")) g.members.emplace_back(member.substr(5));
          }
        }
        at = std::max(next, at + 1);
      } else {
        ++at;
      }
    }
    if (!g.signature && !g.damage && ends_at(end) && depth > 0)
      g.cut = Unread{lines_[i]->number, "the text ends before the graph does"};
    return end;
  }

  /// Reads the signature at line `i`, and the body up to line `end`.
  void read_function(GraphText& g, size_t i, size_t end) {
    std::string text;
    OpenBrackets open;
    const uint32_t number = lines_[i]->number;
    for (; i < end; ++i) {
      const CleanLine& line = *lines_[i];
      if (line.text.size() > kMaxLine) return too_long(g, line);
      try {
        open.read(line.text);
      } catch (const Error& e) {
        g.damage = Unread{line.number, e.message};
        return;
      }
      text += line.text;
      text += '\n';
      if (text.size() > kMaxLine) return too_long(g, line);
      if (open.open.empty()) break;
    }
    if (!open.open.empty()) {
      broken_off(g, number, end, "the signature is not closed");
      return;
    }
    try {
      g.signature = parse_signature(text);
    } catch (const Error& e) {
      g.damage = Unread{number, e.message};
      return;
    }
    read_body(g, i + 1, end);
  }

  static void too_long(GraphText& g, const CleanLine& line) {
    g.damage = Unread{line.number, fmt::format("a line or statement of more than {} bytes", kMaxLine)};
  }

  void broken_off(GraphText& g, uint32_t number, size_t end, std::string reason) const {
    if (ends_at(end)) {
      g.cut = Unread{number, "the text ends within this statement"};
    } else {
      g.damage = Unread{number, std::move(reason)};
    }
  }

  /// Appends lines to `statement` until its brackets are closed. `last` becomes the last line of the statement. Returns
  /// place and reason if the result is no statement. `open` is set if the text ends before the brackets are closed.
  std::optional<Unread> read_more(const GraphText& g, BodyLine& statement, size_t& last, size_t end, bool& open) const {
    const size_t indent = lines_[last]->indent();
    OpenBrackets brackets;
    try {
      brackets.read(statement.text);
      while (!brackets.open.empty() && last + 1 < end && statement.text.size() <= kMaxLine) {
        const CleanLine& next = *lines_[last + 1];
        const bool closes = !next.is_blank() && next.text[next.indent()] == brackets.open.back();
        // A new statement begins: generated code indents continuation lines, and printed graphs annotate statements.
        if (g.generated ? next.indent() <= indent && !closes : is_annotated_line(next.text)) break;
        ++last;
        brackets.read(next.text);
        statement.text += '\n';
        statement.text += next.text;
      }
    } catch (const Error& e) {
      return Unread{lines_[last]->number, e.message};
    }
    if (brackets.open.empty()) return std::nullopt;
    open = last + 1 >= end;
    return Unread{statement.number, fmt::format("'{}' is missing at the end of the statement", brackets.open.back())};
  }

  void read_body(GraphText& g, size_t i, size_t end) const {
    bool returned = false;
    for (; i < end; ++i) {
      const CleanLine& line = *lines_[i];
      if (line.is_blank()) continue;
      if (is_comment(line)) {
        g.body.push_back({line.number, std::string(trimmed(line.text)), true});
        continue;
      }
      if (line.text.size() > kMaxLine) return too_long(g, line);
      BodyLine statement{line.number, std::string(trimmed(line.text)), false};
      if (is_balanced(i)) {
        returned |= statement.text.starts_with("return");
        g.body.push_back(std::move(statement));
        continue;
      }
      size_t last = i;
      bool open = false;
      const std::optional<Unread> damage = read_more(g, statement, last, end, open);
      if (statement.text.size() > kMaxLine) return too_long(g, line);
      if (damage && open && (!g.generated || ends_at(end))) return broken_off(g, line.number, end, damage->reason);
      if (damage && !g.generated) {
        g.damage = damage;
        return;
      }
      if (damage) {  // only this statement is left out; the others can be read without it
        g.body.push_back({line.number, std::string(trimmed(line.text)), false, damage->reason});
        continue;
      }
      returned |= statement.text.starts_with("return");
      g.body.push_back(std::move(statement));
      i = last;
    }
    if (!returned && g.signature && !g.cut)
      g.cut = Unread{end > 0 ? lines_[end - 1]->number : 0, "the graph has no return: the text was cut"};
  }

  enum class Balance : uint8_t { Unknown, Yes, No };

  const Lines& lines_;
  std::vector<GraphText>& found_;
  mutable std::vector<Balance> balance_;  // for each line
};

}  // namespace

uint32_t line_named(std::string_view message) {
  const size_t at = message.find("line ");
  if (at == message.npos) return 0;
  const std::string_view rest = message.substr(at + 5);
  return static_cast<uint32_t>(whole_number(rest.substr(0, rest.find(':'))).value_or(0));
}

std::vector<GraphText> find_graphs(const CleanText& text, bool fragments) {
  std::vector<Lines> streams(text.streams);
  for (const CleanLine& line : text.lines) streams[std::min<size_t>(line.stream, streams.size() - 1)].push_back(&line);
  std::vector<GraphText> found;
  for (const Lines& lines : streams) Finder(lines, found).headed();
  if (found.empty() && fragments) {
    for (const Lines& lines : streams) Finder(lines, found).listings();
  }
  if (found.empty() && fragments) {
    for (const Lines& lines : streams) Finder(lines, found).pieces_of_code();
  }
  if (found.empty() && fragments) {
    for (const Lines& lines : streams) Finder(lines, found).fragments();
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const GraphText& a, const GraphText& b) { return a.first < b.first; });
  return found;
}

}  // namespace ersatz::pasted
