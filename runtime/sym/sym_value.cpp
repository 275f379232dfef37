#include "runtime/sym/sym_value.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/float_text.h"
#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

SymInt made(SymCall c, std::initializer_list<SymInt> args) {
  const std::span<const SymInt> all(args.begin(), args.size());
  if (ShapeEnv::Impl* env = env_of(all)) {
    const SymLock lock(env->mutex);
    return env->call(c, args);
  }
  if (const std::optional<int64_t> v = call_value(c, all)) return *v;
  fail_argument("size arithmetic: {} has no value on numbers", name(c));
}

}  // namespace

SymInt truth_and(SymInt a, SymInt b) { return made(SymCall::And, {a, b}); }
SymInt truth_or(SymInt a, SymInt b) { return made(SymCall::Or, {a, b}); }
SymInt truth_not(SymInt a) { return made(SymCall::Not, {a}); }
bool is_truth(SymInt v) {
  if (v.is_int()) return v.is_identical(0) || v.is_identical(1);
  const SymAtom* a = sole_atom(v);
  if (a && a->call == SymCall::Where) return is_truth(a->args[1]) && is_truth(a->args[2]);
  return a && a->call >= SymCall::Eq && a->call <= SymCall::Not;
}
SymInt where(SymInt a, SymInt b, SymInt c) { return made(SymCall::Where, {a, b, c}); }

std::vector<std::string> free_symbols(SymInt v) {
  if (v.is_int()) return {};
  std::vector<const SymAtom*> atoms = symbols_of(v.node()->terms);
  std::sort(atoms.begin(), atoms.end(), [](const SymAtom* a, const SymAtom* b) { return a->id < b->id; });
  std::vector<std::string> out;
  for (const SymAtom* a : atoms) out.push_back(a->symbol->name);
  return out;
}

bool is_bare_symbol(SymInt v) {
  const SymAtom* a = sole_atom(v);
  return a && a->call == SymCall::Symbol;
}

/// Makes calls on floats of which at least one is an expression.
struct SymFloat::Calls {
  static SymFloat of(SymInt word) {
    SymFloat out(0.0);
    out.word_ = word;
    if (const SymAtom* a = sole_atom(word); a && a->call == SymCall::Float) return a->number;
    return out;
  }
  static SymInt word(const SymFloat& f, ShapeEnv::Impl& env) {
    return f.is_number() ? env.constant(f.number_) : f.word_;
  }
  static SymInt made(SymCall c, const SymFloat& a, const SymFloat& b) {
    const SymInt both[] = {a.word_, b.word_};
    ShapeEnv::Impl& env = *env_of(both);
    const SymLock lock(env.mutex);
    return env.call(c, {word(a, env), word(b, env)});
  }
  static SymInt made(SymCall c, const SymFloat& a) {
    ShapeEnv::Impl& env = *a.word_.node()->env;
    const SymLock lock(env.mutex);
    return env.call(c, {a.word_});
  }
  static SymInt rounded(SymCall c, const SymFloat& a, double whole) {
    if (!a.is_number()) return made(c, a);
    if (!(whole > -0x1p62 && whole < 0x1p63))
      fail_argument("size arithmetic: {} of {} must fit into 64 bits", name(c), a.number_);
    return static_cast<int64_t>(whole);
  }
};

SymFloat::SymFloat(SymInt v) {
  if (v.is_int()) {
    number_ = static_cast<double>(v.as_int());
  } else {
    word_ = made(SymCall::ToFloat, {v});
  }
}

SymFloat SymFloat::symbol(SymInt v) {
  if (!has_float_value(v)) fail_argument("symbol: a float is needed, not {}", v);
  return Calls::of(v);
}

SymFloat SymFloat::parse(std::string_view text, ShapeEnv& env) {
  const SymInt word = parse_number(text, env);
  return has_float_value(word) ? Calls::of(word) : SymFloat(word);
}

double SymFloat::guard_float() const {
  if (is_number()) return number_;
  ShapeEnv::Impl& env = *word_.node()->env;
  const SymLock lock(env.mutex);
  return env.guards.float_value(word_);
}

std::string SymFloat::text() const { return is_number() ? float_text(number_) : to_string(word_); }

std::optional<double> SymFloat::at_hints() const {
  if (is_number()) return number_;
  ShapeEnv::Impl& env = *word_.node()->env;
  const SymLock lock(env.mutex);
  return number_value(word_, [&](std::string_view name) { return env.find(name)->hint; });
}

SymFloat operator+(const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) return a.number_ + b.number_;
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::FloatAdd, a, b));
}
SymFloat operator-(const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) return a.number_ - b.number_;
  if (b.is_number()) return a + SymFloat(-b.number_);
  ShapeEnv::Impl& env = *b.word_.node()->env;
  const SymLock lock(env.mutex);
  return a + SymFloat::Calls::of(env.negative(b.word_));
}
SymFloat operator*(const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) return a.number_ * b.number_;
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::FloatMul, a, b));
}
SymFloat operator/(const SymFloat& a, const SymFloat& b) {
  if (b.is_number() && b.number_ == 0) fail_argument("size arithmetic: division by zero: {} / 0", a.text());
  if (a.is_number() && b.is_number()) return a.number_ / b.number_;
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::FloatTrueDiv, a, b));
}
SymFloat pow(const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) return std::pow(a.number_, b.number_);
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::FloatPow, a, b));
}
SymFloat sqrt(const SymFloat& a) {
  return a.is_number() ? SymFloat(std::sqrt(a.number_)) : SymFloat::Calls::of(SymFloat::Calls::made(SymCall::Sqrt, a));
}
SymFloat sym_min(const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) return std::min(a.number_, b.number_);
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::Min, a, b));
}
SymFloat sym_max(const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) return std::max(a.number_, b.number_);
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::Max, a, b));
}
SymFloat floor_div(const SymFloat& a, const SymFloat& b) {
  if (b.is_number() && b.number_ == 0) fail_argument("size arithmetic: division by zero: {} // 0", a.text());
  if (a.is_number() && b.is_number()) return std::floor(a.number_ / b.number_);
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::FloorDiv, a, b));
}
SymFloat floor_mod(const SymFloat& a, const SymFloat& b) {
  if (b.is_number() && b.number_ == 0) fail_argument("size arithmetic: division by zero: {} % 0", a.text());
  if (a.is_number() && b.is_number()) return floor_mod(a.number_, b.number_);
  return SymFloat::Calls::of(SymFloat::Calls::made(SymCall::Mod, a, b));
}
SymFloat where(SymInt a, const SymFloat& b, const SymFloat& c) {
  if (a.is_int()) return a.is_identical(0) ? c : b;
  ShapeEnv::Impl& env = *a.node()->env;
  const SymLock lock(env.mutex);
  return SymFloat::Calls::of(
      env.call(SymCall::Where, {a, SymFloat::Calls::word(b, env), SymFloat::Calls::word(c, env)}));
}
SymInt truth_of(SymCompare op, const SymFloat& a, const SymFloat& b) {
  if (a.is_number() && b.is_number()) {
    const int order = a.number_ < b.number_ ? -1 : a.number_ > b.number_ ? 1 : 0;
    const bool nan = std::isnan(a.number_) || std::isnan(b.number_);
    return nan ? op == SymCompare::Ne : compare(op, order, 0);
  }
  return SymFloat::Calls::made(static_cast<SymCall>(static_cast<int>(SymCall::Eq) + static_cast<int>(op)), a, b);
}
SymInt trunc_to_int(const SymFloat& a) {
  return SymFloat::Calls::rounded(SymCall::TruncToInt, a, std::trunc(a.number_));
}
SymInt floor_to_int(const SymFloat& a) {
  return SymFloat::Calls::rounded(SymCall::FloorToInt, a, std::floor(a.number_));
}
SymInt ceil_to_int(const SymFloat& a) { return SymFloat::Calls::rounded(SymCall::CeilToInt, a, std::ceil(a.number_)); }
SymInt round_to_int(const SymFloat& a) {
  return SymFloat::Calls::rounded(SymCall::RoundToInt, a, std::nearbyint(a.number_));
}

SymFloat true_divide(SymInt a, SymInt b) {
  if (b.is_identical(0)) fail_argument("size arithmetic: division by zero: {} / 0", a);
  if (a.is_int() && b.is_int()) return static_cast<double>(a.as_int()) / static_cast<double>(b.as_int());
  return SymFloat::Calls::of(made(SymCall::IntTrueDiv, {a, b}));
}

SymInt bit_and(SymInt a, SymInt b) { return made(SymCall::BitAnd, {a, b}); }
SymInt bit_or(SymInt a, SymInt b) { return made(SymCall::BitOr, {a, b}); }

bool require_truth(SymInt truth, std::string_view message) {
  if (truth.is_int()) return !truth.is_identical(0);
  ShapeEnv::Impl& env = *truth.node()->env;
  const SymLock lock(env.mutex);
  return env.guards.require(condition_of(truth), message);
}

const ShapeEnvSettings& settings_of(SymInt v) { return v.node()->env->settings; }

bool set_equal(SymInt a, SymInt b, std::string source) {
  const SymInt both[] = {a, b};
  ShapeEnv::Impl& env = *env_of(both);
  const SymLock lock(env.mutex);
  const SymbolLookup values = env.real_values();
  const std::optional<int64_t> x = integer_value(a, values), y = integer_value(b, values);
  if (x && y && *x != *y) return false;
  env.guards.add_fact({SymCompare::Eq, a, b}, std::move(source));
  return true;
}

}  // namespace ersatz
