#include "tools/live/live_outcome.h"

#include <algorithm>

#include "runtime/plugin/codes.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

bool same_dims(std::span<const SymInt> ours, const int64_t* theirs) {
  for (size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].is_symbolic() || ours[i].as_int() != theirs[i]) return false;
  }
  return true;
}

bool same_dtype(ErsatzDType a, ErsatzDType b) { return a.code == b.code && a.bits == b.bits; }

bool same_but_dtype(const TensorMeta& ours, const ErsatzTensorMeta& theirs) {
  const ErsatzDevice device = to_c(ours.device);
  return device.type == theirs.device.type && device.index == theirs.device.index && ours.dim() == theirs.ndim &&
         same_dims(ours.sizes, theirs.sizes) && same_dims(ours.strides, theirs.strides) && !ours.offset.is_symbolic() &&
         ours.offset.as_int() == theirs.offset && ours.conj == bool(theirs.flags & ERSATZ_CONJ) &&
         ours.neg == bool(theirs.flags & ERSATZ_NEG);
}

/// `fresh`: storages of the outcome that no argument has, in the order in which they were met.
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

bool same_meta(const TensorMeta& ours, const ErsatzTensorMeta& theirs) {
  return same_dtype(to_c(ours.dtype), theirs.dtype) && same_but_dtype(ours, theirs);
}

bool same_meta(const RecordedTensor& ours, const ErsatzTensorMeta& theirs) { return same_meta(ours.meta, theirs); }

bool same_meta(const AskedCall& call, size_t argument, const ErsatzTensorMeta& after) {
  return same_dtype(call.told(argument).dtype, after.dtype) && same_but_dtype(call.tensors()[argument].meta(), after);
}

size_t results_that_count(std::span<const ErsatzAskedValue> results) {
  const auto is_result = [](const ErsatzAskedValue& v) { return v.kind != ERSATZ_ASKED_NONE; };
  return static_cast<size_t>(std::max<ptrdiff_t>(1, std::count_if(results.begin(), results.end(), is_result)));
}

CallRecord record_told(const OpEntry& op, const AskedCall& call) { return record_arguments(op, call.arguments(), 0); }

CallRecord record_told(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome) {
  CallRecord record = record_told(op, call);
  record.format = kRecordFormat;
  record.uninit = op.tags.has(Tag::Uninitialized);
  record.unwritten = outcome.unwritten;
  for (const RecordedTensor& t : record.tensors) record.on_cuda |= t.meta.device.is_cuda();
  if (outcome.error) {
    record.outcome.error = outcome.error;
    record.outcome.message = outcome.message;
    return record;
  }
  std::vector<uint64_t> fresh;
  for (const ErsatzAskedValue& v : outcome.results) {
    RecordedResult& r = record.outcome.results.emplace_back();
    if (v.kind == ERSATZ_ASKED_TENSOR) {
      r.kind = RecordedResult::Kind::Tensor;
      r.tensor = recorded(call, record, *v.as.tensor, fresh);
      record.on_cuda |= r.tensor.meta.device.is_cuda();
    } else if (v.kind != ERSATZ_ASKED_NONE) {
      r.kind = RecordedResult::Kind::Number;
      r.number = told_value(v);
    }
  }
  for (size_t i = 0; i < outcome.after.size(); ++i) {
    bool declared = false;
    for (const uint16_t at : op.written) {
      for_each_tensor(call.arguments().subspan(at, 1),
                      [&](const TensorImpl* t) { declared |= t == call.tensors()[i].impl(); });
    }
    const bool changed = !same_meta(call, i, *outcome.after[i]) || call.told(i).storage != outcome.after[i]->storage;
    const bool rewritten =
        std::find(outcome.rewritten.begin(), outcome.rewritten.end(), static_cast<int>(i)) != outcome.rewritten.end();
    if (declared || changed || rewritten || outcome.versions_before[i] != outcome.versions_after[i]) {
      record.outcome.after.emplace_back(static_cast<int>(i), recorded(call, record, *outcome.after[i], fresh));
    }
  }
  return record;
}

}  // namespace ersatz::tools
