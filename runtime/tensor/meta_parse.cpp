// The parser of the text form of metadata. Its input is not trusted, so every length and number is checked.
#include <charconv>

#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

constexpr size_t kMaxDims = 1024;
constexpr size_t kMaxName = 4096;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_name(char c) {
  return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

class Parser {
 public:
  Parser(std::string_view text, ShapeEnv* env) : text_(text), env_(env) {}

  MetaText parse() {
    MetaText out;
    TensorMeta& m = out.meta;
    m.dtype = parse_dtype_name();
    parse_list('[', ']', "size", m.sizes);
    size_t at = at_;
    if (peek() == '{') {
      parse_list('{', '}', "stride", m.strides);
      if (m.strides.size() != m.sizes.size())
        refuse(at, fmt::format("as many strides as sizes are needed ({} vs {})", m.strides.size(), m.sizes.size()));
    } else {
      m.strides = row_major(m.sizes);
    }
    if (take('+')) m.offset = parse_offset();
    if (peek() == '@') m.device = parse_device_name();
    m.conj = take_word(" conj");
    m.neg = take_word(" neg");
    m.requires_grad = take_word(" grad");
    check_extent(m);
    if (take(" storage=")) {
      at = at_;
      out.storage_bytes = parse_bytes();
      check_storage(m, *out.storage_bytes, at);
    }
    if (rest().starts_with(" ~")) parse_alias(out);
    return out;
  }
  size_t position() const { return at_; }

  [[noreturn]] void refuse(size_t at, std::string_view rule) const {
    fail_argument("metadata: {}: at {} of '{}'", rule, at, shown());
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool take_word(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    if (at_ + word.size() < text_.size() && is_name(text_[at_ + word.size()])) return false;
    at_ += word.size();
    return true;
  }
  std::string shown() const {
    std::string s(text_.substr(0, 120));
    for (char& c : s)
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    return text_.size() > 120 ? s + "..." : s;
  }

  DType parse_dtype_name() {
    size_t end = at_;
    while (end < text_.size() && (is_lower(text_[end]) || is_digit(text_[end]) || text_[end] == '_')) ++end;
    std::optional<DType> t = parse_dtype(text_.substr(at_, end - at_));
    if (!t) refuse(at_, "a dtype such as f32 is needed");
    at_ = end;
    return *t;
  }

  Device parse_device_name() {
    take('@');
    size_t end = at_;
    while (end < text_.size() && is_lower(text_[end])) ++end;
    if (end + 1 < text_.size() && text_[end] == ':' && is_digit(text_[end + 1])) {
      ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
    }
    std::optional<Device> d = parse_device(text_.substr(at_, end - at_));
    if (!d) refuse(at_, "a device is needed: cpu, cuda, cuda:N, meta, or one of metadata like xpu");
    at_ = end;
    return resolve(*d);
  }

  void parse_list(char open, char close, std::string_view what, DimVec& out) {
    if (!take(open)) refuse(at_, fmt::format("'{}' is needed", open));
    if (take(close)) return;
    const char stops[] = {',', close, '\0'};
    do {
      if (out.size() == kMaxDims) refuse(at_, fmt::format("at most {} dims are taken", kMaxDims));
      out.push_back(parse_value(stops, what));
    } while (take(','));
    if (!take(close)) refuse(at_, fmt::format("'{}' is needed", close));
  }

  /// Parses an offset. If the offset is an expression, the device must follow it.
  SymInt parse_offset() {
    size_t begin = at_;
    std::optional<int64_t> plain = try_number();
    if (plain && (at_ == text_.size() || std::string_view("@ ,])").find(peek()) != std::string_view::npos)) {
      return *plain;
    }
    at_ = begin;
    return parse_value("@", "offset");
  }

  /// Parses a number, or an expression that ends before one of `stops` outside of parentheses. Raises an error for a
  /// negative number.
  SymInt parse_value(std::string_view stops, std::string_view what) {
    size_t begin = at_;
    if (std::optional<int64_t> plain = try_number(); plain && stops.find(peek()) != stops.npos && peek() != '\0')
      return *plain;
    size_t end = begin;
    for (int depth = 0; end < text_.size(); ++end) {
      char c = text_[end];
      if (depth == 0 && stops.find(c) != stops.npos) break;
      if (c == '(') ++depth;
      if (c == ')' && --depth < 0) break;
    }
    at_ = begin;
    if (end == begin) refuse(begin, fmt::format("a {} is needed", what));
    if (!env_) refuse(begin, fmt::format("a {} must be a number from 0 to 2^63-1 (symbols are not taken here)", what));
    SymInt v = env_->parse(text_.substr(begin, end - begin));
    if (v.is_int() && v.as_int() < 0) refuse(begin, fmt::format("a {} must not be negative", what));
    at_ = end;
    return v;
  }

  std::optional<int64_t> try_number() {
    int64_t v = 0;
    if (!is_digit(peek())) return std::nullopt;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (error != std::errc()) refuse(at_, "the number must fit into 64 bits");
    at_ = static_cast<size_t>(end - text_.data());
    return v;
  }

  SymInt parse_bytes() {
    SymInt bytes;
    if (take('(')) {
      bytes = parse_value(")", "storage size");
      if (!take(')')) refuse(at_, "')' is needed");
    } else if (std::optional<int64_t> n = try_number()) {
      bytes = *n;
    } else {
      refuse(at_, "a storage size is needed");
    }
    if (!take('B')) refuse(at_, "a storage size is in bytes and ends in B");
    return bytes;
  }

  void parse_alias(MetaText& out) {
    take(" ~");
    size_t end = at_;
    if (end < text_.size() && text_[end] == '%') ++end;
    size_t first = end;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == first || end - first > kMaxName) refuse(at_, "the name of a value is needed");
    out.alias = text_.substr(at_, end - at_);
    at_ = end;
    if (!take('[')) return;
    size_t begin = at_;
    std::optional<int64_t> from = try_number(), to;
    if (from && take(':')) to = try_number();
    if (!from || !to || !take(')')) refuse(begin, "a byte range is needed: [a:b)");
    if (*from > *to) refuse(begin, "a byte range must not end before it begins");
    out.alias_bytes = {*from, *to};
  }

  DimVec row_major(std::span<const SymInt> sizes) const {
    try {
      return contiguous_strides(sizes);
    } catch (const Error& e) {
      refuse(0, e.message);
    }
  }

  /// Raises unless the byte counts of the elements and of the storage that they need fit in 64 bits (invariant T2 of
  /// tensor_meta.h, for a storage of unknown size).
  void check_extent(const TensorMeta& m) const {
    try {
      for (SymInt s : m.sizes)
        if (s.is_identical(0)) return;
      SymInt last = m.offset;
      for (size_t d = 0; d < m.sizes.size(); ++d) last += (m.sizes[d] - 1) * m.strides[d];
      (void)((last + 1) * item_size(m.dtype));
      (void)(m.numel() * item_size(m.dtype));
    } catch (const Error& e) {
      refuse(0, e.message);
    }
  }

  void check_storage(const TensorMeta& m, SymInt bytes, size_t at) const {  // invariant T2 of tensor_meta.h
    if (m.is_symbolic() || bytes.is_symbolic()) return;
    int64_t needed = storage_bytes_needed(m).as_int();
    if (needed > bytes.as_int())
      refuse(at, fmt::format("the storage must hold every element ({} bytes needed, {} there)", needed, bytes));
  }

  std::string_view text_;
  ShapeEnv* env_;
  size_t at_ = 0;
};

}  // namespace

MetaText parse_meta_prefix(std::string_view text, size_t& taken, ShapeEnv* env) {
  Parser parser(text, env);
  MetaText out = parser.parse();
  taken = parser.position();
  return out;
}

MetaText parse_meta_text(std::string_view text, ShapeEnv* env) {
  Parser parser(text, env);
  MetaText out = parser.parse();
  if (parser.position() != text.size())
    parser.refuse(parser.position(),
                  "nothing more is expected (suffixes: conj, neg, grad, storage=, ~NAME, in this order)");
  return out;
}

TensorMeta parse_meta(std::string_view text, ShapeEnv* env) {
  MetaText out = parse_meta_text(text, env);
  if (out.storage_bytes || !out.alias.empty())
    fail_argument("metadata: storage and alias are not taken here: '{}'", text);
  return out.meta;
}

}  // namespace ersatz
