#include "tools/live/live_outcome.h"

#include <algorithm>

#include "runtime/base/other_devices.h"
#include "runtime/op/dispatch.h"
#include "runtime/plugin/codes.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

/// The fields that a live program reports of a tensor: all but requires_grad.
const CompareOptions kTold{.fields = kAllButRequiresGrad};

/// True if the tensor is on CUDA or on a metadata-only device, as CallRecord::on_cuda is.
bool is_elsewhere(const RecordedTensor& t) { return t.meta.device.is_cuda() || is_other(t.meta.device); }

/// Converts a tensor of the outcome. `fresh` has the storages of the outcome that no argument has, in order of first
/// use.
RecordedTensor recorded(const AskedCall& call, const CallRecord& record, const ErsatzTensorMeta& t,
                        std::vector<uint64_t>& fresh) {
  RecordedTensor r;
  r.meta = meta_of(t);
  r.nbytes = t.storage_bytes;
  r.is = call.with_object(t.object);
  const int beside = call.with_storage(t.storage);
  if (beside >= 0) {
    r.storage = record.tensors[static_cast<size_t>(beside)].storage;
    return r;
  }
  int64_t next = 0;
  for (const RecordedTensor& a : record.tensors) next = std::max(next, a.storage + 1);
  const auto at = std::find(fresh.begin(), fresh.end(), t.storage);
  r.storage = next + (at - fresh.begin());
  if (at == fresh.end()) fresh.push_back(t.storage);
  return r;
}

}  // namespace

bool same_meta(const OutcomeLeaf& ours, const ErsatzTensorMeta& theirs) {
  const TensorMeta meta = meta_of(theirs);
  return compare(ours, leaf_of(meta), kTold).same_meta();
}

OutcomeLeaf argument_before(const AskedCall& call, size_t argument) { return leaf_of(call.tensors()[argument].meta()); }

OutcomeDiff compare_with_rule(const AskedCall& call, const RuleResult& rule, const LiveOutcome& outcome) {
  InlineVec<TensorImpl*, 4> arguments;
  for (const Tensor& t : call.tensors()) arguments.push_back(t.impl());
  const auto n = static_cast<int>(arguments.size());
  Outcome predicted = outcome_of(arguments, rule), observed;
  for (size_t i = 0; i < outcome.after.size(); ++i) {
    OutcomeLeaf& leaf = predicted.after.emplace_back(argument_before(call, i));
    for (const OutputSpec& o : rule.outputs) {
      if (o.kind == OutputSpec::Kind::Same && o.source == arguments[i] && o.metadata_changed) leaf.meta = &o.meta;
    }
  }

  std::vector<TensorMeta> metas;
  metas.reserve(outcome.results.size() + outcome.after.size());
  std::vector<Value> numbers;
  numbers.reserve(outcome.results.size());
  for (size_t k = 0; k < outcome.results.size(); ++k) {
    const ErsatzValue& v = outcome.results[k];
    if (v.kind != ERSATZ_TENSOR) {
      observed.results.push_back(leaf_of(numbers.emplace_back(value_from_c(v))));
      observed.results.back().place.emplace();
      continue;
    }
    const ErsatzTensorMeta& t = *v.as.meta;
    OutcomeLeaf& leaf = observed.results.emplace_back(leaf_of(metas.emplace_back(meta_of(t))));
    AliasPlace& place = leaf.place.emplace();
    place.same_object = call.with_object(t.object);
    place.same_storage = call.with_storage(t.storage);
    for (size_t j = 0; j < k && place.same_storage < 0; ++j) {
      const ErsatzValue& earlier = outcome.results[j];
      if (earlier.kind == ERSATZ_TENSOR && earlier.as.meta->storage == t.storage)
        place.same_storage = n + static_cast<int>(j);
    }
  }
  for (size_t i = 0; i < outcome.after.size(); ++i) {
    const ErsatzTensorMeta& t = *outcome.after[i];
    OutcomeLeaf& leaf = observed.after.emplace_back(leaf_of(metas.emplace_back(meta_of(t))));
    leaf.moved = call.tensor_meta(i).storage != t.storage;
  }
  return compare(predicted, observed, kTold);
}

size_t results_that_count(std::span<const ErsatzValue> results) {
  const auto is_result = [](const ErsatzValue& v) { return v.kind != ERSATZ_NONE; };
  return static_cast<size_t>(std::max<ptrdiff_t>(1, std::count_if(results.begin(), results.end(), is_result)));
}

CallRecord record_of_call(const OpEntry& op, const AskedCall& call) {
  return record_arguments(op, call.arguments(), 0);
}

CallRecord record_of_call(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome) {
  CallRecord record = record_of_call(op, call);
  if (const TorchVersion torch = rule_context().torch; torch != TorchVersion()) record.torch = torch;
  record.format = kRecordFormat;
  record.uninit = op.tags.has(Tag::Uninitialized);
  record.unwritten = outcome.unwritten;
  for (const RecordedTensor& t : record.tensors) record.on_cuda |= is_elsewhere(t);
  if (outcome.error) {
    record.outcome.error = outcome.error;
    record.outcome.message = outcome.message;
    return record;
  }
  std::vector<uint64_t> fresh;
  for (const ErsatzValue& v : outcome.results) {
    RecordedResult& r = record.outcome.results.emplace_back();
    if (v.kind == ERSATZ_TENSOR) {
      r.kind = RecordedResult::Kind::Tensor;
      r.tensor = recorded(call, record, *v.as.meta, fresh);
      record.on_cuda |= is_elsewhere(r.tensor);
    } else if (v.kind != ERSATZ_NONE) {
      r.kind = RecordedResult::Kind::Number;
      r.number = value_from_c(v);
    }
  }
  for (size_t i = 0; i < outcome.after.size(); ++i) {
    bool declared = false;
    for (const uint16_t at : op.written) {
      for_each_tensor(call.arguments().subspan(at, 1),
                      [&](const TensorImpl* t) { declared |= t == call.tensors()[i].impl(); });
    }
    const bool changed = !same_meta(argument_before(call, i), *outcome.after[i]) ||
                         call.tensor_meta(i).storage != outcome.after[i]->storage;
    const bool rewritten =
        std::find(outcome.rewritten.begin(), outcome.rewritten.end(), static_cast<int>(i)) != outcome.rewritten.end();
    if (declared || changed || rewritten || outcome.versions_before[i] != outcome.versions_after[i]) {
      record.outcome.after.emplace_back(static_cast<int>(i), recorded(call, record, *outcome.after[i], fresh));
    }
  }
  return record;
}

}  // namespace ersatz::tools
