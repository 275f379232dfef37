#include "tracer/program/sym_functions.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/error.h"
#include "runtime/sym/sym_number.h"

namespace ersatz {

namespace {

bool is_int(const Value& v) { return v.kind() == Value::Kind::Int || v.kind() == Value::Kind::Bool; }

double real(const Value& v) {
  if (v.kind() == Value::Kind::Float) return v.as_double();
  return static_cast<double>(v.as_int().guard_int());
}

bool truth(const Value& v) { return v.kind() == Value::Kind::Float ? v.as_double() != 0 : guard_ne(v.as_int(), 0); }

SymInt integer_of(double d, std::string_view name) {
  if (!(d > -0x1p62 && d < 0x1p63)) fail_argument("{}: {} does not fit 64 bits", name, d);
  return SymInt(static_cast<int64_t>(d));
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
  bool ints() const {
    for (const Value& v : args) {
      if (!is_int(v)) return false;
    }
    return true;
  }

  bool bools() const {
    return std::all_of(args.begin(), args.end(), [](const Value& v) { return v.kind() == Value::Kind::Bool; });
  }

  template <class I, class F>
  Value arithmetic(I&& on_ints, F&& on_floats) const {
    need(2);
    if (ints()) return on_ints(args[0].as_int(), args[1].as_int());
    return on_floats(real(args[0]), real(args[1]));
  }
  template <class I, class F>
  Value compare(I&& on_ints, F&& on_floats) const {
    need(2);
    if (ints()) return Value(static_cast<bool>(on_ints(args[0].as_int(), args[1].as_int())));
    return Value(static_cast<bool>(on_floats(real(args[0]), real(args[1]))));
  }
  void refuse_zero_divisor() const {
    need(2);
    if (!truth(args[1])) fail_argument("{}: division by zero", name);
  }
};

Value power(const Call& c) {
  c.need(2);
  if (c.ints() && guard_ge(c.args[1].as_int(), 0)) return sym_pow(c.args[0].as_int(), c.args[1].as_int());
  return std::pow(real(c.args[0]), real(c.args[1]));
}

Value shifted(const Call& c, bool left) {
  c.need(2);
  if (!c.ints()) fail_argument("{}: takes integers", c.name);
  const int64_t by = c.args[1].as_int().guard_int();
  if (by < 0 || by > 62) fail_argument("{}: cannot shift by {}", c.name, by);
  const SymInt factor(int64_t(1) << by);
  return left ? c.args[0].as_int() * factor : floor_div(c.args[0].as_int(), factor);
}

Value bits(const Call& c, bool both) {
  if (!c.ints()) fail_argument("{}: takes integers", c.name);
  const int64_t a = c.args[0].as_int().guard_int(), b = c.args[1].as_int().guard_int();
  return Value(both ? a & b : a | b);
}

std::optional<Value> call_operator(const Call& c, std::string_view fn) {
  using D = double;
  using I = SymInt;
  if (fn == "add") return c.arithmetic([](I a, I b) { return a + b; }, [](D a, D b) { return a + b; });
  if (fn == "sub") return c.arithmetic([](I a, I b) { return a - b; }, [](D a, D b) { return a - b; });
  if (fn == "mul") return c.arithmetic([](I a, I b) { return a * b; }, [](D a, D b) { return a * b; });
  if (fn == "eq") return c.compare([](I a, I b) { return guard_eq(a, b); }, [](D a, D b) { return a == b; });
  if (fn == "ne") return c.compare([](I a, I b) { return guard_ne(a, b); }, [](D a, D b) { return a != b; });
  if (fn == "lt") return c.compare([](I a, I b) { return guard_lt(a, b); }, [](D a, D b) { return a < b; });
  if (fn == "le") return c.compare([](I a, I b) { return guard_le(a, b); }, [](D a, D b) { return a <= b; });
  if (fn == "gt") return c.compare([](I a, I b) { return guard_gt(a, b); }, [](D a, D b) { return a > b; });
  if (fn == "ge") return c.compare([](I a, I b) { return guard_ge(a, b); }, [](D a, D b) { return a >= b; });
  if (fn == "floordiv") {
    c.refuse_zero_divisor();
    return c.arithmetic([](I a, I b) { return floor_div(a, b); }, [](D a, D b) { return std::floor(a / b); });
  }
  if (fn == "mod") {
    c.refuse_zero_divisor();
    return c.arithmetic([](I a, I b) { return floor_mod(a, b); }, [](D a, D b) { return floor_mod(a, b); });
  }
  if (fn == "truediv") {
    c.refuse_zero_divisor();
    return Value(real(c.args[0]) / real(c.args[1]));
  }
  if (fn == "pow") return power(c);
  if (fn == "lshift") return shifted(c, true);
  if (fn == "rshift") return shifted(c, false);
  if (fn == "and_" || fn == "or_") {
    c.need(2);
    if (!c.bools()) return bits(c, fn == "and_");
    const bool a = truth(c.args[0]), b = truth(c.args[1]);
    return Value(fn == "and_" ? a && b : a || b);
  }
  if (fn == "neg" || fn == "pos") {
    c.need(1);
    if (fn == "pos") return c.args[0];
    return is_int(c.args[0]) ? Value(-c.args[0].as_int()) : Value(-real(c.args[0]));
  }
  return std::nullopt;
}

std::optional<Value> call_sym(const Call& c, std::string_view fn) {
  using D = double;
  using I = SymInt;
  if (fn == "max") {
    return c.arithmetic([](I a, I b) { return sym_max(a, b); }, [](D a, D b) { return std::max(a, b); });
  }
  if (fn == "min") {
    return c.arithmetic([](I a, I b) { return sym_min(a, b); }, [](D a, D b) { return std::min(a, b); });
  }
  if (fn == "ite") {
    c.need(3);
    return truth(c.args[0]) ? c.args[1] : c.args[2];
  }
  if (fn != "not" && fn != "int" && fn != "float" && fn != "sqrt") return std::nullopt;
  c.need(1);
  if (fn == "not") return Value(!truth(c.args[0]));
  if (fn == "float") return Value(real(c.args[0]));
  if (fn == "sqrt") return Value(std::sqrt(real(c.args[0])));
  return is_int(c.args[0]) ? Value(c.args[0].as_int()) : Value(integer_of(std::trunc(real(c.args[0])), c.name));
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
  } else if (name == "math.trunc") {
    result = call_sym(call, "int");
  } else if (name == "torch._sym_sqrt") {
    result = call_sym(call, "sqrt");
  }
  if (!result) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}: this function on numbers is not known", name);
  }
  return std::move(*result);
}

}  // namespace ersatz
