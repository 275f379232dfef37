#include "fake/checked_call.h"

#include <algorithm>
#include <cmath>

namespace ersatz {
namespace {

void flatten(const Value& v, Values& flat) {
  if (v.kind() != Value::Kind::List) {
    flat.push_back(v);
    return;
  }
  for (const Value& item : v.as_list()) flatten(item, flat);
}

Values flatten(const Values& results) {
  Values flat;
  for (const Value& v : results) flatten(v, flat);
  return flat;
}

template <class F>
void catch_error(std::optional<Error>& error, std::exception_ptr& exception, F&& f) {
  try {
    f();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    error = e;
    exception = std::current_exception();
  } catch (const std::exception& e) {  // of a foreign kernel, or memory that is not there
    error = Error(ErrorKind::InvalidArgument, ErrorFamily::Runtime, e.what());
    exception = std::make_exception_ptr(*error);
  }
}

}  // namespace

CheckedCall::CheckedCall(Crosscheck& check, const OpEntry& op, const CallSite& site, std::span<const Value> fake,
                         std::span<const Value> real)
    : check_(check),
      op_(op),
      site_(site),
      fake_args_(fake),
      real_args_(real),
      real_run_(check.options_, op, real, site.results) {}

CallOutcome CheckedCall::run() {
  ++check_.report_.nodes;
  note_arguments();
  run_fake();
  if (has_real()) run_real();
  if (!judge_errors()) {
    fake_flat_ = flatten(outcome_.fake);
    real_flat_ = flatten(outcome_.real);
    judge_counts();
    ResultState unjudged;
    if (no_kernel_) unjudged.skip = SkipReason::Unsupported;
    states_.resize(has_real() ? real_flat_.size() : fake_flat_.size(), unjudged);
    for (size_t k = 0; k < states_.size(); ++k) {
      const Value& v = has_real() ? real_flat_[k] : fake_flat_[k];
      if (v.is_tensor()) judge_tensor(k);
      if (v.is_number()) judge_number(k);
    }
    judge_aliases();
    if (has_real()) judge_arguments();
    judge_bytes();
    tally();
    if (outcome_.findings || fake_error_) take_truth();
  }
  outcome_.tainted = site_.tainted || real_run_.tainted;
  return std::move(outcome_);
}

bool CheckedCall::remembers_metas() const {
  return !op_.written.empty() || op_.schema.is_mutable() || op_.tags.has(Tag::InplaceView) || !op_.rule;
}

void CheckedCall::note_arguments() {
  const bool metas = remembers_metas();
  for_each_tensor(fake_args_, [&](TensorImpl* t) {
    arguments_.push_back({t, nullptr, t->storage->version(), 0});
    if (metas) fake_metas_.push_back(t->meta);
  });
  size_t i = 0;
  for_each_tensor(real_args_, [&](TensorImpl* t) {
    ERSATZ_ASSERT(i < arguments_.size(), "{}: the real call has more tensors than the fake one", op_.name);
    arguments_[i].real = t;
    arguments_[i++].real_version = t->storage->version();
    if (metas) real_metas_.push_back(t->meta);
  });
  ERSATZ_ASSERT(!has_real() || i == arguments_.size(), "{}: the fake call has more tensors than the real one",
                op_.name);
}

void CheckedCall::run_fake() {
  FakeModeState& mode = check_.fake_mode_.state();
  const size_t fallbacks = mode.fallbacks.size();
  catch_error(fake_error_, fake_exception_, [&] {
    SuspendModes alone;
    mode.call(op_, fake_args_, outcome_.fake);
  });
  if (fake_error_) outcome_.fake.clear();
  fell_back_ = mode.fallbacks.size() != fallbacks;
}

void CheckedCall::run_real() {
  catch_error(real_error_, real_exception_, [&] { real_run_.run(); });
  outcome_.real = std::move(real_run_.results);
  if (real_error_) outcome_.real.clear();
}

const ResultFacts& CheckedCall::facts(size_t k) const {
  static const ResultFacts none;
  return k < site_.results.size() ? site_.results[k] : none;
}

void CheckedCall::judge_counts() {
  if (!has_real() || fake_error_ || fake_flat_.size() == real_flat_.size()) return;
  find(-1, FindingField::Size, fmt::format("{} results", fake_flat_.size()),
       fmt::format("{} results", real_flat_.size()), Witness::Kernel, "mismatch in number of returns");
}

void CheckedCall::compare_meta(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness) {
  ResultState& state = states_[k];
  state.witness = witness;
  TensorMeta rest = predicted;
  // Each field that differs is a finding of its own; sizes that differ make strides and offset meaningless.
  for (MetaDifference d = same_metadata(rest, truth); d.verdict != MetaVerdict::Equal; d = same_metadata(rest, truth)) {
    if (d.verdict == MetaVerdict::Cosmetic) {
      state.cosmetic = true;
      return;
    }
    find(static_cast<int>(k), field_of(d.field), to_string(predicted), to_string(truth), witness);
    switch (d.field) {
      case MetaField::DType:
        rest.dtype = truth.dtype;
        break;
      case MetaField::Size:
        rest.sizes = truth.sizes;
        rest.strides = truth.strides;
        rest.offset = truth.offset;
        break;
      case MetaField::Stride:
        rest.strides = truth.strides;
        break;
      case MetaField::Offset:
        rest.offset = truth.offset;
        break;
      case MetaField::Device:
        rest.device = truth.device;
        break;
    }
  }
}

void CheckedCall::judge_tensor(size_t k) {
  const ResultFacts& f = facts(k);
  const Value* real = has_real() ? &real_flat_[k] : nullptr;
  const bool predicted = !fake_error_ && k < fake_flat_.size();
  Witness witness = Witness::None;
  const TensorMeta* truth = outside_truth(f, witness);
  const TensorMeta* kernel = real && real_run_.own_results ? &real->tensor_impl()->meta : nullptr;
  if (kernel && witness != Witness::Eager) {
    truth = kernel;
    witness = Witness::Kernel;
  }
  if (!predicted) {
    // The fake side could not tell. Only what the kernel itself made can be held against an eager fact.
    states_[k].skip = unpredicted_;
    if (kernel && witness == Witness::Eager) compare_meta(k, *kernel, *truth, witness);
    return;
  }
  if (!fake_flat_[k].is_tensor()) {
    find(static_cast<int>(k), FindingField::Size, to_string(fake_flat_[k]), to_string(*real), Witness::Kernel,
         "mismatched number of tensor outputs");
    return;
  }
  if (!truth) return;
  const TensorMeta& prediction = fake_flat_[k].tensor_impl()->meta;
  compare_meta(k, prediction, *truth, witness);
  if (witness != Witness::Eager) return;
  if (kernel && same_metadata(*kernel, *truth).verdict == MetaVerdict::Significant && !states_[k].mismatched) {
    compare_meta(k, *kernel, *truth, witness);
  }
  const MetaDifference record = f.record ? same_metadata(*f.record, *truth) : MetaDifference();
  if (record.verdict == MetaVerdict::Significant && !states_[k].mismatched && !f.record->is_symbolic()) {
    check_.report_.record_wrong.push_back({std::string(site_.node), op_.name, static_cast<int>(k),
                                           field_of(record.field), to_string(*f.record), to_string(*truth)});
  }
}

void CheckedCall::judge_number(size_t k) {
  const bool predicted = !fake_error_ && k < fake_flat_.size() && !fell_back_;
  const Value mine = has_real() ? real_flat_[k] : fake_flat_[k];
  if (!predicted) states_[k].skip = fell_back_ ? SkipReason::DataDependent : unpredicted_;
  const auto equal = [](const Value& a, const Value& b) {
    if (a.kind() != Value::Kind::Float || b.kind() != Value::Kind::Float) return a == b;
    const double x = a.as_double(), y = b.as_double();
    return a == b || std::abs(x - y) <= 1e-4 * std::max(std::abs(x), std::abs(y));  // f32 sums in another order
  };
  const auto compare = [&](const Value& prediction, const Value& truth, Witness witness) {
    states_[k].witness = witness;
    if (equal(prediction, truth)) return;
    const FindingField field = prediction.kind() == truth.kind() ? FindingField::Value : FindingField::DType;
    find(static_cast<int>(k), field, to_string(prediction), to_string(truth), witness);
  };
  if (facts(k).number) {
    compare(mine, *facts(k).number, Witness::Eager);
  } else if (predicted && has_real() && real_run_.own_results) {
    compare(fake_flat_[k], real_flat_[k], Witness::Kernel);
  }
}

void CheckedCall::judge_aliases() {
  const auto map = [&](TensorImpl* ArgumentState::*side, const Values& flat) {
    InlineVec<TensorImpl*, 4> arguments;
    for (const ArgumentState& a : arguments_) arguments.push_back(a.*side);
    InlineVec<Tensor, 3> results;
    for (const Value& v : flat) results.push_back(v.is_tensor() ? v.tensor() : Tensor());
    return alias_map(arguments, results);
  };
  AliasMap mine;
  if (has_real()) mine = map(&ArgumentState::real, real_flat_);
  if (!fake_error_) {
    const AliasMap fake = map(&ArgumentState::fake, fake_flat_);
    const size_t n = arguments_.size();
    for (size_t k = 0; k < std::min(fake.size(), mine.size()); ++k) {
      if (real_flat_[k].is_tensor() && !(fake[k] == mine[k])) {
        find(static_cast<int>(k), FindingField::Alias, to_string(fake[k], n), to_string(mine[k], n), Witness::Kernel);
      }
    }
    if (!has_real()) mine = fake;
  }
  judge_alias_facts(mine);
  judge_declared_aliases(mine);
}

void CheckedCall::judge_alias_facts(const AliasMap& mine) {
  const size_t n = arguments_.size();
  const auto storage_of = [&](int argument) {
    const ArgumentState& a = arguments_[static_cast<size_t>(argument)];
    return (has_real() ? a.real : a.fake)->storage.get();
  };
  for (size_t k = 0; k < mine.size(); ++k) {
    const AliasFact& fact = facts(k).alias;
    const int shared = mine[k].same_storage;
    const bool shares = shared >= 0 && static_cast<size_t>(shared) < n;
    if (fact.kind == AliasFact::Kind::Own && shares) {
      find(static_cast<int>(k), FindingField::Alias, to_string(mine[k], n), "has its own storage", Witness::Eager);
    } else if (fact.kind == AliasFact::Kind::Argument && fact.argument >= 0 && static_cast<size_t>(fact.argument) < n) {
      // Several arguments may be on one storage: the fact names any of them.
      if (shares && storage_of(shared) == storage_of(fact.argument)) continue;
      find(static_cast<int>(k), FindingField::Alias, to_string(mine[k], n),
           fmt::format("shares the storage of argument {}", fact.argument), Witness::Eager);
    }
  }
}

void CheckedCall::judge_declared_aliases(const AliasMap& mine) {
  if (op_.composite) return;  // what a composite passes through is its parts' affair
  const Values& flat = has_real() ? real_flat_ : fake_flat_;
  for (size_t k = 0; k < std::min(op_.schema.returns.size(), mine.size()); ++k) {
    const Argument& declared = op_.schema.returns[k];
    if (declared.type.is_list()) return;  // of unknown length: positions after it are not
    if (!flat[k].is_tensor() || states_[k].mismatched) continue;
    const AliasPlace& place = mine[k];
    const bool shares = place.same_storage >= 0 && static_cast<size_t>(place.same_storage) < arguments_.size();
    const char* expected = nullptr;
    // A few views are not declared in ATen's schemas: the tag, or a real run that shared, speaks for them.
    const bool known_view = op_.tags.has(Tag::View) || facts(k).alias.kind == AliasFact::Kind::Argument;
    if (!declared.alias && shares && !known_view) expected = "has its own storage (the schema declares no alias)";
    if (declared.is_write() && place.same_object < 0) expected = "is the written argument (the schema declares it)";
    if (declared.alias && op_.tags.has(Tag::View) && !shares) expected = "is a view of an argument (the op's tag)";
    if (!expected) continue;
    find(static_cast<int>(k), FindingField::Alias, expected, to_string(place, arguments_.size()), Witness::Declaration);
  }
}

void CheckedCall::judge_arguments() {
  size_t i = 0;
  for (size_t a = 0; a < op_.schema.arguments.size() && !op_.composite; ++a) {
    for_each_tensor(real_args_.subspan(a, 1), [&](const TensorImpl* t) {
      const bool moved = t->storage->version() != arguments_[i].real_version;
      if (op_.schema.arguments[a].is_write() && !moved) {
        find(-1, FindingField::Mutation, fmt::format("argument {} is written: its version moves", i),
             "its version did not move", Witness::Declaration, "a declared write did not move the version");
      }
      ++i;
    });
  }
  if (fake_error_) return;
  for (i = 0; i < arguments_.size(); ++i) {
    const ArgumentState& a = arguments_[i];
    const bool fake_moved = a.fake->storage->version() != a.fake_version;
    const bool real_moved = a.real->storage->version() != a.real_version;
    if (fake_moved != real_moved) {
      const auto words = [&](bool moved) { return fmt::format("argument {} {}", i, moved ? "is written" : "is not"); };
      find(-1, FindingField::Mutation, words(fake_moved), words(real_moved), Witness::Kernel);
    }
    if (fake_metas_.empty()) continue;
    const bool changed = !(a.fake->meta == fake_metas_[i]) || !(a.real->meta == real_metas_[i]);
    if (changed && same_metadata(a.fake->meta, a.real->meta).verdict == MetaVerdict::Significant) {
      find(-1, FindingField::Mutation, fmt::format("argument {} becomes {}", i, to_string(a.fake->meta)),
           fmt::format("it becomes {}", to_string(a.real->meta)), Witness::Kernel);
    }
  }
}

void CheckedCall::judge_bytes() {
  for (ByteFault& f : real_run_.faults) {
    find(f.result, f.field, std::move(f.predicted), std::move(f.observed), Witness::Declaration);
  }
}

void CheckedCall::tally() {
  Report& report = check_.report_;
  if (call_witness_ != Witness::None && !states_.empty()) mark(0, call_witness_);
  for (size_t k = 0; k < states_.size(); ++k) {
    const Value& v = has_real() ? real_flat_[k] : fake_flat_[k];
    if (!v.is_tensor() && !v.is_number()) continue;
    const ResultState& s = states_[k];
    ++report.results;
    if (s.witness == Witness::None) {
      ++report.skip(s.skip);
    } else {
      ++report.compared;
      ++report.witnesses[static_cast<size_t>(s.witness)];
      report.mismatched += s.mismatched;
      report.cosmetic += s.cosmetic && !s.mismatched;
    }
    if (op_.tags.has(Tag::Random)) ++report.skip_values(SkipReason::Random);
    if (site_.tainted) ++report.skip_values(SkipReason::Tainted);
  }
}

}  // namespace ersatz
