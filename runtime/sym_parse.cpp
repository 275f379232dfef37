// The parser of expressions: the printed form (Python's precedence) and sympy's srepr, which is a subset of it.
// Its input is hostile: text length, nesting and numbers are bounded.
#include <charconv>

#include "runtime/sym_node.h"

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
};

class Parser {
 public:
  Parser(std::string_view text, ShapeEnv& env) : text_(text), env_(env) {}

  SymInt parse() {
    if (text_.size() > kMaxText) fail_argument("symbolic expression: at most {} characters are taken", kMaxText);
    SymInt v;
    try {
      v = guarded([&] { return comparison(); });
    } catch (const Error& e) {
      if (e.message.starts_with(kPrefix)) throw;
      refuse(e.message);  // arithmetic on what was read so far
    }
    if (peek() != '\0' || at_ < text_.size()) refuse("an operator or the end is expected");
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
  SymInt call(SymCall c, std::vector<SymInt> args) { return env_.impl().call(c, std::move(args)); }

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

  // Terms are gathered before anything is interned: a long sum makes one node, not one for each prefix.
  SymInt sum() {
    SymInt first = product();
    char c = peek();
    if (c != '+' && c != '-') return first;
    SymPoly total = poly_of(first);
    for (; c == '+' || c == '-'; c = peek()) {
      ++at_;
      total = poly_add(std::move(total), poly_of(product()), c == '+' ? 1 : -1);
    }
    return env_.impl().intern(std::move(total));
  }

  SymInt product() {
    SymInt v = unary();
    for (;;) {
      if (take("//")) {
        v = call(SymCall::FloorDiv, {v, unary()});
      } else if (take("/")) {
        v = call(SymCall::IntTrueDiv, {v, unary()});
      } else if (take("%")) {
        v = call(SymCall::Mod, {v, unary()});
      } else if (peek() == '*') {
        SymPoly total = poly_of(v);
        while (peek() == '*') {
          ++at_;
          total = poly_mul(total, poly_of(unary()));
        }
        v = env_.impl().intern(std::move(total));
      } else {
        return v;
      }
    }
  }

  SymInt unary() {
    if (take("-")) return guarded([&] { return SymInt(0) - unary(); });
    if (take("+")) return guarded([&] { return unary(); });
    if (take("~")) return guarded([&] { return call(SymCall::Not, {unary()}); });
    SymInt base = primary();
    if (!take("**")) return base;
    return guarded([&] { return call(SymCall::Pow, {base, unary()}); });  // to the right
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
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (error != std::errc()) refuse("the number must fit into 64 bits");
    size_t next = static_cast<size_t>(end - text_.data());
    if (next < text_.size() && (text_[next] == '.' || is_letter(text_[next]))) refuse("a whole number is needed");
    at_ = next;
    return v;
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

  // Symbol('s0', positive=True, integer=True)
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

  std::vector<SymInt> arguments() {
    std::vector<SymInt> args;
    if (take(")")) return args;
    do {
      peek();
      size_t before = at_;
      if (is_letter(peek())) {  // keyword arguments (evaluate=False) say nothing about the value
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
    ++at_;  // (
    if (head == "Symbol") return symbol_call();
    std::vector<SymInt> args = arguments();
    auto need = [&](size_t n) {
      if (args.size() != n) refuse_at(at, fmt::format("{} takes {} arguments ({} given)", head, n, args.size()));
    };
    if (head == "Add" || head == "Mul") {
      bool add = head == "Add";
      SymPoly total = poly_of(add ? 0 : 1);
      for (SymInt a : args) total = add ? poly_add(std::move(total), poly_of(a)) : poly_mul(total, poly_of(a));
      return env_.impl().intern(std::move(total));
    }
    if (head == "Integer" || head == "Identity") return need(1), args[0];
    if (head == "CeilDiv") {
      need(2);
      if (range_of(args[1]).lo >= 1) return call(SymCall::FloorDiv, {args[0] + args[1] - 1, args[1]});
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
  size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

SymInt ShapeEnv::parse(std::string_view text) { return Parser(text, *this).parse(); }

}  // namespace ersatz
