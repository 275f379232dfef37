#include "fake/crosscheck/judge.h"
#include "fake/mode/prediction.h"
#include "fake/outcome/compare.h"

namespace ersatz {

const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness) {
  if (facts.eager) {
    witness = Witness::Eager;
    return &*facts.eager;
  }
  if (facts.record && !facts.record_known_wrong) {
    witness = Witness::Record;
    return &*facts.record;
  }
  return nullptr;
}

Witness outside_witness(const CallCase& c) {
  if (c.evidence.of == Evidence::Of::Prediction) return Witness::None;
  Witness strongest = c.evidence.of == Evidence::Of::ThisCall ? Witness::Eager : Witness::None;
  for (const ResultFacts& f : c.all_facts()) {
    if (f.eager || f.number) return Witness::Eager;
    if (f.record || f.recorded_number) strongest = Witness::Record;
  }
  return strongest;
}

void settle_data(CallCase& c, bool by_data) {
  if (!by_data || c.evidence.complete() || c.evidence.results.empty()) return;
  for (ResultFacts& f : c.change_facts()) {
    f.recorded_number.reset();
    if (c.evidence.of != Evidence::Of::OtherValues) continue;
    f.eager.reset();
    f.number.reset();
    if (f.record_of_cpu) f.record.reset();  // the record was written in a run with other values
  }
}

void complete_records(CallCase& c) {
  const auto is_open = [](const ResultFacts& f) {
    return f.record &&
           !(f.record_tells_strides && f.record_tells_offset && f.record_tells_dtype && f.record_tells_device);
  };
  if (c.predicted.error || std::none_of(c.all_facts().begin(), c.all_facts().end(), is_open)) return;
  const Values predicted = flat_results(c.predicted.results);
  std::vector<ResultFacts>& facts = c.change_facts();
  for (size_t k = 0; k < std::min(facts.size(), predicted.size()); ++k) {
    if (!is_open(facts[k]) || !predicted[k].is_tensor()) continue;
    const TensorMeta& meta = predicted[k].tensor_impl()->meta;
    TensorMeta& record = *facts[k].record;
    if (!facts[k].record_tells_offset) record.offset = meta.offset;
    if (!facts[k].record_tells_dtype) record.dtype = meta.dtype;
    if (!facts[k].record_tells_device) record.device = meta.device;
    if (!facts[k].record_tells_strides && meta.sizes.size() == record.sizes.size()) record.strides = meta.strides;
  }
}

namespace {
/// Returns whether no field of result k differs significantly from `truth`, except perhaps the device.
bool agrees(std::span<const Value> flat, size_t k, const TensorMeta& truth) {
  if (k >= flat.size() || !flat[k].is_tensor()) return false;
  return !compare(leaf_of(flat[k].tensor_impl()->meta, {MetaField::Device}), leaf_of(truth)).is_significant();
}

/// Returns whether result k is predicted to be a tensor that differs significantly from `truth`.
bool contradicts(const Values& predicted, size_t k, const TensorMeta& truth) {
  return k < predicted.size() && predicted[k].is_tensor() && !agrees(predicted, k, truth);
}

}  // namespace

void note_follow_ups(const CallCase& c, Judgement& j) {
  if (c.predicted.error || c.evidence.as_predicted.empty() || c.evidence.results.empty()) return;
  const Values predicted = flat_results(c.predicted.results);
  for (size_t k = 0; k < c.evidence.results.size(); ++k) {
    Witness witness;
    const TensorMeta* truth = outside_truth(c.facts(k), witness);
    if (!truth || !contradicts(predicted, k, *truth) || !agrees(c.evidence.as_predicted, k, *truth)) continue;
    j.follows.resize(c.evidence.results.size());
    j.follows[k] = true;
    ++j.report.follow_ups;
  }
}

void drop_records_of_cpu(CallCase& c, Judgement& j) {
  if (c.predicted.error) return;
  Values predicted, moved;
  std::span<const Value> on_cpu = c.evidence.on_cpu;
  for (size_t k = 0; k < c.evidence.results.size(); ++k) {
    Witness witness;
    const TensorMeta* truth = outside_truth(c.facts(k), witness);
    const bool of_cpu = c.facts(k).record_of_cpu && witness == Witness::Record;
    if (!truth || !of_cpu || (k < j.follows.size() && j.follows[k])) continue;
    if (predicted.empty()) predicted = flat_results(c.predicted.results);
    if (!contradicts(predicted, k, *truth)) continue;
    if (on_cpu.empty()) on_cpu = moved = flat_results(predict_on_cpu(c.mode, c.op, c.fake_args));
    if (!agrees(on_cpu, k, *truth)) continue;
    c.change_facts()[k].record.reset();
    ++j.report.records_of_cpu;
  }
}

}  // namespace ersatz
