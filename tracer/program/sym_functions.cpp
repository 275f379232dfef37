#include "tracer/program/sym_functions.h"

#include <algorithm>
#include <array>

#include "runtime/base/error.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {

namespace {

bool is_int(const Value& v) { return v.kind() == Value::Kind::Int || v.kind() == Value::Kind::Bool; }

SymInt truth(const Value& v) {
  if (v.kind() == Value::Kind::Bool) return v.as_int();
  if (v.kind() == Value::Kind::Float) return truth_of(SymCompare::Ne, v.as_sym_float(), 0.0);
  return truth_of({SymCompare::Ne, v.as_int(), 0});
}

struct Call {
  std::string_view name;
  std::span<const Value> args;

  void need(size_t n) const {
    if (args.size() != n) fail_argument("{}: takes {} arguments, {} given", name, n, args.size());
    for (const Value& v : args) {
      if (!v.is_number() || v.kind() == Value::Kind::Complex) {
        fail_argument("{}: takes numbers, not {}", name, ersatz::name(v.kind()));
      }
    }
  }
  bool ints() const { return std::all_of(args.begin(), args.end(), is_int); }
  bool bools() const {
    return std::all_of(args.begin(), args.end(), [](const Value& v) { return v.kind() == Value::Kind::Bool; });
  }
  SymInt integer(size_t i) const { return args[i].as_int(); }
  SymFloat real(size_t i) const { return args[i].as_sym_float(); }

  template <class I, class F>
  Value arithmetic(I&& on_ints, F&& on_floats) const {
    need(2);
    if (ints()) return Value(on_ints(integer(0), integer(1)));
    return Value::number(on_floats(real(0), real(1)));
  }
  Value compare(SymCompare op) const {
    need(2);
    if (ints()) return Value::truth(truth_of({op, integer(0), integer(1)}));
    return Value::truth(truth_of(op, real(0), real(1)));
  }
  void refuse_zero_divisor() const {
    need(2);
    if (!require_truth(truth(args[1]), "a divisor must not be zero")) fail_argument("{}: division by zero", name);
  }
};

Value power(const Call& c) {
  c.need(2);
  if (c.ints() && guard_ge(c.integer(1), 0)) return sym_pow(c.integer(0), c.integer(1));
  return Value::number(pow(c.real(0), c.real(1)));
}

Value shifted(const Call& c, bool left) {
  c.need(2);
  if (!c.ints()) fail_argument("{}: takes integers", c.name);
  const int64_t by = c.integer(1).guard_int();
  if (by < 0 || by > 62) fail_argument("{}: cannot shift by {}", c.name, by);
  const SymInt factor(int64_t(1) << by);
  return left ? c.integer(0) * factor : floor_div(c.integer(0), factor);
}

Value joined(const Call& c, bool both) {
  c.need(2);
  if (!c.ints()) fail_argument("{}: takes integers", c.name);
  const SymInt a = c.integer(0), b = c.integer(1);
  if (c.bools()) return Value::truth(both ? truth_and(a, b) : truth_or(a, b));
  return both ? bit_and(a, b) : bit_or(a, b);
}

std::optional<SymCompare> comparison(std::string_view fn) {
  constexpr std::string_view names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  const auto* at = std::find(std::begin(names), std::end(names), fn);
  return at == std::end(names) ? std::nullopt : std::optional(static_cast<SymCompare>(at - names));
}

std::optional<Value> call_operator(const Call& c, std::string_view fn) {
  using D = const SymFloat&;
  using I = SymInt;
  if (fn == "add") return c.arithmetic([](I a, I b) { return a + b; }, [](D a, D b) { return a + b; });
  if (fn == "sub") return c.arithmetic([](I a, I b) { return a - b; }, [](D a, D b) { return a - b; });
  if (fn == "mul") return c.arithmetic([](I a, I b) { return a * b; }, [](D a, D b) { return a * b; });
  if (const std::optional<SymCompare> op = comparison(fn)) return c.compare(*op);
  if (fn == "floordiv") {
    c.refuse_zero_divisor();
    return c.arithmetic([](I a, I b) { return floor_div(a, b); }, [](D a, D b) { return floor_div(a, b); });
  }
  if (fn == "mod") {
    c.refuse_zero_divisor();
    return c.arithmetic([](I a, I b) { return floor_mod(a, b); }, [](D a, D b) { return floor_mod(a, b); });
  }
  if (fn == "truediv") {
    c.refuse_zero_divisor();
    return Value::number(c.ints() ? true_divide(c.integer(0), c.integer(1)) : c.real(0) / c.real(1));
  }
  if (fn == "pow") return power(c);
  if (fn == "lshift") return shifted(c, true);
  if (fn == "rshift") return shifted(c, false);
  if (fn == "and_" || fn == "or_") return joined(c, fn == "and_");
  if (fn == "neg" || fn == "pos") {
    c.need(1);
    if (fn == "pos") return c.args[0];
    return is_int(c.args[0]) ? Value(-c.integer(0)) : Value::number(SymFloat(0.0) - c.real(0));
  }
  return std::nullopt;
}

/// Returns args[1] if the condition args[0] is true, else args[2].
Value chosen(const Call& c) {
  c.need(3);
  const SymInt condition = truth(c.args[0]);
  if (condition.is_int()) return c.args[condition.as_int() ? 1 : 2];
  const std::span<const Value> either = c.args.subspan(1);
  const auto is_bool = [](const Value& v) { return v.kind() == Value::Kind::Bool; };
  if (!std::all_of(either.begin(), either.end(), is_int)) return Value::number(where(condition, c.real(1), c.real(2)));
  const SymInt picked = where(condition, c.integer(1), c.integer(2));
  return std::all_of(either.begin(), either.end(), is_bool) ? Value::truth(picked) : Value(picked);
}

/// Returns the sum of the numbers in a list.
Value summed(const Call& c) {
  if (c.args.size() != 1) fail_argument("{}: takes 1 list, {} arguments given", c.name, c.args.size());
  if (c.args[0].kind() == Value::Kind::IntList) {
    SymInt sum = 0;
    for (const SymInt& i : c.args[0].as_ints()) sum = sum + i;
    return Value(sum);
  }
  if (c.args[0].kind() != Value::Kind::List) fail_argument("{}: takes a list of numbers", c.name);
  Value sum(int64_t(0));
  for (const Value& item : c.args[0].as_list()) {
    const std::array<Value, 2> terms{sum, item};
    sum = *call_operator({c.name, terms}, "add");
  }
  return sum;
}

std::optional<Value> call_sym(const Call& c, std::string_view fn) {
  using D = const SymFloat&;
  using I = SymInt;
  if (fn == "max") {
    return c.arithmetic([](I a, I b) { return sym_max(a, b); }, [](D a, D b) { return sym_max(a, b); });
  }
  if (fn == "min") {
    return c.arithmetic([](I a, I b) { return sym_min(a, b); }, [](D a, D b) { return sym_min(a, b); });
  }
  if (fn == "ite") return chosen(c);
  if (fn == "sum") return summed(c);
  if (fn != "not" && fn != "int" && fn != "float" && fn != "sqrt") return std::nullopt;
  c.need(1);
  if (fn == "not") return Value::truth(truth_not(truth(c.args[0])));
  if (fn == "float") return Value::number(c.real(0));
  if (fn == "sqrt") return Value::number(sqrt(c.real(0)));
  return is_int(c.args[0]) ? c.integer(0) : trunc_to_int(c.real(0));
}

/// Evaluates math.trunc, math.floor or math.ceil; nullopt for another function.
std::optional<Value> call_math(const Call& c, std::string_view fn) {
  if (fn != "trunc" && fn != "floor" && fn != "ceil") return std::nullopt;
  c.need(1);
  if (is_int(c.args[0])) return Value(c.integer(0));
  const SymFloat v = c.real(0);
  return Value(fn == "trunc" ? trunc_to_int(v) : fn == "floor" ? floor_to_int(v) : ceil_to_int(v));
}

}  // namespace

Value call_sym_function(std::string_view name, std::span<const Value> args) {
  const Call call{name, args};
  auto after = [name](std::string_view prefix) {
    return name.substr(0, prefix.size()) == prefix ? name.substr(prefix.size()) : std::string_view();
  };
  std::optional<Value> result;
  if (const auto fn = after("_operator."); !fn.empty()) {
    result = call_operator(call, fn);
  } else if (const auto sym = after("torch.sym_"); !sym.empty()) {
    result = call_sym(call, sym);
  } else if (const auto math = after("math."); !math.empty()) {
    result = call_math(call, math);
  } else if (name == "torch._sym_sqrt") {
    result = call_sym(call, "sqrt");
  }
  if (!result) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}: this function on numbers is not known", name);
  }
  return std::move(*result);
}

}  // namespace ersatz
