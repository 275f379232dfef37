#include "fake/mode/real_symbols.h"

#include <algorithm>

#include "runtime/sym/sym_value.h"

namespace ersatz {
namespace {

/// Replaces each expression by its real value. Returns false if an expression has no real value.
bool replace(const ShapeEnv& env, DimVec& sizes) {
  for (SymInt& s : sizes) {
    const std::optional<int64_t> v = env.real_value(s);
    if (!v) return false;
    s = *v;
  }
  return true;
}

void learn(ShapeEnv& env, SymInt said, SymInt real) {
  if (is_bare_symbol(said) && !value_at_hints(said) && real.is_int()) env.set_real_value(said, real.as_int());
}

}  // namespace

namespace {
bool is_over_symbols(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::Tensor:
      return v.tensor_impl()->meta.is_symbolic() || v.tensor_impl()->storage->nbytes().is_symbolic();
    case Value::Kind::Bool:
    case Value::Kind::Int:
    case Value::Kind::Float:
      return v.is_symbolic();
    case Value::Kind::IntList:
      return !all_int(v.as_ints());
    case Value::Kind::List:
      return holds_symbols(v.as_list());
    default:
      return false;
  }
}
}  // namespace

bool holds_symbols(std::span<const Value> values) { return std::any_of(values.begin(), values.end(), is_over_symbols); }

bool holds_symbols(const RuleResult& rule) {
  return std::any_of(rule.outputs.begin(), rule.outputs.end(), [](const OutputSpec& o) {
    return o.kind == OutputSpec::Kind::Number ? o.number.is_symbolic() : o.meta.is_symbolic();
  });
}

std::optional<Value> at_real_values(const ShapeEnv& env, const Value& leaf) {
  if (!is_over_symbols(leaf)) return leaf.borrowed();
  if (leaf.kind() == Value::Kind::Float) return std::nullopt;  // the ShapeEnv has no real values of floats
  if (leaf.kind() == Value::Kind::IntList) {
    DimVec sizes(leaf.as_ints());
    return replace(env, sizes) ? std::optional(Value(sizes)) : std::nullopt;
  }
  const std::optional<int64_t> v = env.real_value(leaf.as_int());
  if (!v) return std::nullopt;
  return leaf.kind() == Value::Kind::Bool ? Value(*v != 0) : Value(*v);
}

std::optional<OutputSpec> at_real_values(const ShapeEnv& env, const OutputSpec& output) {
  OutputSpec out = output;
  if (output.kind == OutputSpec::Kind::None) return out;
  if (output.kind == OutputSpec::Kind::Number) {
    const std::optional<Value> v = at_real_values(env, output.number);
    if (!v) return std::nullopt;
    out.number = *v;
    return out;
  }
  const std::optional<int64_t> offset = env.real_value(out.meta.offset);
  if (!offset || !replace(env, out.meta.sizes) || !replace(env, out.meta.strides)) return std::nullopt;
  out.meta.offset = *offset;
  return out;
}

void learn_real_values(ShapeEnv& env, const OutputSpec& output, const Value& real) {
  if (output.kind == OutputSpec::Kind::Number) {
    if (!output.number.is_symbolic() || real.is_symbolic()) return;
    if (output.number.kind() == Value::Kind::Int && real.kind() == Value::Kind::Int && SymInt::holds(real.as_int64()))
      learn(env, output.number.as_int(), real.as_int());
    // `item` of a bool tensor returns the condition `symbol == 1`.
    if (output.number.kind() == Value::Kind::Bool && real.kind() == Value::Kind::Bool)
      learn(env, condition_of(output.number.as_int()).a, real.as_bool() ? 1 : 0);
    return;
  }
  if (!real.is_tensor()) return;
  const TensorMeta& actual = real.tensor_impl()->meta;
  if (actual.sizes.size() != output.meta.sizes.size()) return;
  for (size_t d = 0; d < actual.sizes.size(); ++d) learn(env, output.meta.sizes[d], actual.sizes[d]);
}

}  // namespace ersatz
