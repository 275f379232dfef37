#include "fake/mode/real_comparison.h"

#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

std::string spell(const TensorMeta& m) { return to_string(m, MetaStyle::Full); }

std::string places(const AliasMap& map, size_t arguments) {
  std::string text;
  for (size_t k = 0; k < map.size(); ++k) {
    text += fmt::format("{}output[{}] {}", k ? ", " : "", k, to_string(map[k], arguments));
  }
  return text;
}

std::string spell(const OutcomeLeaf& leaf) {
  if (leaf.kind == OutcomeLeaf::Kind::Tensor) return to_string(*leaf.meta);
  return leaf.number ? to_string(*leaf.number) : to_string(Value());
}

/// Returns the message about a difference in one result; nullopt if the difference is not significant.
std::optional<std::string> leaf_mismatch(const OpEntry& op, size_t k, const OutcomeLeaf& fake, const OutcomeLeaf& real,
                                         const LeafDiff& d) {
  constexpr std::string_view kFound = "Real tensor propagation found";
  if (d.kind || d.number) {
    return fmt::format(
        "{}: {} an output value mismatch between fake output value {} and real output value {}, at output[{}], for "
        "func: {}",
        op.base(), kFound, spell(fake), spell(real), k, op.name);
  }
  if (!d.meta.is_significant()) return std::nullopt;
  const TensorMeta &a = *fake.meta, &b = *real.meta;
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
  const MetaField f = d.meta.significant.first();
  return found(fmt::format("{}: {} vs {}", name(f), field_text(a, f), field_text(b, f)));
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

std::vector<std::string> real_mismatches(const OpEntry& op, const Outcome& predicted, const Outcome& observed,
                                         size_t arguments) {
  const OutcomeDiff d = compare(predicted, observed, {.fields = kAllMetaFields});
  std::vector<std::string> found;
  if (d.count) {
    found.push_back(fmt::format(
        "{}: Real tensor propagation found an output value mismatch between {} fake and {} real outputs, for func: {}",
        op.base(), predicted.results.size(), observed.results.size(), op.name));
  }
  for (const auto& [k, leaf] : d.results) {
    if (auto what = leaf_mismatch(op, k, predicted.results[k], observed.results[k], leaf))
      found.push_back(*std::move(what));
  }
  if (d.places()) {
    found.push_back(fmt::format(
        "{}: Real tensor propagation found an aliasing mismatch between fake outputs ({}) and real outputs ({}), for "
        "func: {}",
        op.base(), places(places_of(predicted), arguments), places(places_of(observed), arguments), op.name));
  }
  return found;
}

std::optional<std::string> undeclared_alias(const OpEntry& op, std::span<const Value> args,
                                            std::span<TensorImpl* const> reals, std::span<const Value> real) {
  const AliasMap observed = alias_map(reals, real);
  for (size_t k = 0; k < observed.size(); ++k) {
    const int other = observed[k].same_storage;
    if (other < 0) continue;
    // Elements of a returned list have higher indices than the schema has returns. They belong to the last return.
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
