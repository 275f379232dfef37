#include "tracer/records/call_line.h"

#include <algorithm>
#include <charconv>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/base/one_line.h"
#include "runtime/op/literal.h"
#include "runtime/op/op_name.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/records/record_print.h"
#include "tracer/records/recorded_values.h"

namespace ersatz {
namespace {

constexpr int kMostNestedLists = 8;
constexpr double kFillLow = -2, kFillHigh = 2;  // the default range of operators' sample inputs
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
}

template <class N>
bool parse_number(std::string_view word, N& n) {
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  return !word.empty() && error == std::errc() && rest == word.data() + word.size();
}

/// Parses one element. from_chars accepts `inf` and `nan` too.
template <class T>
bool parse_element(std::string_view word, T& to) {
  if constexpr (std::is_same_v<T, bool>) {
    to = word == "True" || word == "1";
    return to || word == "False" || word == "0";
  } else if constexpr (std::is_integral_v<T>) {
    return parse_number(word, to);
  } else {
    double re = 0, im = 0;
    if (word.starts_with('(')) {
      size_t at = 0;
      const Value v = parse_literal(word, at, {});
      if (at != word.size() || v.kind() != Value::Kind::Complex) return false;
      re = v.as_complex().real(), im = v.as_complex().imag();
      if (!is_complex_element<T> && !is_packed_element<T>) return false;
    } else if (!parse_number(word, re)) {
      return false;
    }
    to = element_of<T>(re, im);
    return true;
  }
}

class LineParser {
 public:
  LineParser(std::string_view text, CallLine& line) : text_(text), line_(line) {}

  void parse() {
    parse_op();
    expect('(', "'(' behind the operator's name");
    parse_arguments();
    line_.call_end = at_;
    skip_blanks();
    if (take("->")) {
      line_.expects = CallLine::Expects::Results;
      parse_results();
    } else if (take("!!")) {
      line_.expects = CallLine::Expects::Error;
      parse_refusal();
    }
    skip_blanks();
    if (take("within")) line_.within = parse_tolerance();
    skip_blanks();
    if (at_ < text_.size()) {
      refuse(line_.expects == CallLine::Expects::Nothing ? "'-> RESULTS' or '!! LABEL FAMILY' behind the call"
                                                         : "the end of the line");
    }
  }

 private:
  void parse_op() {
    const size_t begin = at_;
    while (is_name_char(peek())) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (name.empty()) refuse("a call, like my.op(f32[2,3], [1])");
    const OpEntry* op = registry().find(name);
    if (!op) op = registry().find(name + ".default");
    if (!op) {
      fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}: {}", line_.where, no_operator_named(name));
    }
    line_.record.op = op->name;
    line_.record.id = line_.where;
  }

  void parse_arguments() {
    skip_blanks();
    while (peek() != ')') {
      RecordedArgument a;
      const size_t begin = at_;
      while (is_name_char(peek()) && peek() != '.') ++at_;
      const size_t end = at_;
      skip_blanks();
      if (end > begin && peek() == '=' && text_.substr(end, at_ - end).empty()) {
        ++at_;
        const std::string name(text_.substr(begin, end - begin));
        a = parse_argument(0);
        a.name = name;
      } else {
        at_ = begin;
        a = parse_argument(0);
        if (!line_.record.args.empty() && !line_.record.args.back().name.empty())
          refuse("a keyword, since one came before");
      }
      line_.record.args.push_back(std::move(a));
      skip_blanks();
      if (peek() == ',') {
        ++at_;
        skip_blanks();
      } else if (peek() != ')') {
        refuse("',' or ')' behind an argument");
      }
    }
    ++at_;
  }

  RecordedArgument parse_argument(int depth) {
    skip_blanks();
    RecordedArgument a;
    if (starts_meta()) {
      a.kind = RecordedArgument::Kind::Tensor;
      a.tensor = parse_tensor_argument();
    } else if (const int number = parse_reference(); number >= 0) {
      a.kind = RecordedArgument::Kind::Tensor;
      a.tensor = static_cast<int>(tensors().size());
      RecordedTensor same = tensors()[static_cast<size_t>(number)];
      same.is = number;
      tensors().push_back(std::move(same));
    } else if (peek() == '[' && list_has_tensors()) {
      if (depth >= kMostNestedLists) refuse(fmt::format("lists nested at most {} deep", kMostNestedLists));
      a.kind = RecordedArgument::Kind::List;
      ++at_;
      for (skip_blanks(); peek() != ']'; skip_blanks()) {
        a.items.push_back(parse_argument(depth + 1));
        skip_blanks();
        if (peek() == ',') {
          ++at_;
        } else if (peek() != ']') {
          refuse("',' or ']' in a list");
        }
      }
      ++at_;
    } else {
      a.literal = parse_plain();
    }
    return a;
  }

  Value parse_plain() {
    // The end of the literal is found first, because the literal parser fails at text that it does not know.
    size_t end = at_;
    int depth = 0;
    bool quoted = false;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      if (c == '"' && text_[end - 1] != '\\') quoted = !quoted;
      if (quoted) continue;
      if (c == '(' || c == '[') ++depth;
      if ((c == ')' || c == ']') && --depth < 0) break;
      if (c == ',' && depth == 0) break;
    }
    size_t taken = 0;
    try {
      const Value v = parse_literal(text_.substr(at_, end - at_), taken, {});
      at_ += taken;
      return v;
    } catch (const Error& e) {
      fail_argument("{}: {}", line_.where, e.message);
    }
  }

  /// Returns whether the list that begins here contains a tensor.
  bool list_has_tensors() const {
    int depth = 0;
    for (size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '[') ++depth;
      if (text_[i] == ']' && --depth == 0) return false;
      if (i > at_ && (starts_meta(i) || starts_reference(i)) && !is_name_char(text_[i - 1])) return true;
    }
    return false;
  }

  int parse_tensor_argument() {
    const MetaText meta = parse_meta_here();
    RecordedTensor t;
    t.meta = meta.meta;
    t.storage = static_cast<int64_t>(tensors().size());
    const int64_t needed = storage_bytes_needed(t.meta).as_int();
    t.nbytes = meta.storage_bytes ? meta.storage_bytes->as_int() : needed;
    if (t.nbytes < needed) refuse(fmt::format("a storage of at least {} bytes", needed));
    if (t.nbytes > kMaxRecordStorage) refuse(fmt::format("storages of at most {} bytes", kMaxRecordStorage));
    if (t.meta.numel().as_int() > kMaxRecordElements) refuse(fmt::format("at most {} elements", kMaxRecordElements));
    if (!meta.alias.empty()) {
      const int base = argument_named(meta.alias);
      t.storage = tensors()[static_cast<size_t>(base)].storage;
      for (RecordedTensor& other : tensors()) {
        if (other.storage == t.storage) t.nbytes = other.nbytes = std::max(t.nbytes, other.nbytes);
      }
    }
    if (take_equals()) {
      parse_elements(t);
    } else if (meta.alias.empty()) {
      TensorMeta here = t.meta;
      here.device = kCPU;
      const Tensor filled = make_sample_tensor(here);
      fill_random(filled, kFillLow, kFillHigh, tensors().size() + 1);
      keep_elements(filled, t);
    }
    tensors().push_back(std::move(t));
    return static_cast<int>(tensors().size()) - 1;
  }

  void parse_elements(RecordedTensor& t) {
    t.has_values = true;
    const auto wanted = static_cast<size_t>(t.meta.numel().as_int());
    dispatch_dtype<kEveryDType>(t.meta.dtype, [&]<class T>() {
      size_t n = 0;
      const auto add = [&](const T& v) {
        if (++n > wanted) return;
        const auto* bytes = reinterpret_cast<const std::byte*>(&v);
        t.values.insert(t.values.end(), bytes, bytes + sizeof v);
      };
      for (std::string_view word = next_element(); !word.empty(); word = next_element()) {
        T v{};
        int64_t first = 0, last = 0, count = 0;
        const size_t dots = word.find(".."), star = word.find('*');
        if (dots != word.npos) {
          if (!parse_number(word.substr(0, dots), first) || !parse_number(word.substr(dots + 2), last) || last < first)
            refuse_element("a range like 0..5", word);
          for (int64_t i = first; i <= last && n <= wanted; ++i) {
            if (!parse_element<T>(std::to_string(i), v))
              refuse_element(fmt::format("elements of {}", name(t.meta.dtype)), word);
            add(v);
          }
        } else {
          if (star != word.npos && (!parse_number(word.substr(star + 1), count) || count < 1))
            refuse_element("an element and its count, like 1.5*64", word);
          if (!parse_element<T>(word.substr(0, star), v))
            refuse_element(fmt::format("an element of {}", name(t.meta.dtype)), word);
          for (int64_t i = 0; i < std::max<int64_t>(count, 1) && n <= wanted; ++i) add(v);
        }
      }
      if (n != wanted) {
        refuse(fmt::format("{} elements, not {}", wanted, n > wanted ? "more" : std::to_string(n)));
      }
    });
  }

  /// Returns the next word in a list of elements; empty if the list ends.
  std::string_view next_element() {
    skip_blanks();
    const size_t begin = at_;
    if (peek() == '(') {
      const size_t close = text_.find(')', at_);
      if (close == text_.npos) refuse("')'");
      at_ = close + 1;
    }
    while (at_ < text_.size() && !is_blank(peek()) && std::string_view(",)];").find(peek()) == std::string_view::npos)
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word != "within") return word;
    at_ = begin;
    return {};
  }

  void parse_results() {
    skip_blanks();
    if (take("()")) {
      skip_blanks();
    } else if (peek() != ';') {
      do {
        skip_blanks();
        while (peek() == '[') ++at_;  // nested lists are flattened; the schema restores them
        skip_blanks();
        if (peek() != ']') line_.results.push_back(parse_leaf());
        skip_blanks();
        while (peek() == ']') {
          ++at_;
          skip_blanks();
        }
      } while (take(","));
    }
    if (!take(";")) return;
    do {
      skip_blanks();
      line_.after.push_back(parse_leaf());
      if (line_.after.back().argument < 0) refuse("an argument afterwards, like in0 = 1 2 3");
      skip_blanks();
    } while (take(","));
  }

  ExpectedLeaf parse_leaf() {
    ExpectedLeaf e;
    if (const int number = parse_reference(); number >= 0) {
      e.argument = number;
      e.leaf.kind = RecordedResult::Kind::Tensor;
      e.leaf.tensor = tensors()[static_cast<size_t>(number)];
      e.leaf.tensor.values.clear();
      e.leaf.tensor.has_values = false;
      skip_blanks();
      if (starts_meta()) {
        e.has_meta = true;
        e.leaf.tensor.meta = parse_meta_here().meta;
      }
    } else if (starts_meta()) {
      e.has_meta = true;
      e.leaf.kind = RecordedResult::Kind::Tensor;
      const MetaText meta = parse_meta_here();
      e.leaf.tensor.meta = meta.meta;
      e.leaf.tensor.storage =
          meta.alias.empty() ? -1 : tensors()[static_cast<size_t>(argument_named(meta.alias))].storage;
    } else {
      const Value v = parse_plain_result();
      e.leaf.kind = v.is_none() ? RecordedResult::Kind::None : RecordedResult::Kind::Number;
      e.leaf.number = v;
      return e;
    }
    if (take_equals()) parse_elements(e.leaf.tensor);
    return e;
  }

  Value parse_plain_result() {
    size_t end = text_.find_first_of(" \t,;]", at_);
    if (end == text_.npos) end = text_.size();
    size_t taken = 0;
    try {
      const Value v = parse_literal(text_.substr(at_, end - at_), taken, {});
      at_ += taken;
      return v;
    } catch (const Error&) {
      refuse("a result: metadata like f32[2,3], in0, a number or None");
    }
  }

  void parse_refusal() {
    static constexpr ErrorFamily families[] = {ErrorFamily::Index, ErrorFamily::Type, ErrorFamily::Value,
                                               ErrorFamily::Runtime, ErrorFamily::NotImplemented};
    for (int words = 0; words < 2; ++words) {
      skip_blanks();
      const size_t begin = at_;
      while (at_ < text_.size() && !is_blank(peek()) && peek() != '"') ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      for (const ErrorFamily f : families) {
        if (word != name(f)) continue;
        line_.family = f;
        skip_blanks();
        if (peek() == '"') line_.words = std::string(parse_plain().as_string());
        return;
      }
      if (words > 0 || word.empty()) break;
      line_.label = word;
    }
    refuse("'!! LABEL FAMILY' or '!! FAMILY', where FAMILY is index, type, value, runtime or not_implemented");
  }

  double parse_tolerance() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < text_.size() && !is_blank(peek())) ++at_;
    double d = 0;
    if (!parse_number(text_.substr(begin, at_ - begin), d) || !(d >= 0)) refuse("a tolerance like within 1e-4");
    return d;
  }

  /// Parses `in0` and returns 0, its number. Returns -1 without moving if there is no name of this form.
  int parse_reference() {
    if (!starts_reference(at_)) return -1;
    size_t end = at_;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    const int number = argument_named(text_.substr(at_, end - at_));
    at_ = end;
    return number;
  }

  int argument_named(std::string_view name) const {
    size_t n = 0;
    if (!name.starts_with(kArgumentName) || !parse_number(name.substr(2), n) || n >= tensors().size()) {
      refuse(fmt::format("a tensor of the call's arguments: in0 is the first, and there are {} before {}",
                         tensors().size(), one_line(name)));
    }
    return static_cast<int>(n);
  }

  MetaText parse_meta_here() {
    size_t taken = 0;
    try {
      const MetaText meta = parse_meta_prefix(text_.substr(at_), taken);
      at_ += taken;
      return meta;
    } catch (const Error& e) {
      fail_argument("{}: {}", line_.where, e.message);
    }
  }

  bool starts_meta() const { return starts_meta(at_); }
  bool starts_meta(size_t at) const {
    size_t end = at;
    while (end < text_.size() && end - at < 32 && is_name_char(text_[end])) ++end;
    return end < text_.size() && end > at && text_[end] == '[' && parse_dtype(text_.substr(at, end - at));
  }
  bool starts_reference(size_t at) const {
    const std::string_view rest = text_.substr(std::min(at, text_.size()));
    if (!rest.starts_with(kArgumentName) || rest.size() < 3 || rest[2] < '0' || rest[2] > '9') return false;
    const size_t end = rest.find_first_not_of("0123456789", 2);
    return end == rest.npos || !is_name_char(rest[end]);
  }

  bool take_equals() {
    const size_t before = at_;
    skip_blanks();
    if (peek() == '=') return ++at_, true;
    at_ = before;
    return false;
  }
  bool take(std::string_view word) {
    const bool there = text_.substr(at_).starts_with(word);
    if (there) at_ += word.size();
    return there;
  }
  void expect(char c, std::string_view words) {
    skip_blanks();
    if (peek() != c) refuse(words);
    ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }
  std::vector<RecordedTensor>& tensors() { return line_.record.tensors; }
  const std::vector<RecordedTensor>& tensors() const { return line_.record.tensors; }

  [[noreturn]] void refuse_element(std::string_view expected, std::string_view word) const {
    refuse(fmt::format("{}, not '{}'", expected, one_line(word.substr(0, 40))));
  }
  [[noreturn]] void refuse(std::string_view expected) const {
    const std::string_view rest = text_.substr(std::min(at_, text_.size()));
    fail_argument("{}: expected {}{}", line_.where, expected,
                  rest.empty() ? ", at the line's end" : fmt::format(", before '{}'", one_line(rest.substr(0, 40))));
  }

  std::string_view text_;
  size_t at_ = 0;
  CallLine& line_;
};

}  // namespace

std::string_view CallLine::expectation() const {
  const std::string_view rest = std::string_view(text).substr(call_end);
  const size_t begin = rest.find_first_not_of(" \t");
  return begin == rest.npos ? std::string_view() : rest.substr(begin);
}

size_t comment_begin(std::string_view line) {
  size_t end = 0;
  bool quoted = false;
  for (; end < line.size(); ++end) {
    if (line[end] == '"' && (end == 0 || line[end - 1] != '\\')) quoted = !quoted;
    if (line[end] == '#' && !quoted) break;
  }
  while (end > 0 && is_blank(line[end - 1])) --end;
  return end;
}

std::vector<CallLine> parse_call_lines(std::string_view text, const std::string& file) {
  std::vector<CallLine> lines;
  int64_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    line = line.substr(0, comment_begin(line));
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos) continue;
    CallLine& parsed = lines.emplace_back();
    parsed.where = fmt::format("{}:{}", file, number);
    parsed.number = number;
    parsed.text = line.substr(begin);
    if (parsed.text.size() > kMaxRecordLine)
      fail_argument("{}: the line is longer than {} bytes", parsed.where, kMaxRecordLine);
    LineParser(parsed.text, parsed).parse();
  }
  return lines;
}

}  // namespace ersatz
