#include "fake/outcome/compare.h"

#include <algorithm>

namespace ersatz {

bool OutcomeDiff::places() const {
  return std::any_of(results.begin(), results.end(), [](const Leaf& leaf) { return leaf.diff.place; });
}

LeafDiff compare(const OutcomeLeaf& predicted, const OutcomeLeaf& observed, const CompareOptions& options) {
  using Kind = OutcomeLeaf::Kind;
  LeafDiff d;
  if (predicted.place && observed.place) d.place = !(*predicted.place == *observed.place);
  d.place |= predicted.memory != observed.memory;
  if (predicted.kind == Kind::Unknown || observed.kind == Kind::Unknown) return d;
  if (predicted.kind != observed.kind) {
    d.kind = true;
    return d;
  }
  d.moved = predicted.moved != observed.moved;
  if (predicted.kind == Kind::Number) {
    const Value &p = *predicted.number, &o = *observed.number;
    const std::optional<bool> same = options.numbers ? options.numbers(p, o) : std::optional(p == o);
    d.number = !same.value_or(true);
    d.undecided = !same;
  }
  if (predicted.kind != Kind::Tensor) return d;
  const MetaFields fields = options.fields - predicted.open;
  d.meta = options.sizes ? diff(*predicted.meta, *observed.meta, fields, *options.sizes)
                         : diff(*predicted.meta, *observed.meta, fields);
  d.word = options.to_the_word && !(*predicted.meta == *observed.meta);
  return d;
}

OutcomeDiff compare(const Outcome& predicted, const Outcome& observed, const CompareOptions& options) {
  OutcomeDiff d;
  d.error = predicted.error != observed.error;
  if (d.error || !predicted.error.empty()) return d;
  d.count = predicted.results.size() != observed.results.size();
  const auto compare_all = [&](const auto& mine, const auto& theirs, InlineVec<OutcomeDiff::Leaf, 1>& found) {
    for (size_t k = 0; k < std::min(mine.size(), theirs.size()); ++k) {
      LeafDiff one = compare(mine[k], theirs[k], options);
      if (!one.is_equal()) found.push_back({k, one});
    }
  };
  if (!d.count) compare_all(predicted.results, observed.results, d.results);
  compare_all(predicted.after, observed.after, d.arguments);
  return d;
}

}  // namespace ersatz
