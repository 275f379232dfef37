#include "tools/calls/contradicted_prediction.h"

#include <algorithm>
#include <set>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz::tools {

namespace {

using Kind = RecordedResult::Kind;

bool answers(const RecordedOutcome& o) { return o.error.empty() && !o.refused; }

bool same(const DimVec& a, const DimVec& b) { return sym_eq(a, b); }
bool same(const SymInt& a, const SymInt& b) { return guard_eq(a, b); }
template <typename T>
bool same(const T& a, const T& b) {
  return a == b;
}

/// Replaces a field of the CUDA prediction (`prediction`) by the field of the real CPU run (`run`). Does so only if the
/// CUDA prediction equals the CPU prediction (`fake`) and the run differs. Returns true if it replaced the field.
template <typename T>
bool settle(T& prediction, const T& fake, const T& run) {
  if (!same(prediction, fake) || same(fake, run)) return false;
  prediction = run;
  return true;
}

bool settle_meta(TensorMeta& prediction, const TensorMeta& fake, const TensorMeta& run) {
  bool any = settle(prediction.dtype, fake.dtype, run.dtype);
  any |= settle(prediction.sizes, fake.sizes, run.sizes);
  any |= settle(prediction.strides, fake.strides, run.strides);
  any |= settle(prediction.offset, fake.offset, run.offset);
  any |= settle(prediction.conj, fake.conj, run.conj);
  return settle(prediction.neg, fake.neg, run.neg) || any;
}

bool same_kinds(const RecordedOutcome& a, const RecordedOutcome& b) {
  return std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                    [](const RecordedResult& x, const RecordedResult& y) { return x.kind == y.kind; });
}

/// Returns the recorded tensor of argument k after the call. If `o.after` does not have the argument, returns the
/// tensor before the call.
const RecordedTensor& argument_after(const CallRecord& record, const RecordedOutcome& o, int k) {
  for (const auto& [number, t] : o.after) {
    if (number == k) return t;
  }
  return record.tensors[static_cast<size_t>(k)];
}

/// Returns the element of `o.after` for argument k. If there is none, adds an element with the metadata before the
/// call.
RecordedTensor& written_argument(const CallRecord& record, RecordedOutcome& o, int k) {
  for (auto& [number, t] : o.after) {
    if (number == k) return t;
  }
  return o.after.emplace_back(k, record.tensors[static_cast<size_t>(k)]).second;
}

/// Describes which tensors share storage, independently of storage ids. For each argument, then each result, the list
/// has the index of the first tensor on its storage. After a result's index, it has the number of the argument that the
/// result is (`is`).
std::vector<int64_t> sharing(const CallRecord& record, const RecordedOutcome& o) {
  std::vector<int64_t> names, facts;
  const auto see = [&](int64_t name) {
    facts.push_back(std::find(names.begin(), names.end(), name) - names.begin());
    names.push_back(name);
  };
  for (size_t k = 0; k < record.tensors.size(); ++k) see(argument_after(record, o, static_cast<int>(k)).storage);
  for (const RecordedResult& r : o.results) {
    if (r.kind != Kind::Tensor) continue;
    see(r.tensor.storage);
    facts.push_back(r.tensor.is);
  }
  return facts;
}

}  // namespace

std::optional<CallRecord> without_contradicted(const CallRecord& record) {
  if (!record.fake || !record.cuda_fake) return std::nullopt;
  const RecordedOutcome &run = record.outcome, &fake = *record.fake;
  if (!answers(run) || !answers(fake) || !answers(*record.cuda_fake)) return std::nullopt;
  if (!same_kinds(run, fake) || !same_kinds(run, *record.cuda_fake)) return std::nullopt;
  CallRecord settled = record;
  RecordedOutcome& prediction = *settled.cuda_fake;
  const auto predicted = sharing(record, prediction);
  const bool sharing_is = predicted == sharing(record, fake) && predicted != sharing(record, run);
  bool any = sharing_is;
  for (size_t k = 0; k < run.results.size(); ++k) {
    RecordedResult& r = prediction.results[k];
    if (r.kind == Kind::Number) any |= settle(r.number, fake.results[k].number, run.results[k].number);
    if (r.kind != Kind::Tensor) continue;
    any |= settle_meta(r.tensor.meta, fake.results[k].tensor.meta, run.results[k].tensor.meta);
    if (r.tensor.meta.sizes.size() != r.tensor.meta.strides.size())
      return std::nullopt;  // sizes and strides come from outcomes with different numbers of dims
    if (!sharing_is) continue;
    r.tensor.storage = run.results[k].tensor.storage;
    r.tensor.is = run.results[k].tensor.is;
  }
  std::set<int> written;
  for (const RecordedOutcome* o : {&run, &fake, &*record.cuda_fake}) {
    for (const auto& [k, t] : o->after) written.insert(k);
  }
  for (const int k : written) {
    RecordedTensor& t = written_argument(record, prediction, k);
    any |= settle_meta(t.meta, argument_after(record, fake, k).meta, argument_after(record, run, k).meta);
    if (t.meta.sizes.size() != t.meta.strides.size()) return std::nullopt;
    if (sharing_is) t.storage = argument_after(record, run, k).storage;
  }
  if (!any) return std::nullopt;
  return settled;
}

}  // namespace ersatz::tools
