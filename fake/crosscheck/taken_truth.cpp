// What a checked call leaves: findings, and a fake side that has taken the truth.
#include "fake/call/twins.h"
#include "fake/crosscheck/checked_call.h"
#include "runtime/base/source_line.h"
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

void CheckedCall::take_truth() {
  Values fakes;
  if (case_.has_real()) {
    take_real_arguments();
    Twins twins(case_.mode.state());
    for (const CallCase::Argument& a : case_.arguments) twins.pair(a.fake, a.real);
    for (size_t k = 0; k < case_.observed.flat.size(); ++k) {
      const Value& real = case_.observed.flat[k];
      const bool predicted = !case_.predicted.error && k < case_.predicted.flat.size() &&
                             !judgement_.states[k].mismatched && !judgement_.states[k].takes_real;
      fakes.push_back(predicted ? case_.predicted.flat[k] : twins.fake_of(real));
      if (predicted && real.is_tensor() && fakes[k].is_tensor()) twins.pair(fakes[k].tensor_impl(), real.tensor_impl());
    }
  } else {
    for (size_t k = 0; k < case_.predicted.flat.size(); ++k) {
      Witness witness;
      const TensorMeta* truth = outside_truth(case_.facts(k), witness);
      const bool takes_truth = judgement_.states[k].mismatched || judgement_.states[k].takes_real;
      if (!takes_truth || !truth || !case_.predicted.flat[k].is_tensor()) {
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
