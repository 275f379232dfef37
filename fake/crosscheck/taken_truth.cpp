// What a checked call leaves: findings, and a fake side that has taken the truth.
#include "fake/call/twins.h"
#include "fake/crosscheck/checked_call.h"
#include "runtime/base/source_line.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

/// Arguments in canonical spelling, as they were before the call. Sharing shows as ` ~argN`.
class Speller {
 public:
  explicit Speller(std::span<const TensorMeta> before) : before_(before) {}

  std::string operator()(const Value& v) {
    if (v.is_tensor()) return spell(v.tensor_impl());
    if (v.kind() != Value::Kind::List) return to_string(v);
    std::string text = "[";
    for (const Value& item : v.as_list()) text += (text.size() > 1 ? ", " : "") + (*this)(item);
    return text + "]";
  }

 private:
  std::string spell(TensorImpl* t) {
    MetaText text;
    const size_t number = seen_.size();
    text.meta = number < before_.size() ? before_[number] : t->meta;
    for (size_t i = 0; i < number && text.alias.empty(); ++i) {
      if (seen_[i]->storage == t->storage) text.alias = fmt::format("arg{}", i);
    }
    seen_.push_back(t);
    return to_string(text);
  }

  std::span<const TensorMeta> before_;
  InlineVec<TensorImpl*, 4> seen_;
};

}  // namespace

std::vector<std::string> CheckedCall::spell_arguments() const {
  Speller spell(has_real() ? std::span<const TensorMeta>(real_metas_) : std::span<const TensorMeta>(fake_metas_));
  std::vector<std::string> args;
  for (const Value& v : has_real() ? real_args_ : fake_args_) args.push_back(spell(v));
  return args;
}

void CheckedCall::mark(size_t k, Witness witness) {
  if (states_[k].witness == Witness::None) states_[k].witness = witness;
  states_[k].mismatched = true;
}

void CheckedCall::add_finding(int result, FindingField field, std::string predicted, std::string observed,
                              Witness witness, std::string verdict, std::string words) {
  Finding f;
  f.node = site_.node;
  f.op = op_.name;
  f.result = result;
  f.field = field;
  f.predicted = std::move(predicted);
  f.observed = std::move(observed);
  f.witness = witness;
  f.verdict = std::move(verdict);
  f.words = std::move(words);
  f.source = site_.source.empty() ? current_source_line() : site_.source;
  f.args = spell_arguments();
  if (check_.waives(f)) return;
  ++outcome_.findings;
  if (result >= 0 && static_cast<size_t>(result) < states_.size()) {
    mark(static_cast<size_t>(result), witness);
  } else {
    call_witness_ = witness;
  }
  if (check_.options_.repro) {
    const FindingCall call{
        op_,
        has_real() ? real_args_ : fake_args_,
        has_real() ? std::span<const TensorMeta>(real_metas_) : std::span<const TensorMeta>(fake_metas_),
        all_facts(),
        fake_flat_,
        real_flat_,
        f};
    f.repro = check_.options_.repro(call);
  }
  check_.report_.findings.push_back(std::move(f));
}

void CheckedCall::take_real_arguments() {
  for (const ArgumentState& a : arguments_) {
    if (!a.real || a.fake->meta.is_symbolic() || a.fake->meta == a.real->meta) continue;
    a.fake->meta = a.real->meta;
    const SymInt needed = a.real->storage->nbytes();
    if (!sym_eq(a.fake->storage->nbytes(), needed)) a.fake->storage->resize(needed);
  }
}

void CheckedCall::take_truth() {
  Values fakes;
  if (has_real()) {
    take_real_arguments();
    Twins twins(check_.fake_mode_.state());
    for (const ArgumentState& a : arguments_) twins.pair(a.fake, a.real);
    for (size_t k = 0; k < real_flat_.size(); ++k) {
      const Value& real = real_flat_[k];
      const bool predicted = !fake_error_ && k < fake_flat_.size() && !states_[k].mismatched && !states_[k].takes_real;
      fakes.push_back(predicted ? fake_flat_[k] : twins.fake_of(real));
      if (predicted && real.is_tensor() && fakes[k].is_tensor()) twins.pair(fakes[k].tensor_impl(), real.tensor_impl());
    }
  } else {
    for (size_t k = 0; k < fake_flat_.size(); ++k) {
      Witness witness;
      const TensorMeta* truth = outside_truth(facts(k), witness);
      const bool takes_truth = states_[k].mismatched || states_[k].takes_real;
      if (!takes_truth || !truth || !fake_flat_[k].is_tensor()) {
        fakes.push_back(fake_flat_[k]);
        continue;
      }
      const Ref<Storage>& storage = fake_flat_[k].tensor_impl()->storage;
      const SymInt needed = storage_bytes_needed(*truth), there = storage->nbytes();
      const bool fits = needed.is_int() && there.is_int() && needed.as_int() <= there.as_int();
      fakes.push_back(fits ? check_.fake_mode_.make_on(storage, *truth) : check_.fake_mode_.make(*truth));
    }
  }
  outcome_.fake = repack(fakes, has_real() ? outcome_.real : outcome_.fake);
}

}  // namespace ersatz
