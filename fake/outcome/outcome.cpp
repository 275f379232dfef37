#include "fake/outcome/outcome.h"

namespace ersatz {
namespace {

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

/// Returns one AliasPlace per result, like alias_map, but compares only the identity of TensorImpl and Storage objects.
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

}  // namespace

OutcomeLeaf leaf_of(const Value& v) {
  OutcomeLeaf leaf;
  if (v.is_tensor()) {
    leaf.kind = OutcomeLeaf::Kind::Tensor;
    leaf.meta = &v.tensor_impl()->meta;
  } else if (!v.is_none()) {
    leaf.kind = OutcomeLeaf::Kind::Number;
    leaf.number = &v;
  }
  return leaf;
}

OutcomeLeaf leaf_of(const OutputSpec& output) {
  if (output.kind == OutputSpec::Kind::Number) return leaf_of(output.number);
  if (output.kind == OutputSpec::Kind::None) return {};
  return leaf_of(output.meta, output.unknown_layout ? MetaFields{MetaField::Stride} : MetaFields{});
}

Outcome outcome_of(std::span<TensorImpl* const> arguments, std::span<const Value> results, Sharing sharing) {
  Outcome outcome;
  for (const Value& v : results) outcome.results.push_back(leaf_of(v));
  if (sharing == Sharing::Ignored) return outcome;
  const AliasMap map = sharing == Sharing::ByBytes ? alias_map(arguments, results) : object_map(arguments, results);
  for (size_t k = 0; k < map.size(); ++k) outcome.results[k].place = map[k];
  return outcome;
}

Outcome outcome_of(std::span<TensorImpl* const> arguments, const RuleResult& rule) {
  Outcome outcome;
  for (const OutputSpec& o : rule.outputs) {
    OutcomeLeaf& leaf = outcome.results.emplace_back(leaf_of(o));
    AliasPlace& place = leaf.place.emplace();
    if (o.kind != OutputSpec::Kind::View && o.kind != OutputSpec::Kind::Same) continue;
    place.same_storage = find_storage(arguments, o.source->storage.get());
    if (o.kind == OutputSpec::Kind::Same) place.same_object = find_tensor(arguments, o.source);
  }
  return outcome;
}

AliasMap places_of(const Outcome& outcome) {
  AliasMap map;
  for (const OutcomeLeaf& leaf : outcome.results) map.push_back(leaf.place.value_or(AliasPlace()));
  return map;
}

}  // namespace ersatz
