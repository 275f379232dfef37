#include "tracer/pasted/python_syntax.h"

#include <algorithm>
#include <array>
#include <span>

#include "runtime/base/error.h"
#include "tracer/pasted/open_brackets.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

constexpr int kMaxDepth = 96;

struct Level {
  std::array<std::string_view, 8> ops;
};
/// Binary operators, from the lowest precedence to the highest. `**` is parsed separately.
constexpr Level kLevels[] = {{{"or"}},       {{"and"}},    {{"==", "!=", "<=", ">=", "<", ">", "is", "in"}},
                             {{"|"}},        {{"^"}},      {{"&"}},
                             {{"<<", ">>"}}, {{"+", "-"}}, {{"//", "*", "/", "%", "@"}}};
constexpr int kLevelCount = static_cast<int>(std::size(kLevels));

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<PyStatement> statements() {
    std::vector<PyStatement> out;
    while (more()) {
      if (take(";")) {
        if (!out.empty()) pass_frees();
        continue;
      }
      out.push_back(statement());
      if (more() && !at(";")) refuse("is no part of a statement");
    }
    return out;
  }

  PySignature signature() {
    PySignature s;
    expect_word("def");
    s.name = name();
    expect("(");
    while (!take(")")) {
      while (take("*")) {
      }
      PyParameter& p = s.parameters.emplace_back();
      if (take("/")) {
        s.parameters.pop_back();
      } else {
        p.name = name();
        if (take(":")) p.annotation = annotation();
        if (take("=")) expression(0);
      }
      if (!at(")")) expect(",");
    }
    if (take("->")) expression(0);
    expect(":");
    if (more()) refuse("follows a signature");
    return s;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) {
    skip();
    if (at_ >= text_.size()) fail_argument("the line ends where more is expected");
    const std::string_view rest = text_.substr(at_, 24);
    fail_argument("column {}: '{}' {}", at_ + 1, rest, what);
  }

  void skip() {
    if (at_ < text_.size() && text_[at_] > ' ' && text_[at_] != '#' && text_[at_] != '\\') return;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    if (at_ < text_.size() && text_[at_] == '#') {
      const size_t end = text_.find('\n', at_);
      at_ = end == text_.npos ? text_.size() : end;
      skip_more();
    }
    if (at_ + 1 < text_.size() && text_[at_] == '\\' && text_[at_ + 1] == '\n') {
      at_ += 2;
      skip_more();
    }
  }
  void skip_more() {
    while (at_ < text_.size()) {
      const size_t before = at_;
      while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
      if (at_ < text_.size() && text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == before) return;
    }
  }
  bool more() {
    skip();
    return at_ < text_.size();
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool at(std::string_view token) {
    skip();
    if (at_ >= text_.size() || text_[at_] != token[0]) return false;
    if (token.size() > 1 && !text_.substr(at_).starts_with(token)) return false;
    // If the token is a word, it must not be the start of a longer name.
    return !begins_name(token[0]) || at_ + token.size() == text_.size() || !in_name(text_[at_ + token.size()]);
  }
  bool take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (take(token)) return;
    skip();
    if (at_ >= text_.size()) fail_argument("the line ends where '{}' is expected", token);
    fail_argument("column {}: '{}' is expected, not '{}'", at_ + 1, token, text_.substr(at_, 24));
  }
  void expect_word(std::string_view word) { expect(word); }
  std::string name() {
    skip();
    if (at_ >= text_.size() || !begins_name(text_[at_])) refuse("where a name is expected");
    const size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string annotation() {
    const Expr e = expression(0);
    if (e.kind == Expr::Kind::String) return e.text;
    return std::string(text_.substr(e.begin, e.end - e.begin));
  }

  /// Skips `a = b = None`, which releases names, up to the end of the line. Most lines of a graph end with these
  /// assignments.
  void pass_frees() {
    size_t at = at_, names = 0;
    const auto blanks = [&] {
      while (at < text_.size() && text_[at] == ' ') ++at;
    };
    for (;; ++names) {
      blanks();
      const size_t begin = at;
      while (at < text_.size() && in_name(text_[at])) ++at;
      if (at == begin || is_digit(text_[begin])) return;
      const std::string_view name = text_.substr(begin, at - begin);
      blanks();
      if (name == "None") break;
      if (at >= text_.size() || text_[at] != '=') return;
      ++at;
    }
    if (names > 0 && at == text_.size()) at_ = at;
  }

  PyStatement statement() {
    PyStatement s;
    if (take("return")) {
      s.returns = true;
      if (more() && !at(";")) s.value = expressions();
      return s;
    }
    Expr first = expressions();
    if (take(":")) {
      s.annotated = true;
      s.annotation = annotation();
    }
    if (!at("=") && s.annotated) {
      s.targets.push_back(std::move(first));
      return s;
    }
    const bool plain = at("=");
    constexpr std::string_view kInPlace[] = {
        "+=", "-=", "*=", "//=", "/=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="};
    for (const std::string_view op : std::span<const std::string_view>(kInPlace, plain ? 0 : std::size(kInPlace))) {
      if (!take(op)) continue;
      s.in_place = op.substr(0, op.size() - 1);
      s.targets.push_back(std::move(first));
      s.value = expressions();
      return s;
    }
    while (at("=") && !at("==")) {
      take("=");
      s.targets.push_back(std::move(first));
      first = expressions();
    }
    s.value = std::move(first);
    return s;
  }

  /// Parses `a, b, c` without brackets as a tuple.
  Expr expressions() {
    Expr first = expression(0);
    if (!at(",")) return first;
    Expr tuple = make(Expr::Kind::Tuple, first.begin);
    tuple.items.push_back(std::move(first));
    while (take(",")) {
      if (!more() || at("=") || at(";") || at(")")) break;
      tuple.items.push_back(expression(0));
    }
    return done(std::move(tuple));
  }

  static Expr make(Expr::Kind kind, size_t begin, std::string text = {}) {
    Expr e;
    e.kind = kind;
    e.begin = begin;
    e.text = std::move(text);
    return e;
  }
  Expr done(Expr e) const {
    e.end = at_;
    return e;
  }

  Expr expression(int depth) { return binary(0, depth); }

  /// Returns the operator of this level at the current place, empty if there is none.
  std::string_view operator_of(int level) {
    for (const std::string_view op : kLevels[level].ops) {
      if (op.empty() || !at(op)) continue;
      const std::string_view rest = text_.substr(at_);
      if ((op == "*" && rest.starts_with("**")) || (op == "/" && rest.starts_with("//"))) continue;
      if ((op == "<" && rest.starts_with("<<")) || (op == ">" && rest.starts_with(">>"))) continue;
      if (op == "-" && rest.starts_with("->")) continue;
      if (!begins_name(op[0]) && op.back() != '=' && rest.substr(op.size()).starts_with('=') &&
          !rest.substr(op.size()).starts_with("==")) {
        if (op != "<" && op != ">") continue;  // an augmented assignment, for example `a += b`
      }
      if ((op == "<<" || op == ">>" || op == "//") && rest.substr(2).starts_with('=')) continue;
      return op;
    }
    return {};
  }

  /// Returns the binary operator at the current place with at least the precedence `level`. Sets `level` to its
  /// precedence.
  std::string_view operator_at(int& level) {
    const char c = peek();
    if (c == ',' || c == ')' || c == ']' || c == ':' || c == ';' || c == '\0') return {};
    if (c == '=' && !text_.substr(at_).starts_with("==")) return {};
    if (std::string_view("=!<>|^&+-*/%@aoi").find(c) == std::string_view::npos) return {};
    for (int l = level; l < kLevelCount; ++l) {
      if (const std::string_view op = operator_of(l); !op.empty()) {
        level = l;
        return op;
      }
    }
    return {};
  }

  Expr binary(int least, int depth) {
    if (depth > kMaxDepth) fail_argument("column {}: brackets are nested more than {} deep", at_ + 1, kMaxDepth);
    Expr left = unary(depth);
    for (int chained = 0;; ++chained) {
      int level = least;
      const std::string_view op = operator_at(level);
      if (op.empty()) return left;
      if (chained >= kMaxDepth) fail_argument("column {}: more than {} operators in a row", at_ + 1, kMaxDepth);
      at_ += op.size();
      Expr e = make(Expr::Kind::Binary, left.begin, std::string(op));
      e.items.push_back(std::move(left));
      e.items.push_back(binary(level + 1, depth));
      left = done(std::move(e));
    }
  }

  Expr unary(int depth) {
    if (depth > kMaxDepth) fail_argument("column {}: operators are nested more than {} deep", at_ + 1, kMaxDepth);
    const char c = peek();
    constexpr std::string_view kSigns[] = {"-", "+", "~", "not"};
    const bool may = c == '-' || c == '+' || c == '~' || c == 'n';
    for (const std::string_view op : std::span<const std::string_view>(kSigns, may ? std::size(kSigns) : 0)) {
      if (!at(op)) continue;
      Expr e = make(Expr::Kind::Unary, at_, std::string(op));
      at_ += op.size();
      e.items.push_back(unary(depth + 1));
      return done(std::move(e));
    }
    Expr base = postfix(depth);
    if (!at("**")) return base;
    take("**");
    Expr e = make(Expr::Kind::Binary, base.begin, "**");
    e.items.push_back(std::move(base));
    e.items.push_back(unary(depth + 1));
    return done(std::move(e));
  }

  Expr postfix(int depth) {
    Expr e = atom(depth);
    for (int links = 0;; ++links) {
      if (links > kMaxDepth) fail_argument("column {}: a chain of more than {} calls", at_ + 1, kMaxDepth);
      if (take(".")) {
        if (e.kind == Expr::Kind::Attribute && e.items[0].is_name("torch")) {
          e.text += '.';
          e.text += name();
          e.end = at_;
          continue;
        }
        Expr attribute = make(Expr::Kind::Attribute, e.begin, name());
        attribute.items.push_back(std::move(e));
        e = done(std::move(attribute));
      } else if (at("(")) {
        e = call(std::move(e), depth + 1);
      } else if (take("[")) {
        Expr index = make(Expr::Kind::Index, e.begin);
        index.items.push_back(std::move(e));
        index.items.push_back(subscript(depth + 1));
        expect("]");
        e = done(std::move(index));
      } else {
        return e;
      }
    }
  }

  Expr call(Expr callee, int depth) {
    Expr e = make(Expr::Kind::Call, callee.begin);
    e.items.reserve(4);
    e.items.push_back(std::move(callee));
    expect("(");
    while (!take(")")) {
      if (at("*")) refuse("unpacks an argument, which is not read");
      Expr item = expression(depth);
      std::string keyword;
      if (at("=") && !at("==") && item.kind == Expr::Kind::Name) {
        take("=");
        keyword = std::move(item.text);
        item = expression(depth);
      }
      e.items.push_back(std::move(item));
      if (!keyword.empty() || !e.keywords.empty()) {
        e.keywords.resize(e.items.size() - 1);
        e.keywords.back() = std::move(keyword);
      }
      if (!at(")")) expect(",");
    }
    return done(std::move(e));
  }

  Expr none(size_t begin) { return done(make(Expr::Kind::Name, begin, "None")); }

  Expr one_subscript(int depth) {
    const size_t begin = at_;
    Expr first = at(":") ? none(begin) : expression(depth);
    if (!at(":")) return first;
    Expr slice = make(Expr::Kind::Slice, begin);
    slice.items.push_back(std::move(first));
    for (int part = 0; part < 2; ++part) {
      const bool there = take(":") && !at(":") && !at(",") && !at("]");
      slice.items.push_back(there ? expression(depth) : none(at_));
    }
    return done(std::move(slice));
  }

  Expr subscript(int depth) {
    Expr first = one_subscript(depth);
    if (!at(",")) return first;
    Expr tuple = make(Expr::Kind::Tuple, first.begin);
    tuple.items.push_back(std::move(first));
    while (take(",")) {
      if (at("]")) break;
      tuple.items.push_back(one_subscript(depth));
    }
    return done(std::move(tuple));
  }

  Expr items_until(Expr e, std::string_view close, bool& comma, int depth) {
    while (!take(close)) {
      e.items.push_back(expression(depth));
      if (!at(close)) {
        expect(",");
        comma = true;
      }
    }
    return done(std::move(e));
  }

  Expr atom(int depth) {
    skip();
    const size_t begin = at_;
    if (at_ >= text_.size()) refuse("");
    const char c = text_[at_];
    bool comma = false;
    if (take("(")) {
      Expr e = items_until(make(Expr::Kind::Tuple, begin), ")", comma, depth + 1);
      if (e.items.size() == 1 && !comma) {
        Expr inner = std::move(e.items[0]);  // one expression in parentheses, which is no tuple
        inner.begin = begin;
        return done(std::move(inner));
      }
      return e;
    }
    if (take("[")) return items_until(make(Expr::Kind::List, begin), "]", comma, depth + 1);
    if (take("{")) {
      Expr e = make(Expr::Kind::Dict, begin);
      while (!take("}")) {
        e.items.push_back(expression(depth + 1));
        expect(":");
        e.items.push_back(expression(depth + 1));
        if (!at("}")) expect(",");
      }
      return done(std::move(e));
    }
    if (c == '"' || c == '\'') return string(begin);
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number(begin);
    if (take("...")) return done(make(Expr::Kind::Name, begin, "Ellipsis"));
    if (begins_name(c)) {
      std::string word = name();
      if (word == "lambda" || word == "await" || word == "yield") {
        at_ = begin;
        refuse("is code, which is not read");
      }
      return done(make(Expr::Kind::Name, begin, std::move(word)));
    }
    refuse("where a value is expected");
  }

  Expr string(size_t begin) {
    const size_t end = string_end(text_, at_);
    if (end == text_.npos) fail_argument("column {}: a text in quotes is not closed", at_ + 1);
    const std::string_view inside = text_.substr(begin + 1, end - begin - 2);
    std::string value;
    const bool plain = inside.find('\\') == inside.npos;
    if (plain) value = inside;
    for (size_t i = begin + 1; !plain && i + 1 < end; ++i) {
      if (text_[i] == '\\' && i + 2 < end) ++i;
      value += text_[i];
    }
    at_ = end;
    return done(make(Expr::Kind::String, begin, std::move(value)));
  }

  Expr number(size_t begin) {
    bool real = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool sign = (c == '+' || c == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && c != '_' && !sign) break;
      real |= c == '.' || c == 'e' || c == 'E';
      ++at_;
    }
    if (at_ < text_.size() && in_name(text_[at_])) {
      at_ = begin;
      refuse("is no number that is read");
    }
    return done(make(real ? Expr::Kind::Float : Expr::Kind::Int, begin, std::string(text_.substr(begin, at_ - begin))));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

namespace {

/// Appends the dotted name of `e` to `out`. Returns false if `e` is no dotted name.
bool append_dotted_name(const Expr& e, std::string& out) {
  const bool gets = e.kind == Expr::Kind::Call && e.items.size() == 3 && e.items[0].is_name("getattr") &&
                    e.items[2].kind == Expr::Kind::String;
  if (gets || e.kind == Expr::Kind::Attribute) {
    if (!append_dotted_name(e.items[gets ? 1 : 0], out)) return false;
    out += '.';
    out += gets ? e.items[2].text : e.text;
    return true;
  }
  if (e.kind == Expr::Kind::Name) out += e.text;
  return e.kind == Expr::Kind::Name;
}

}  // namespace

std::string dotted_name(const Expr& e) {
  std::string out;
  return append_dotted_name(e, out) ? out : std::string();
}

std::vector<PyStatement> parse_statements(std::string_view line) { return Parser(line).statements(); }

PySignature parse_signature(std::string_view line) { return Parser(line).signature(); }

}  // namespace ersatz::pasted
