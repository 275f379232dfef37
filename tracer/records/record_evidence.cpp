#include "tracer/records/record_evidence.h"

#include <algorithm>

#include "tracer/records/recorded_values.h"

namespace ersatz {
namespace {

using Kind = RecordedResult::Kind;

const RecordedTensor* after(const RecordedOutcome& outcome, size_t argument) {
  for (const auto& [k, t] : outcome.after) {
    if (static_cast<size_t>(k) == argument) return &t;
  }
  return nullptr;
}

bool says_the_same(const RecordedTensor& a, const RecordedTensor& b) {
  return a.meta == b.meta && a.storage == b.storage && a.has_values == b.has_values && a.values == b.values;
}

}  // namespace

RecordEvidence::RecordEvidence(const CallRecord& record, const RecordedOutcome& outcome, std::span<const int> flat,
                               const Options& options)
    : record_(&record), flat_(flat), options_(options) {
  const bool told = options.of != Evidence::Of::SomeRun;
  // A device may share memory differently from the CPU. If the record has a prediction for CUDA, the prediction's
  // sharing is used.
  const bool predicted = !told && record.cuda_fake && !record.cuda_fake->results.empty();
  for (const RecordedResult& r : (predicted ? *record.cuda_fake : outcome).results) {
    ResultFacts& f = results_.emplace_back();
    if (r.kind == Kind::Tensor) f = tensor(r.tensor, outcome);
    if (r.kind == Kind::Number) (options.of == Evidence::Of::Prediction ? f.recorded_number : f.number) = r.number;
  }
  if (!told) return;
  if (!outcome.error.empty()) error_ = ErrorFact{outcome.family(), ""};
  add_arguments(outcome);
}

Evidence RecordEvidence::evidence() const {
  Evidence t;
  t.of = options_.of;
  t.results = results_;
  t.arguments = arguments_;
  t.error = error_;
  t.random = record_->random;
  t.uninitialized = record_->uninit;
  t.raises_by_values = record_->value_dependent && options_.of == Evidence::Of::ThisCall;
  return t;
}

TensorMeta RecordEvidence::meta(const RecordedTensor& t) const {
  TensorMeta meta = t.meta;
  if (options_.device.is_cuda()) meta.device = options_.device;
  return meta;
}

Tensor RecordEvidence::values(const RecordedTensor& t) const {
  return options_.values && !t.values.empty() ? recorded_values(t, t.meta) : Tensor();
}

ResultFacts RecordEvidence::tensor(const RecordedTensor& t, const RecordedOutcome& storages) const {
  ResultFacts f;
  f.alias.kind = AliasFact::Kind::Own;
  for (size_t k = 0; k < record_->tensors.size(); ++k) {
    const RecordedTensor* changed = after(storages, k);
    if ((changed ? changed : &record_->tensors[k])->storage != t.storage || flat_[k] < 0) continue;
    f.alias.kind = AliasFact::Kind::Argument;
    f.alias.argument = flat_[k];
    break;
  }
  if (options_.of == Evidence::Of::SomeRun) return f;
  (options_.of == Evidence::Of::Prediction ? f.record : f.eager) = meta(t);
  f.is = t.is < 0 ? -1 : flat_[static_cast<size_t>(t.is)];
  f.storage = t.storage;
  f.values = values(t);
  return f;
}

void RecordEvidence::add_arguments(const RecordedOutcome& outcome) {
  for (size_t k = 0; k < record_->tensors.size(); ++k) {
    if (flat_[k] < 0) continue;
    const RecordedTensor* changed = after(outcome, k);
    const RecordedTensor& recorded = changed ? *changed : record_->tensors[k];
    const auto at = static_cast<size_t>(flat_[k]);
    if (arguments_.size() <= at) arguments_.resize(at + 1);
    ArgumentFacts& f = arguments_[at];
    f.meta = meta(recorded);
    f.storage = recorded.storage;
    f.values = values(recorded);
    f.changed = changed != nullptr;
    for (const RecordedResult& r : outcome.results) {
      const bool is = r.kind == Kind::Tensor && r.tensor.is == static_cast<int>(k);
      if (!is) continue;
      f.is_result = !changed || says_the_same(*changed, r.tensor);
      break;
    }
  }
}

}  // namespace ersatz
