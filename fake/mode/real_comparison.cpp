#include "fake/mode/real_comparison.h"

#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

std::string spell(const TensorMeta& m) { return to_string(m, MetaStyle::Full); }

/// The first field that differs, and its two values.
std::optional<std::string> metadata_difference(const TensorMeta& fake, const TensorMeta& real, bool unknown_layout) {
  MetaFields differ = diff(fake, real, kAllMetaFields).significant;
  if (unknown_layout) differ.remove(MetaField::Stride);
  if (differ.empty()) return std::nullopt;
  const MetaField f = differ.first();
  return fmt::format("{}: {} vs {}", name(f), field_text(fake, f), field_text(real, f));
}

std::string places(const AliasMap& map, size_t arguments) {
  std::string text;
  for (size_t k = 0; k < map.size(); ++k) {
    text += fmt::format("{}output[{}] {}", k ? ", " : "", k, to_string(map[k], arguments));
  }
  return text;
}

int find_storage(std::span<TensorImpl* const> tensors, const Storage* s) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] && tensors[i]->storage.get() == s) return static_cast<int>(i);
  }
  return -1;
}
int find_tensor(std::span<TensorImpl* const> tensors, const TensorImpl* t) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] == t) return static_cast<int>(i);
  }
  return -1;
}

/// As alias_map has it, told from the objects of the tensors and storages alone.
AliasMap object_map(std::span<TensorImpl* const> arguments, std::span<const Value> results) {
  InlineVec<TensorImpl*, 4> seen;
  for (TensorImpl* t : arguments) seen.push_back(t);
  AliasMap map;
  for (const Value& v : results) {
    AliasPlace& place = map.emplace_back();
    TensorImpl* const t = v.is_tensor() ? v.tensor_impl() : nullptr;
    if (t) {
      place.same_object = find_tensor(seen, t);
      place.same_storage = find_storage(seen, t->storage.get());
    }
    seen.push_back(t);
  }
  return map;
}

/// What the rule says: nothing that it calls fresh shares anything.
AliasMap predicted_map(std::span<TensorImpl* const> arguments, const RuleResult& rule) {
  AliasMap map;
  for (const OutputSpec& o : rule.outputs) {
    AliasPlace& place = map.emplace_back();
    if (o.kind != OutputSpec::Kind::View && o.kind != OutputSpec::Kind::Same) continue;
    place.same_storage = find_storage(arguments, o.source->storage.get());
    if (o.kind == OutputSpec::Kind::Same) place.same_object = find_tensor(arguments, o.source);
  }
  return map;
}

}  // namespace

int argument_of(const OpEntry& op, std::span<const Value> args, size_t n) {
  size_t seen = 0;
  for (size_t i = 0; i < op.schema.arguments.size() && i < args.size(); ++i) {
    for_each_tensor(args.subspan(i, 1), [&](const TensorImpl*) { ++seen; });
    if (n < seen) return static_cast<int>(i);
  }
  return -1;
}

std::optional<std::string> real_mismatch(const OpEntry& op, size_t k, const OutputSpec& fake, const Value& real) {
  constexpr std::string_view kFound = "Real tensor propagation found";
  const bool tensor = fake.kind != OutputSpec::Kind::Number && fake.kind != OutputSpec::Kind::None;
  if (!tensor || !real.is_tensor()) {
    const bool none = fake.kind == OutputSpec::Kind::None && real.is_none();
    const bool number = fake.kind == OutputSpec::Kind::Number && fake.number == real;
    if (none || number) return std::nullopt;
    const std::string predicted = tensor ? to_string(fake.meta) : to_string(fake.number);
    return fmt::format(
        "{}: {} an output value mismatch between fake output value {} and real output value {}, at output[{}], for "
        "func: {}",
        op.base(), kFound, predicted, to_string(real), k, op.name);
  }
  const TensorMeta& a = fake.meta;
  const TensorMeta& b = real.tensor_impl()->meta;
  const auto found = [&](std::string_view what) {
    return fmt::format(
        "{}: {} a metadata mismatch between fake tensor {} and real tensor {}, at output[{}], for func: {} ({})",
        op.base(), kFound, spell(a), spell(b), k, op.name, what);
  };
  if (a.dim() != b.dim()) return found(fmt::format("rank: {} vs {}", a.dim(), b.dim()));
  for (size_t j = 0; j < a.sizes.size(); ++j) {
    if (sym_eq(a.sizes[j], b.sizes[j])) continue;
    return fmt::format(
        "{}: {} an output size mismatch between fake shape {} and real shape {}, at output[{}].size({}), for func: {} "
        "({} vs {})",
        op.base(), kFound, a.sizes, b.sizes, k, j, op.name, a.sizes[j], b.sizes[j]);
  }
  if (const auto what = metadata_difference(a, b, fake.unknown_layout)) return found(*what);
  return std::nullopt;
}

std::optional<std::string> real_count_mismatch(const OpEntry& op, const RuleResult& fake, std::span<const Value> real) {
  if (fake.outputs.size() == real.size()) return std::nullopt;
  return fmt::format(
      "{}: Real tensor propagation found an output value mismatch between {} fake and {} real outputs, for func: {}",
      op.base(), fake.outputs.size(), real.size(), op.name);
}

std::optional<std::string> real_alias_mismatch(const OpEntry& op, std::span<TensorImpl* const> fakes,
                                               std::span<TensorImpl* const> reals, const RuleResult& fake,
                                               std::span<const Value> real, bool own_bytes) {
  const AliasMap predicted = predicted_map(fakes, fake);
  const AliasMap observed = own_bytes ? alias_map(reals, real) : object_map(reals, real);
  if (predicted == observed) return std::nullopt;
  return fmt::format(
      "{}: Real tensor propagation found an aliasing mismatch between fake outputs ({}) and real outputs ({}), for "
      "func: {}",
      op.base(), places(predicted, fakes.size()), places(observed, reals.size()), op.name);
}

std::optional<std::string> undeclared_alias(const OpEntry& op, std::span<const Value> args,
                                            std::span<TensorImpl* const> reals, std::span<const Value> real) {
  const AliasMap observed = alias_map(reals, real);
  for (size_t k = 0; k < observed.size(); ++k) {
    const int other = observed[k].same_storage;
    if (other < 0) continue;
    // A list's elements all belong to the last return that there is.
    const auto& result = op.schema.returns[std::min(k, op.schema.returns.size() - 1)].alias;
    const int i = static_cast<size_t>(other) < reals.size() ? argument_of(op, args, static_cast<size_t>(other)) : -1;
    const auto* argument = i >= 0 ? &op.schema.arguments[static_cast<size_t>(i)] : nullptr;
    if (result && argument && argument->alias) continue;
    return fmt::format(
        "{}: output[{}] {}{}: its schema specified that the output does not alias it, but this seems to be empirically "
        "wrong, for func: {}",
        op.base(), k, to_string(observed[k], reals.size()),
        argument ? fmt::format(" (`{}`)", argument->name) : std::string(), op.name);
  }
  return std::nullopt;
}

}  // namespace ersatz
