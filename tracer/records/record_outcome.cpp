#include "tracer/records/record_outcome.h"

namespace ersatz {
namespace {

/// Returns the AliasPlace of result k. If a result is an argument, it shares the argument's memory, whatever its
/// storage number is.
AliasPlace place_of(const CallRecord& record, const RecordedOutcome& outcome, size_t k) {
  const RecordedTensor& t = outcome.results[k].tensor;
  AliasPlace place;
  place.same_object = place.same_storage = t.is;
  for (size_t i = 0; i < record.tensors.size() && place.same_storage < 0; ++i) {
    if (record.tensors[i].storage == t.storage) place.same_storage = static_cast<int>(i);
  }
  for (size_t i = 0; i < k && place.same_storage < 0; ++i) {
    const RecordedResult& r = outcome.results[i];
    if (r.kind == RecordedResult::Kind::Tensor && r.tensor.storage == t.storage)
      place.same_storage = static_cast<int>(record.tensors.size() + i);
  }
  return place;
}

}  // namespace

OutcomeLeaf leaf_of(const RecordedTensor& tensor) { return leaf_of(tensor.meta); }

Outcome outcome_of(const CallRecord& record, const RecordedOutcome& outcome) {
  Outcome made;
  made.error = outcome.error;
  for (size_t k = 0; k < outcome.results.size(); ++k) {
    const RecordedResult& r = outcome.results[k];
    if (r.kind == RecordedResult::Kind::Tensor) {
      made.results.push_back(leaf_of(r.tensor));
      made.results.back().place = place_of(record, outcome, k);
    } else if (r.kind == RecordedResult::Kind::Number) {
      OutcomeLeaf& leaf = made.results.emplace_back();
      leaf.kind = OutcomeLeaf::Kind::Number;
      leaf.number = &r.number;
    } else {
      made.results.emplace_back();
    }
  }
  for (const RecordedTensor& t : record.tensors) made.after.push_back(leaf_of(t));
  for (const auto& [argument, t] : outcome.after) {
    if (argument >= 0 && static_cast<size_t>(argument) < made.after.size())
      made.after[static_cast<size_t>(argument)] = leaf_of(t);
  }
  return made;
}

}  // namespace ersatz
