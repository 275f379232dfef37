// After a checked call with a finding, gives the fakes the observed metadata.
#include "fake/crosscheck/checked_call.h"
#include "fake/mode/fake_real_map.h"
#include "fake/outcome/compare.h"
#include "runtime/base/source_line.h"
#include "runtime/op/copy.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
void CheckedCall::take_real_arguments() {
  for (const CallCase::Argument& a : case_.arguments) {
    if (!a.real || a.fake->meta.is_symbolic() || a.fake->meta == a.real->meta) continue;
    a.fake->meta = a.real->meta;
    const SymInt needed = a.real->storage->nbytes();
    if (!sym_eq(a.fake->storage->nbytes(), needed)) a.fake->storage->resize(needed);
  }
}

/// Copies real results of a composite op into tensors with the layout that their evidence shows, so that later calls do
/// not repeat the finding. (For an op with a rule, WatchedCall makes the results in that layout.)
void CheckedCall::lay_out_as_witnessed() {
  // Results of ops with a rule, and results in lists, are not changed.
  if (!case_.op.composite || case_.observed.flat.data() != outcome_.real.data()) return;
  for (size_t k = 0; k < outcome_.real.size(); ++k) {
    Value& real = outcome_.real[k];
    if (!judgement_.states[k].mismatched || !real.is_tensor() || is_shared(k)) continue;
    Witness witness;
    const TensorMeta* truth = outside_truth(case_.facts(k), witness);
    const TensorMeta& made = real.tensor_impl()->meta;
    if (!truth || truth->is_symbolic() || made.is_symbolic()) continue;
    const MetaFields differ = compare(leaf_of(made), leaf_of(*truth), {.fields = kAllButRequiresGrad}).meta.all();
    if (!differ.has(MetaField::Stride) || !(differ - MetaFields{MetaField::Stride, MetaField::Offset}).empty())
      continue;
    if (storage_bytes_needed(*truth).as_int() < storage_bytes_needed(TensorMeta(made.dtype, made.sizes)).as_int())
      continue;  // skipped because elements would share memory in the layout of the evidence
    Tensor laid_out = make_real_tensor(*truth);
    copy_elements(laid_out, real.tensor());
    real = Value(std::move(laid_out));
  }
}

/// Returns whether the real result shares its storage with an argument or another result.
bool CheckedCall::is_shared(size_t result) const {
  const Storage* storage = outcome_.real[result].tensor_impl()->storage.get();
  for (const CallCase::Argument& a : case_.arguments) {
    if (a.real_storage == storage) return true;
  }
  for (size_t k = 0; k < outcome_.real.size(); ++k) {
    const Value& other = outcome_.real[k];
    if (k != result && other.is_tensor() && other.tensor_impl()->storage.get() == storage) return true;
  }
  return false;
}

void CheckedCall::take_truth() {
  Values fakes;
  if (case_.has_real()) {
    lay_out_as_witnessed();
    take_real_arguments();
    FakeRealMap fake_real(case_.mode.state());
    for (const CallCase::Argument& a : case_.arguments) fake_real.pair(a.fake, a.real);
    for (size_t k = 0; k < case_.observed.flat.size(); ++k) {
      const Value& real = case_.observed.flat[k];
      const bool predicted = !case_.predicted.error && k < case_.predicted.flat.size() &&
                             !judgement_.states[k].mismatched && !judgement_.states[k].adopts_observed;
      fakes.push_back(predicted ? case_.predicted.flat[k] : fake_real.fake_of(real));
      if (predicted && real.is_tensor() && fakes[k].is_tensor())
        fake_real.pair(fakes[k].tensor_impl(), real.tensor_impl());
    }
  } else {
    for (size_t k = 0; k < case_.predicted.flat.size(); ++k) {
      Witness witness;
      const TensorMeta* truth = outside_truth(case_.facts(k), witness);
      const bool adopts_evidence = judgement_.states[k].mismatched || judgement_.states[k].adopts_observed;
      if (!adopts_evidence || !truth || !case_.predicted.flat[k].is_tensor()) {
        fakes.push_back(case_.predicted.flat[k]);
        continue;
      }
      const Ref<Storage>& storage = case_.predicted.flat[k].tensor_impl()->storage;
      const SymInt needed = storage_bytes_needed(*truth), there = storage->nbytes();
      const bool fits = needed.is_int() && there.is_int() && needed.as_int() <= there.as_int();
      fakes.push_back(fits ? case_.mode.make_on(storage, *truth) : case_.mode.make(*truth));
    }
  }
  outcome_.fake = repack(fakes, case_.has_real() ? outcome_.real : outcome_.fake);
}

}  // namespace ersatz
