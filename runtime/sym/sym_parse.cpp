// The parser of expressions. It accepts the printed form, with Python's precedence, and sympy's srepr. The input is not
// trusted: text length, nesting and numbers are bounded.
#include <algorithm>
#include <charconv>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

constexpr size_t kMaxText = 1 << 16;
constexpr int kMaxNesting = 256;
constexpr std::string_view kPrefix = "symbolic expression: ";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Head {
  std::string_view name;
  SymCall call;
  int arguments;  // -1: one or more
};
constexpr Head kHeads[] = {
    {"FloorDiv", SymCall::FloorDiv, 2},
    {"CleanDiv", SymCall::FloorDiv, 2},
    {"Mod", SymCall::Mod, 2},
    {"PythonMod", SymCall::Mod, 2},
    {"Min", SymCall::Min, -1},
    {"Max", SymCall::Max, -1},
    {"Pow", SymCall::Pow, 2},
    {"PowByNatural", SymCall::Pow, 2},
    {"Eq", SymCall::Eq, 2},
    {"Equality", SymCall::Eq, 2},
    {"Ne", SymCall::Ne, 2},
    {"Unequality", SymCall::Ne, 2},
    {"Lt", SymCall::Lt, 2},
    {"StrictLessThan", SymCall::Lt, 2},
    {"Le", SymCall::Le, 2},
    {"LessThan", SymCall::Le, 2},
    {"Gt", SymCall::Gt, 2},
    {"StrictGreaterThan", SymCall::Gt, 2},
    {"Ge", SymCall::Ge, 2},
    {"GreaterThan", SymCall::Ge, 2},
    {"And", SymCall::And, -1},
    {"Or", SymCall::Or, -1},
    {"Not", SymCall::Not, 1},
    {"Where", SymCall::Where, 3},
    {"IntTrueDiv", SymCall::IntTrueDiv, 2},
    {"FloatTrueDiv", SymCall::FloatTrueDiv, 2},
    {"FloatPow", SymCall::FloatPow, 2},
    {"TruncToInt", SymCall::TruncToInt, 1},
    {"FloorToInt", SymCall::FloorToInt, 1},
    {"CeilToInt", SymCall::CeilToInt, 1},
    {"RoundToInt", SymCall::RoundToInt, 1},
    {"TruncToFloat", SymCall::TruncToFloat, 1},
    {"ToFloat", SymCall::ToFloat, 1},
    {"RoundDecimal", SymCall::RoundDecimal, 2},
    {"IsNonOverlappingAndDenseIndicator", SymCall::DenseIndicator, -1},
    {"BitwiseFn_bitwise_and", SymCall::BitAnd, 2},
    {"BitwiseFn_bitwise_or", SymCall::BitOr, 2},
    {"BitwiseFn_bitwise_xor", SymCall::BitXor, 2},
};

class Parser {
 public:
  Parser(std::string_view text, ShapeEnv& env) : text_(text), env_(env), lock_(env.impl().mutex) {}

  SymInt parse() {
    if (text_.size() > kMaxText) fail_argument("symbolic expression: at most {} characters are taken", kMaxText);
    SymInt v;
    try {
      v = guarded([&] { return comparison(); });
    } catch (const Error& e) {
      if (e.message.starts_with(kPrefix)) throw;
      refuse(e.message);  // arithmetic on the terms parsed so far has failed
    }
    if (peek() != '\0' || at_ < text_.size()) refuse("an operator or the end is expected");
    return v;
  }
  SymInt parse_integer() {
    SymInt v = parse();
    if (has_float_value(v)) refuse_at(0, "a whole number is needed, not a float");
    return v;
  }

 private:
  [[noreturn]] void refuse(std::string_view rule) const { refuse_at(at_, rule); }
  [[noreturn]] void refuse_at(size_t at, std::string_view rule) const {
    std::string shown(text_.substr(0, 120));
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    fail_argument("{}{}: at {} of '{}'{}", kPrefix, rule, at, shown, text_.size() > 120 ? "..." : "");
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view token) {
    peek();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  template <class F>
  SymInt guarded(F f) {
    if (++nesting_ > kMaxNesting) refuse("nesting is too deep");
    SymInt v = f();
    --nesting_;
    return v;
  }
  SymInt call(SymCall c, std::vector<SymInt> args) { return env_.impl().apply(c, std::move(args)); }

  SymInt comparison() {
    SymInt left = either();
    struct Operator {
      std::string_view text;
      SymCall call;
    };
    constexpr Operator operators[] = {{"==", SymCall::Eq}, {"!=", SymCall::Ne}, {"<=", SymCall::Le},
                                      {">=", SymCall::Ge}, {"<", SymCall::Lt},  {">", SymCall::Gt}};
    for (const Operator& o : operators)
      if (take(o.text)) {
        SymInt right = either();
        if (char c = peek(); c == '<' || c == '>' || c == '=' || c == '!') refuse("comparisons must not be chained");
        return call(o.call, {left, right});
      }
    return left;
  }

  SymInt either() {
    SymInt v = both();
    while (take("|")) v = call(SymCall::Or, {v, both()});
    return v;
  }
  SymInt both() {
    SymInt v = sum();
    while (take("&")) v = call(SymCall::And, {v, sum()});
    return v;
  }

  // Collects all terms before it interns the sum, so that a long sum makes one node instead of one for each prefix.
  SymInt sum() {
    SymInt first = product();
    char c = peek();
    if (c != '+' && c != '-') return first;
    std::vector<SymInt> terms{first};
    for (; c == '+' || c == '-'; c = peek()) {
      ++at_;
      SymInt term = product();
      terms.push_back(c == '+' ? term : env_.impl().negative(term));
    }
    return env_.impl().sum(std::move(terms));
  }

  SymInt product() {
    SymInt v = unary();
    for (;;) {
      if (take("//")) {
        v = call(SymCall::FloorDiv, {v, unary()});
      } else if (take("/")) {
        SymInt divisor = unary();
        v = call(has_float_value(v) || has_float_value(divisor) ? SymCall::FloatTrueDiv : SymCall::IntTrueDiv,
                 {v, divisor});
      } else if (take("%")) {
        v = call(SymCall::Mod, {v, unary()});
      } else if (peek() == '*') {
        std::vector<SymInt> factors{v};
        while (peek() == '*') {
          ++at_;
          factors.push_back(unary());
        }
        v = env_.impl().product(std::move(factors));
      } else {
        return v;
      }
    }
  }

  SymInt unary() {
    if (take("-")) return guarded([&] { return env_.impl().negative(unary()); });
    if (take("+")) return guarded([&] { return unary(); });
    if (take("~")) return guarded([&] { return call(SymCall::Not, {unary()}); });
    SymInt base = primary();
    if (!take("**")) return base;
    return guarded([&] { return call(SymCall::Pow, {base, unary()}); });  // right-associative
  }

  SymInt primary() {
    char c = peek();
    if (c == '(') {
      ++at_;
      SymInt v = guarded([&] { return comparison(); });
      if (!take(")")) refuse("')' is needed");
      return v;
    }
    if (is_digit(c)) return number();
    if (!is_letter(c)) refuse("a number, a symbol or '(' is needed");
    size_t begin = at_;
    std::string_view word = identifier();
    if (peek() == '(') return named_call(word, begin);
    if (word == "true" || word == "True") return 1;
    if (word == "false" || word == "False") return 0;
    return symbol(word, begin);
  }

  SymInt symbol(std::string_view name, size_t at) {
    if (!is_symbol_name(name)) refuse_at(at, "the name of a symbol is needed");
    return env_.symbol(name);
  }

  std::string_view identifier() {
    size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  SymInt number() {
    int64_t v = 0;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    auto [next, error] = std::from_chars(begin, end, v);
    const bool fraction = next != end && (*next == '.' || *next == 'e' || *next == 'E');
    if (fraction) return decimal(begin, end);
    if (error != std::errc()) refuse("the number must fit into 64 bits");
    if (next != end && is_letter(*next)) refuse("an operator or the end is expected behind the number");
    at_ += static_cast<size_t>(next - begin);
    return v;
  }

  /// Parses the number that begins at `begin` and has a point or an exponent.
  SymInt decimal(const char* begin, const char* end) {
    double v = 0;
    auto [next, error] = std::from_chars(begin, end, v);
    if (error != std::errc()) refuse("the number must be a finite float");
    if (next != end && (*next == '.' || is_letter(*next))) refuse("the number must be a finite float");
    at_ += static_cast<size_t>(next - begin);
    return env_.impl().constant(v);
  }

  std::string_view quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"') refuse("a quoted name is needed");
    size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) refuse("the quote must be closed");
    std::string_view s = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return s;
  }

  // Parses `Symbol('s0', positive=True, integer=True)`.
  SymInt symbol_call() {
    peek();
    size_t at = at_;
    std::string name(quoted());
    bool positive = false;
    while (take(",")) {
      peek();
      std::string_view key = identifier();
      if (key.empty() || !take("=")) refuse("an assumption such as integer=True is needed");
      bool yes = take("True");
      if (!yes && !take("False") && !take("None")) refuse("True, False or None is needed");
      positive |= yes && key == "positive";
    }
    if (!take(")")) refuse("')' is needed");
    SymInt v = symbol(name, at);
    const SymbolInfo* known = env_.find_symbol(name);
    if (positive && known->min < 1 && !(known->hint && *known->hint < 1)) {
      SymbolInfo better = *known;
      better.min = 1;
      v = env_.symbol(better);
    }
    return v;
  }

  // Parses `Float('0.5', precision=53)`.
  SymInt float_call() {
    std::string_view digits = quoted();
    double v = 0;
    auto [next, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
    if (error != std::errc() || next != digits.data() + digits.size()) refuse("the number must be a finite float");
    const SymInt constant = env_.impl().constant(v);
    if (take(",")) {
      peek();
      if (identifier() != "precision" || !take("=")) refuse("precision= is expected");
      peek();
      number();
    }
    if (!take(")")) refuse("')' is needed");
    return constant;
  }

  // Parses `Piecewise(ExprCondPair(value, condition), ..., ExprCondPair(value, true))`.
  SymInt piecewise(size_t at) {
    std::vector<std::vector<SymInt>> pairs;
    do {
      if (!take("ExprCondPair(")) refuse("ExprCondPair(value, condition) is expected");
      pairs.push_back(arguments());
      if (pairs.back().size() != 2) refuse_at(at, "ExprCondPair takes a value and a condition");
    } while (take(","));
    if (!take(")")) refuse("',' or ')' is needed");
    if (!pairs.back()[1].is_identical(1)) refuse_at(at, "the last condition of Piecewise must be true");
    SymInt v = pairs.back()[0];
    for (size_t i = pairs.size() - 1; i-- > 0;) v = call(SymCall::Where, {pairs[i][1], pairs[i][0], v});
    return v;
  }

  std::vector<SymInt> arguments() {
    std::vector<SymInt> args;
    if (take(")")) return args;
    do {
      size_t before = at_;
      if (is_letter(peek())) {  // keyword arguments (evaluate=False) do not change the value
        identifier();
        if (peek() == '=' && !text_.substr(at_).starts_with("==")) {
          ++at_;
          if (!take("True") && !take("False") && !take("None")) number();
          continue;
        }
        at_ = before;
      }
      bool starred = take("*");
      if (starred && !take("[")) refuse("'[' is needed");
      if (starred && take("]")) continue;
      do args.push_back(guarded([&] { return comparison(); }));
      while (starred && take(","));
      if (starred && !take("]")) refuse("']' is needed");
    } while (take(","));
    if (!take(")")) refuse("',' or ')' is needed");
    return args;
  }

  SymInt named_call(std::string_view head, size_t at) {
    ++at_;  // skips the opening parenthesis
    if (head == "Symbol") return symbol_call();
    if (head == "Float") return float_call();
    if (head == "Piecewise") return piecewise(at);
    std::vector<SymInt> args = arguments();
    auto need = [&](size_t n) {
      if (args.size() != n) refuse_at(at, fmt::format("{} takes {} arguments ({} given)", head, n, args.size()));
    };
    if (head == "Add") return env_.impl().sum(std::move(args));
    if (head == "Mul") return env_.impl().product(std::move(args));
    if (head == "Rational") return need(2), call(SymCall::IntTrueDiv, std::move(args));
    if (std::optional<SymCall> function = unary_function(head)) return need(1), call(*function, std::move(args));
    if (head == "Integer" || head == "Identity") return need(1), args[0];
    const bool whole = head == "CeilDiv" || head == "ModularIndexing" || head == "LShift" || head == "RShift";
    if (whole && std::any_of(args.begin(), args.end(), has_float_value))
      refuse_at(at, fmt::format("{} takes whole numbers", head));
    if (head == "CeilDiv") {
      need(2);
      if (args[1].is_int() && args[1].as_int() >= 1) return call(SymCall::FloorDiv, {args[0] + args[1] - 1, args[1]});
      return -call(SymCall::FloorDiv, {-args[0], args[1]});
    }
    if (head == "ModularIndexing") {
      need(3);
      return call(SymCall::Mod, {call(SymCall::FloorDiv, {args[0], args[1]}), args[2]});
    }
    if (head == "LShift" || head == "RShift") {
      need(2);
      SymInt power = call(SymCall::Pow, {2, args[1]});
      return head == "LShift" ? args[0] * power : call(SymCall::FloorDiv, {args[0], power});
    }
    for (const Head& h : kHeads) {
      if (h.name != head) continue;
      if (h.arguments >= 0) need(static_cast<size_t>(h.arguments));
      if (args.empty()) refuse_at(at, fmt::format("{} takes arguments", head));
      if (h.call == SymCall::DenseIndicator && args.size() % 2) refuse_at(at, "as many strides as sizes are needed");
      return call(h.call, std::move(args));
    }
    refuse_at(at, fmt::format("'{}' is no function of sizes", head.substr(0, 60)));
  }

  std::string_view text_;
  ShapeEnv& env_;
  const SymLock lock_;
  size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

SymInt ShapeEnv::parse(std::string_view text) { return Parser(text, *this).parse_integer(); }
SymInt parse_number(std::string_view text, ShapeEnv& env) { return Parser(text, env).parse(); }
std::string spelled(std::string_view text, ShapeEnv& env) { return to_string(Parser(text, env).parse()); }

}  // namespace ersatz
