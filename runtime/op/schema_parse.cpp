// The parser of schemas, by recursive descent. Its input is not trusted: the length of every list is bounded. Every
// error message contains the position in the text.
#include <charconv>

#include "runtime/op/schema.h"

namespace ersatz {

namespace {

constexpr size_t kMaxText = 64 * 1024;
constexpr size_t kMaxArguments = 256;
constexpr size_t kMaxWraps = 8;
constexpr size_t kMaxListDefault = 64;
constexpr int kMaxFixedSize = 4096;

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

struct NamedType {
  std::string_view name;
  BaseType type;
};
constexpr NamedType kTypes[] = {
    {"Tensor", BaseType::Tensor},
    {"int", BaseType::Int},
    {"SymInt", BaseType::SymInt},
    {"float", BaseType::Float},
    {"bool", BaseType::Bool},
    {"Scalar", BaseType::Scalar},
    {"str", BaseType::String},
    {"ScalarType", BaseType::ScalarType},
    {"Layout", BaseType::Layout},
    {"Device", BaseType::Device},
    {"MemoryFormat", BaseType::MemoryFormat},
    {"Generator", BaseType::Generator},
    {"Dimname", BaseType::Dimname},
    {"Storage", BaseType::Storage},
    {"Stream", BaseType::Stream},
    {"SymBool", BaseType::SymBool},
    {"Any", BaseType::Any},
};

/// Returns the default value for a word of the schema language; nullopt if the word is unknown. Reductions have the
/// numbers of ATen's `Reduction` enum.
std::optional<Value> default_word(std::string_view word) {
  if (word == "None") return Value();
  if (word == "True" || word == "true") return Value(true);
  if (word == "False" || word == "false") return Value(false);
  if (word == "inf") return Value(std::numeric_limits<double>::infinity());
  if (word == "nan") return Value(std::numeric_limits<double>::quiet_NaN());
  if (word == "contiguous_format") return Value(MemoryFormat::Contiguous);
  if (word == "preserve_format") return Value(MemoryFormat::Preserve);
  if (word == "channels_last") return Value(MemoryFormat::ChannelsLast);
  if (word == "channels_last_3d") return Value(MemoryFormat::ChannelsLast3d);
  if (word == "strided") return Value(Layout::Strided);
  if (word == "Mean") return Value(1);
  if (word == "Sum") return Value(2);
  if (word == "cpu") return Value(kCPU);
  if (word == "cuda") return Value(Device{DeviceType::CUDA, -1});
  if (word == "meta") return Value(kMeta);
  if (word == "float") return Value(DType::F32);
  if (word == "double") return Value(DType::F64);
  if (word == "half") return Value(DType::F16);
  if (word == "int") return Value(DType::I32);
  if (word == "long") return Value(DType::I64);
  if (auto dtype = parse_dtype(word)) return Value(*dtype);
  return std::nullopt;
}

class SchemaParser {
 public:
  explicit SchemaParser(std::string_view text) : text_(text) {}

  FunctionSchema parse() {
    if (text_.size() > kMaxText) {
      fail_argument("schema: at most {} characters, not {}", kMaxText, text_.size());
    }
    FunctionSchema schema;
    parse_name(schema);
    parse_arguments(schema);
    expect("->");
    parse_returns(schema);
    skip_blanks();
    if (at_ != text_.size()) refuse("nothing more");
    return schema;
  }

 private:
  void parse_name(FunctionSchema& schema) {
    schema.ns = name("a namespace");
    expect_tight("::", "'::' and the op's name");
    schema.base = name("the op's name");
    if (peek() == '.') {
      ++at_;
      schema.overload = name("an overload's name");
    }
  }

  void parse_arguments(FunctionSchema& schema) {
    expect("(");
    if (accept(")")) return;
    bool keyword_only = false;
    bool star_last = false;
    do {
      if (accept("*")) {
        if (keyword_only) refuse("one '*' only");
        keyword_only = star_last = true;
        continue;
      }
      if (schema.arguments.size() == kMaxArguments) refuse(fmt::format("at most {} arguments", kMaxArguments));
      star_last = false;
      size_t start = at_;
      Argument a = parse_typed();
      skip_blanks();
      a.name = name("an argument's name");
      if (schema.find_argument(a.name) >= 0) {
        at_ = start;
        refuse(fmt::format("another name than '{}', which is taken", a.name));
      }
      a.keyword_only = keyword_only;
      parse_default(a);
      schema.arguments.push_back(std::move(a));
    } while (accept(","));
    if (star_last) refuse("an argument behind '*'");
    expect(")");
  }

  void parse_returns(FunctionSchema& schema) {
    skip_blanks();
    if (!accept("(")) {
      schema.returns.push_back(parse_return());
      return;
    }
    schema.returns_in_parentheses = true;
    if (accept(")")) return;
    do {
      if (schema.returns.size() == kMaxArguments) refuse(fmt::format("at most {} returns", kMaxArguments));
      schema.returns.push_back(parse_return());
    } while (accept(","));
    expect(")");
  }

  Argument parse_return() {
    Argument a = parse_typed();
    skip_blanks();
    if (is_name_start(peek())) a.name = name("a return's name");
    return a;
  }

  /// Parses a type and its alias annotation.
  Argument parse_typed() {
    skip_blanks();
    size_t start = at_;
    std::string word = name("a type");
    Argument a;
    bool known = false;
    for (const NamedType& t : kTypes) {
      if (t.name == word) a.type.base = t.type, known = true;
    }
    if (!known) {
      at_ = start;
      refuse(fmt::format("a type (Tensor, int, SymInt, float, bool, Scalar, str, ...), not '{}'", word));
    }
    if (peek() == '(') parse_alias(a.alias.emplace());
    parse_wraps(a.type);
    a.ready_kinds = ready_kinds(a.type);
    return a;
  }

  void parse_alias(AliasInfo& alias) {
    expect("(");
    parse_sets(alias.before, &alias.is_write);
    if (accept("->")) {
      alias.has_arrow = true;
      parse_sets(alias.after, nullptr);
    } else {
      alias.after = alias.before;
    }
    expect(")");
  }

  void parse_sets(std::vector<std::string>& sets, bool* is_write) {
    do {
      skip_blanks();
      if (sets.size() == kMaxWraps) refuse(fmt::format("at most {} alias sets", kMaxWraps));
      if (accept("*")) {
        sets.push_back("*");
      } else {
        sets.push_back(name("an alias set"));
      }
      if (is_write && accept("!")) *is_write = true;
    } while (accept("|"));
  }

  void parse_wraps(SchemaType& type) {
    while (peek() == '?' || peek() == '[') {
      if (type.wraps.size() == kMaxWraps) refuse(fmt::format("at most {} of '?' and '[]'", kMaxWraps));
      SchemaType::Wrap wrap{SchemaType::Wrap::Kind::Optional};
      if (text_[at_++] == '[') {
        wrap.kind = SchemaType::Wrap::Kind::List;
        if (peek() != ']') wrap.fixed_size = fixed_size();
        expect_tight("]", "']'");
      }
      type.wraps.push_back(wrap);
    }
  }

  int fixed_size() {
    int n = 0;
    size_t start = at_;
    while (peek() >= '0' && peek() <= '9') {
      n = n * 10 + (text_[at_++] - '0');
      if (n > kMaxFixedSize) refuse(fmt::format("a list size up to {}", kMaxFixedSize));
    }
    if (at_ == start || (text_[start] == '0' && at_ - start > 1)) refuse("a list size");
    return n;
  }

  void parse_default(Argument& a) {
    if (!accept("=")) return;
    skip_blanks();
    size_t start = at_;
    Value value = literal(0);
    a.default_text = std::string(text_.substr(start, at_ - start));
    if (!convert_value(a.type, value)) {
      at_ = start;
      refuse(fmt::format("a default of type {}, not {}", to_string(a.type), a.default_text));
    }
    a.default_value = std::move(value);
  }

  Value literal(int depth) {
    skip_blanks();
    char c = peek();
    if (c == '[') return list(depth);
    if (c == '"' || c == '\'') return string();
    if (is_name_start(c)) {
      size_t start = at_;
      std::string word = name("a default");
      if (auto v = default_word(word)) return *v;
      at_ = start;
      refuse(fmt::format("a known word as default, not '{}'", word));
    }
    return number();
  }

  Value list(int depth) {
    if (depth == 1) refuse("a list that is not nested");
    ++at_;
    std::vector<Value> items;
    if (!accept("]")) {
      do {
        if (items.size() == kMaxListDefault) refuse(fmt::format("at most {} items", kMaxListDefault));
        items.push_back(literal(depth + 1));
      } while (accept(","));
      expect("]");
    }
    return Value::packed(items);
  }

  /// Parses text in single or double quotes. A backslash escapes a quote or a backslash.
  Value string() {
    const char quote = text_[at_++];
    std::string body;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
        if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\'' && text_[at_] != '\\')) {
          refuse("a quote or a backslash behind the backslash");
        }
      }
      body += text_[at_];
    }
    if (at_ == text_.size()) refuse("a closing quote");
    ++at_;
    return Value(std::string_view(body));
  }

  Value number() {
    size_t start = at_;
    bool is_float = false;
    if (peek() == '-' || peek() == '+') ++at_;
    if (text_.substr(at_).starts_with("inf")) {
      at_ += 3;
      double inf = std::numeric_limits<double>::infinity();
      return Value(text_[start] == '-' ? -inf : inf);
    }
    while (at_ < text_.size()) {
      char c = text_[at_];
      bool exponent_sign = (c == '-' || c == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (c == '.' || c == 'e' || c == 'E') {
        is_float = true;
      } else if ((c < '0' || c > '9') && !exponent_sign) {
        break;
      }
      ++at_;
    }
    std::string_view digits = text_.substr(start, at_ - start);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const char* end = digits.data() + digits.size();
    if (is_float) {
      double d = 0;
      auto [rest, error] = std::from_chars(digits.data(), end, d);
      if (error == std::errc() && rest == end) return Value(d);
    } else {
      int64_t i = 0;
      auto [rest, error] = std::from_chars(digits.data(), end, i);
      if (error == std::errc() && rest == end) return Value(i);
    }
    at_ = start;
    refuse("a default (number, text, list, None, True, False)");
  }

  /// Returns one bit for each Value::Kind that the type accepts without conversion and without a check of list items.
  static uint32_t ready_kinds(const SchemaType& type) {
    auto bit = [](Value::Kind k) { return 1u << static_cast<int>(k); };
    uint32_t kinds = type.is_optional() ? bit(Value::Kind::None) : 0;
    bool is_int = type.base == BaseType::Int || type.base == BaseType::SymInt;
    size_t lists = 0;
    for (const SchemaType::Wrap& w : type.wraps) lists += w.kind == SchemaType::Wrap::Kind::List;
    if (lists > 0) return is_int && lists == 1 && !type.element_optional() ? kinds | bit(Value::Kind::IntList) : kinds;
    uint32_t numbers =
        bit(Value::Kind::Bool) | bit(Value::Kind::Int) | bit(Value::Kind::Float) | bit(Value::Kind::Complex);
    switch (type.base) {
      case BaseType::Tensor:
        return kinds | numbers | bit(Value::Kind::Tensor);
      case BaseType::Int:
      case BaseType::SymInt:
        return kinds | bit(Value::Kind::Int);
      case BaseType::Float:
        return kinds | bit(Value::Kind::Float);
      case BaseType::Bool:
      case BaseType::SymBool:
        return kinds | bit(Value::Kind::Bool);
      case BaseType::Scalar:
        return kinds | numbers;
      case BaseType::String:
      case BaseType::Dimname:
        return kinds | bit(Value::Kind::String);
      case BaseType::ScalarType:
        return kinds | bit(Value::Kind::DType);
      case BaseType::Layout:
        return kinds | bit(Value::Kind::Layout);
      case BaseType::Device:
        return kinds | bit(Value::Kind::Device);
      case BaseType::MemoryFormat:
        return kinds | bit(Value::Kind::MemoryFormat);
      case BaseType::Generator:
        return kinds | bit(Value::Kind::Generator);
      case BaseType::Storage:
      case BaseType::Stream:
      case BaseType::Any:
        return kinds;
    }
    return kinds;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) refuse(fmt::format("'{}'", token));
  }
  void expect_tight(std::string_view token, std::string_view what) {
    if (!text_.substr(at_).starts_with(token)) refuse(what);
    at_ += token.size();
  }
  std::string name(std::string_view what) {
    if (!is_name_start(peek())) refuse(what);
    size_t start = at_;
    while (is_name_char(peek())) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    size_t from = at_ < 24 ? 0 : at_ - 24;
    fail_argument("schema: expected {} at position {} of {}, near '{}'", printable(expected), at_, text_.size(),
                  printable(text_.substr(from, 48)));
  }

  /// Returns a user's text with each unprintable character as `?`, because an error message is one line.
  static std::string printable(std::string_view text) {
    std::string line(text);
    for (char& c : line) {
      if (c < 0x20 || c > 0x7e) c = '?';
    }
    return line;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

FunctionSchema parse_schema(std::string_view text) { return SchemaParser(text).parse(); }

}  // namespace ersatz
