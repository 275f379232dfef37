// The nodes of the expression tree of a derivative's formula. Each node evaluates itself.
#pragma once

#include <cmath>

#include "runtime/autograd/formula.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"

namespace ersatz::formula {

using Part = std::unique_ptr<Expression>;

struct Constant final : Expression {
  explicit Constant(Value v) : value(std::move(v)) {}
  Value evaluate(const FormulaValues&) const override { return value; }
  Value value;
};

struct SavedName final : Expression {
  explicit SavedName(size_t i) : index(i) {}
  Value evaluate(const FormulaValues& v) const override { return v.saved[index].borrowed(); }
  size_t index;
};

struct ResultGradient final : Expression {
  explicit ResultGradient(size_t i) : index(i) {}
  Value evaluate(const FormulaValues& v) const override {
    return index < v.results.size() ? v.results[index].borrowed() : Value();
  }
  size_t index;
};

struct ResultGradients final : Expression {
  Value evaluate(const FormulaValues& v) const override { return Value::borrow(v.results); }
};

struct Needed final : Expression {
  explicit Needed(size_t n) : count(n) {}
  Value evaluate(const FormulaValues& v) const override {
    Values items;
    for (size_t i = 0; i < count; ++i) items.emplace_back((v.needed >> i & 1) != 0);
    return Value::list(items);
  }
  size_t count;
};

struct ListOf final : Expression {
  Value evaluate(const FormulaValues& v) const override {
    Values values;
    for (const Part& item : items) values.push_back(item->evaluate(v));
    return Value::packed(values);
  }
  std::vector<Part> items;
};

struct Indexed final : Expression {
  Value evaluate(const FormulaValues& v) const override {
    const Value l = list->evaluate(v), i = index->evaluate(v);
    if (l.is_none()) return {};
    const int64_t at = i.as_int64();
    const auto wrapped = [&](size_t n) { return static_cast<size_t>(at < 0 ? at + static_cast<int64_t>(n) : at); };
    if (l.kind() == Value::Kind::IntList) {
      const auto ints = l.as_ints();
      ERSATZ_ASSERT(wrapped(ints.size()) < ints.size(), "a derivative reads item {} of {}", at, ints.size());
      return ints[wrapped(ints.size())];
    }
    const auto items = l.as_list();
    ERSATZ_ASSERT(wrapped(items.size()) < items.size(), "a derivative reads item {} of {}", at, items.size());
    return items[wrapped(items.size())];
  }
  Part list, index;
};

struct Conditional final : Expression {
  Value evaluate(const FormulaValues& v) const override {
    return condition->evaluate(v).as_bool() ? yes->evaluate(v) : no->evaluate(v);
  }
  Part condition, yes, no;
};

enum class Operator : uint8_t { Or, And, Not, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub, Mul, Div, FloorDiv, Neg };

inline bool truth(const Value& v) { return v.kind() == Value::Kind::Bool ? v.as_bool() : !v.is_none(); }

inline bool equal(const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return a == b;
  if (a.kind() == Value::Kind::Complex || b.kind() == Value::Kind::Complex) {
    return a.as_scalar().to_complex() == b.as_scalar().to_complex();
  }
  if (a.kind() == Value::Kind::Float || b.kind() == Value::Kind::Float) return a.as_double() == b.as_double();
  return guard_eq(a.as_int(), b.as_int());
}

inline Value arithmetic(Operator op, const Value& a, const Value& b) {
  if (a.is_none() || b.is_none()) return {};  // None is an undefined gradient: so is the result
  if (a.is_tensor() || b.is_tensor()) {
    const char sign = op == Operator::Add ? '+' : op == Operator::Sub ? '-' : op == Operator::Mul ? '*' : '/';
    return gradient_ops().arithmetic(sign, a, b);
  }
  if (a.kind() == Value::Kind::Complex || b.kind() == Value::Kind::Complex) {
    const std::complex<double> x = a.as_scalar().to_complex(), y = b.as_scalar().to_complex();
    return op == Operator::Add ? x + y : op == Operator::Sub ? x - y : op == Operator::Mul ? x * y : x / y;
  }
  if (op != Operator::Div && a.kind() != Value::Kind::Float && b.kind() != Value::Kind::Float) {
    const SymInt x = a.as_int(), y = b.as_int();
    return op == Operator::Add ? x + y : op == Operator::Sub ? x - y : op == Operator::Mul ? x * y : floor_div(x, y);
  }
  const double x = a.as_double(), y = b.as_double();
  if (op == Operator::FloorDiv) return std::floor(x / y);
  return op == Operator::Add ? x + y : op == Operator::Sub ? x - y : op == Operator::Mul ? x * y : x / y;
}

struct Operation final : Expression {
  Value evaluate(const FormulaValues& v) const override {
    const Value a = left->evaluate(v);
    switch (op) {
      case Operator::Or:
        return truth(a) || truth(right->evaluate(v));
      case Operator::And:
        return truth(a) && truth(right->evaluate(v));
      case Operator::Not:
        return !truth(a);
      case Operator::Neg:
        if (a.is_tensor()) return gradient_ops().negative(a.tensor());
        return arithmetic(Operator::Sub, a.kind() == Value::Kind::Float ? Value(-0.0) : Value(0), a);
      default:
        break;
    }
    const Value b = right->evaluate(v);
    switch (op) {
      case Operator::Eq:
        return equal(a, b);
      case Operator::Ne:
        return !equal(a, b);
      case Operator::Lt:
      case Operator::Le:
      case Operator::Gt:
      case Operator::Ge:
        return ordered(a, b);
      default:
        return arithmetic(op, a, b);
    }
  }
  Value ordered(const Value& a, const Value& b) const {
    if (a.kind() != Value::Kind::Float && b.kind() != Value::Kind::Float) {
      const SymInt x = a.as_int(), y = b.as_int();
      return op == Operator::Lt   ? guard_lt(x, y)
             : op == Operator::Le ? guard_le(x, y)
             : op == Operator::Gt ? guard_gt(x, y)
                                  : guard_ge(x, y);
    }
    const double x = a.as_double(), y = b.as_double();
    return op == Operator::Lt ? x < y : op == Operator::Le ? x <= y : op == Operator::Gt ? x > y : x >= y;
  }
  Operator op = Operator::Add;
  Part left, right;
};

struct FunctionCall final : Expression {
  Value evaluate(const FormulaValues& v) const override {
    InlineVec<Value, 6> values;
    for (const Part& a : arguments) values.push_back(a->evaluate(v));
    return function(values);
  }
  GradientFunction function = nullptr;
  std::vector<Part> arguments;
};

struct OperatorCall final : Expression {
  Value evaluate(const FormulaValues& v) const override {
    InlineVec<Value, 8> values;
    for (size_t i = 0; i < arguments.size(); ++i) {
      Value a = arguments[i]->evaluate(v);
      const Argument& expected = op->schema.arguments[i];
      if (a.is_none() && expected.type.base == BaseType::Tensor && expected.type.wraps.empty()) return {};
      if (!expected.is_ready(a.kind())) check_argument(op->schema, i, a);
      values.push_back(std::move(a));
    }
    Values results;
    dispatch(*op, values, results);
    if (results.size() == 1) return std::move(results[0]);
    return Value::list(results);
  }
  const OpEntry* op = nullptr;
  std::vector<Part> arguments;  ///< one per argument of the schema
};

}  // namespace ersatz::formula
