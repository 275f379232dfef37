#include "runtime/autograd/formula.h"

#include <charconv>
#include <map>

#include "runtime/autograd/expressions.h"
#include "runtime/base/dtype.h"
#include "runtime/op/registry.h"

namespace ersatz {

namespace {

using namespace formula;

std::map<std::string, GradientFunction, std::less<>>& functions() {
  static std::map<std::string, GradientFunction, std::less<>> all;
  return all;
}

class Parser {
 public:
  Parser(const OpEntry& op, std::string_view text, const FindOp& find) : op_(op), text_(text), find_(find) {}

  ParsedDerivative parse() {
    do {
      statement();
    } while (take(";"));
    skip_blanks();
    if (at_ != text_.size()) refuse("';' or the end");
    return std::move(parsed_);
  }

 private:
  void statement() {
    GradientStatement s;
    used_ = 0;
    bool sets_results = false;
    do {
      const std::string_view name = word();
      if (name == "results") {
        sets_results = true;
        continue;
      }
      const int position = op_.schema.find_argument(name);
      if (position < 0) refuse("an argument of the operator");
      s.arguments.push_back(static_cast<uint16_t>(position));
    } while (take(","));
    if (!take("=")) refuse("'='");
    if (take_word("refused")) {
      parsed_.refused.insert(parsed_.refused.end(), s.arguments.begin(), s.arguments.end());
      return;
    }
    targets_ = s.arguments.size();
    s.expression = expression();
    if (sets_results) {
      const Value numbers = s.expression->evaluate({});
      parsed_.results = 0;
      for (const SymInt n : numbers.as_ints()) parsed_.results |= uint64_t(1) << n.as_int();
      return;
    }
    s.parts = used_;
    parsed_.statements.push_back(std::move(s));
  }

  Part expression() {
    Part yes = disjunction();
    if (!take_word("if")) return yes;
    auto c = std::make_unique<Conditional>();
    c->yes = std::move(yes);
    c->condition = disjunction();
    if (!take_word("else")) refuse("'else'");
    c->no = expression();
    return c;
  }
  Part operation(Operator op, Part left, Part right) {
    auto o = std::make_unique<Operation>();
    o->op = op, o->left = std::move(left), o->right = std::move(right);
    return o;
  }
  Part disjunction() {
    Part left = conjunction();
    while (take_word("or")) left = operation(Operator::Or, std::move(left), conjunction());
    return left;
  }
  Part conjunction() {
    Part left = negation();
    while (take_word("and")) left = operation(Operator::And, std::move(left), negation());
    return left;
  }
  Part negation() {
    if (take_word("not")) return operation(Operator::Not, negation(), nullptr);
    Part left = sum();
    constexpr std::pair<std::string_view, Operator> kComparisons[] = {{"==", Operator::Eq}, {"!=", Operator::Ne},
                                                                      {"<=", Operator::Le}, {">=", Operator::Ge},
                                                                      {"<", Operator::Lt},  {">", Operator::Gt}};
    for (const auto& [sign, op] : kComparisons) {
      if (take(sign)) return operation(op, std::move(left), sum());
    }
    return left;
  }
  Part sum() {
    Part left = product();
    for (;;) {
      if (take("+")) {
        left = operation(Operator::Add, std::move(left), product());
      } else if (take("-")) {
        left = operation(Operator::Sub, std::move(left), product());
      } else {
        return left;
      }
    }
  }
  Part product() {
    Part left = unary();
    for (;;) {
      if (take("*")) {
        left = operation(Operator::Mul, std::move(left), unary());
      } else if (take("//")) {
        left = operation(Operator::FloorDiv, std::move(left), unary());
      } else if (take("/")) {
        left = operation(Operator::Div, std::move(left), unary());
      } else {
        return left;
      }
    }
  }
  Part unary() {
    if (take("-")) return operation(Operator::Neg, unary(), nullptr);
    Part p = primary();
    while (take("[")) {
      auto i = std::make_unique<Indexed>();
      i->list = std::move(p);
      i->index = expression();
      if (!take("]")) refuse("']'");
      p = std::move(i);
    }
    return p;
  }

  Part primary() {
    if (take("(")) {
      Part inner = expression();
      if (!take(")")) refuse("')'");
      return inner;
    }
    if (take("[")) {
      auto list = std::make_unique<ListOf>();
      while (!take("]")) {
        list->items.push_back(expression());
        if (!take(",") && peek() != ']') refuse("',' or ']'");
      }
      return list;
    }
    if (take("\"")) {
      const size_t end = text_.find('"', at_);
      if (end == text_.npos) refuse("a closing quote");
      Part text = std::make_unique<Constant>(Value(text_.substr(at_, end - at_)));
      at_ = end + 1;
      return text;
    }
    if (peek() >= '0' && peek() <= '9') return number();
    const size_t start = at_;
    const std::string_view name = word();
    if (take("(")) return call(name);
    if (name == "True" || name == "False") return std::make_unique<Constant>(Value(name == "True"));
    if (name == "None") return std::make_unique<Constant>(Value());
    if (name == "grads") return std::make_unique<ResultGradients>();
    if (name == "needed") return std::make_unique<Needed>(targets_);
    if (const auto i = numbered(name, "grad")) return std::make_unique<ResultGradient>(*i);
    if (Part saved = saved_name(name)) return saved;
    if (const auto dtype = parse_dtype(name)) return std::make_unique<Constant>(Value(*dtype));
    if (const auto format = parse_memory_format(name)) return std::make_unique<Constant>(Value(*format));
    at_ = start;
    refuse("an argument, a result, a gradient or a function");
  }

  /// Returns the number after `stem` in `name`: for the stem `result`, 2 for `result2` and 0 for `result`. Returns
  /// nullopt for other names.
  static std::optional<size_t> numbered(std::string_view name, std::string_view stem) {
    if (!name.starts_with(stem)) return std::nullopt;
    const std::string_view digits = name.substr(stem.size());
    size_t i = 0;
    if (digits.empty()) return i;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), i);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return i;
  }

  Part saved_name(std::string_view name) {
    constexpr std::pair<std::string_view, SavedPart::What> kFacts[] = {
        {".sizes", SavedPart::What::Sizes},   {".strides", SavedPart::What::Strides},
        {".offset", SavedPart::What::Offset}, {".dim", SavedPart::What::Dim},
        {".numel", SavedPart::What::Numel},   {".dtype", SavedPart::What::DType},
        {".device", SavedPart::What::Device}};
    SavedPart part;
    const size_t dot = name.find('.');
    if (dot != name.npos) {
      bool known = false;
      for (const auto& [suffix, what] : kFacts) {
        if (name.substr(dot) == suffix) part.what = what, known = true;
      }
      if (!known) return nullptr;
    }
    const std::string_view stem = name.substr(0, dot);
    if (const int position = op_.schema.find_argument(stem); position >= 0) {
      part.index = static_cast<uint16_t>(position);
    } else if (const auto result = numbered(stem, "result")) {
      part.of = SavedPart::Of::Result;
      part.index = static_cast<uint16_t>(*result);
    } else {
      return nullptr;
    }
    size_t at = 0;
    while (at < parsed_.parts.size() && !(parsed_.parts[at] == part)) ++at;
    if (at == parsed_.parts.size()) parsed_.parts.push_back(part);
    ERSATZ_ASSERT(at < 64, "the derivative of {} needs more than 64 values", op_.name);
    used_ |= uint64_t(1) << at;
    return std::make_unique<SavedName>(at);
  }

  Part number() {
    size_t end = at_;
    const auto goes_on = [&](char c) {
      return (c >= '0' && c <= '9') || c == '.' || c == 'e' || ((c == '-' || c == '+') && text_[end - 1] == 'e');
    };
    while (end < text_.size() && goes_on(text_[end])) ++end;
    const std::string_view digits = text_.substr(at_, end - at_);
    Value v;
    if (digits.find_first_of(".e") == digits.npos) {
      int64_t i = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), i);
      v = Value(i);
    } else {
      double d = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), d);
      v = Value(d);
    }
    at_ = end;
    return std::make_unique<Constant>(std::move(v));
  }

  Part call(std::string_view name) {
    std::vector<Part> positional;
    std::vector<std::pair<std::string_view, Part>> keywords;
    while (!take(")")) {
      const size_t start = at_;
      skip_blanks();
      if (is_letter(peek())) {
        const std::string_view key = word();
        skip_blanks();
        if (peek() == '=' && text_.substr(at_, 2) != "==") {
          ++at_;
          keywords.emplace_back(key, expression());
          if (!take(",") && peek() != ')') refuse("',' or ')'");
          continue;
        }
        at_ = start;
      }
      positional.push_back(expression());
      if (!take(",") && peek() != ')') refuse("',' or ')'");
    }
    if (const auto f = functions().find(name); f != functions().end()) {
      if (!keywords.empty()) refuse("no keywords: this is a function and no operator");
      auto c = std::make_unique<FunctionCall>();
      c->function = f->second;
      c->arguments = std::move(positional);
      return c;
    }
    const auto find = [&](std::string_view n) { return find_ ? find_(n) : registry().find(n); };
    const OpEntry* op =
        find(fmt::format("{}.{}{}", op_.schema.ns, name, name.find('.') == name.npos ? ".default" : ""));
    if (!op) op = find(name);
    if (!op) refuse(fmt::format("a function or an operator, there is no {}", name));
    auto c = std::make_unique<OperatorCall>();
    c->op = op;
    const auto& schema = op->schema.arguments;
    if (positional.size() > schema.size()) refuse(fmt::format("at most {} arguments of {}", schema.size(), name));
    c->arguments = std::move(positional);
    for (size_t i = c->arguments.size(); i < schema.size(); ++i) {
      Part given;
      for (auto& [key, value] : keywords) {
        if (key == schema[i].name) given = std::move(value);
      }
      if (!given) {
        if (!schema[i].default_value) refuse(fmt::format("the argument {} of {}", schema[i].name, name));
        given = std::make_unique<Constant>(*schema[i].default_value);
      }
      c->arguments.push_back(std::move(given));
    }
    for (const auto& [key, value] : keywords) {
      if (value) refuse(fmt::format("an argument of {} by that name: {}", name, key));
    }
    return c;
  }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    if (sign == "=" && text_.substr(at_).starts_with("==")) return false;
    at_ += sign.size();
    return true;
  }
  bool take_word(std::string_view wanted) {
    const size_t start = at_;
    skip_blanks();
    if (is_letter(peek()) && word() == wanted) return true;
    at_ = start;
    return false;
  }
  std::string_view word() {
    skip_blanks();
    const size_t start = at_;
    while (at_ < text_.size() && (is_letter(peek()) || peek() == '.' || (peek() >= '0' && peek() <= '9'))) ++at_;
    if (at_ == start) refuse("a name");
    return text_.substr(start, at_ - start);
  }
  [[noreturn]] void refuse(std::string_view expected) const {
    raise_internal_error(__FILE__, __LINE__, "a derivative parses",
                         "the derivative of {}, character {}: expected {} in: {}", op_.name, at_, expected, text_);
  }

  const OpEntry& op_;
  std::string_view text_;
  const FindOp& find_;
  size_t at_ = 0;
  size_t targets_ = 0;
  uint64_t used_ = 0;
  ParsedDerivative parsed_;
};

}  // namespace

ParsedDerivative parse_derivative(const OpEntry& op, std::string_view text, const FindOp& find) {
  return Parser(op, text, find).parse();
}

void add_gradient_function(std::string_view name, GradientFunction function) {
  functions()[std::string(name)] = function;
}
bool is_gradient_function(std::string_view name) { return functions().contains(std::string(name)); }

}  // namespace ersatz
