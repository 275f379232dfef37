#include "fake/mode/propagated_call.h"

#include <algorithm>

#include "fake/mode/constants.h"
#include "fake/mode/data_dependent_symbols.h"
#include "fake/mode/fake_real_map.h"
#include "fake/mode/real_comparison.h"
#include "fake/mode/real_symbols.h"
#include "runtime/base/log.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/symbolic_layout.h"

namespace ersatz {
namespace {

bool is_tensor(const OutputSpec& o) { return o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None; }

void add(RealValues::LossIds& to, const RealValues::LossIds& from) {
  for (const RealValues::LossId id : from) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

}  // namespace

void PropagatedCall::run() {
  known_ = works_on_known_values(op_, args_);
  symbolic_ = holds_symbols(args_);
  if (op_.rule) {
    call_.ask_rule(/*makes_symbols=*/!known_);
    if (!symbolic_ && mode_.options.shape_env) symbolic_ = holds_symbols(rule_);
    if (!mode_.options.allow_meta) refuse_meta(op_, rule_);
    if (known_ && !reads_data() && leaves_cpu(rule_)) known_ = false;
  }
  if (!note_arguments()) return answer_without_values();
  if (const auto why = obstacle()) {
    losses_.push_back(reals_.loss(op_.name, *why));
    return answer_without_values();
  }
  guard_arguments();
  try {
    run_real_side();
    flatten(real_results_, flat_);
    compare();
  } catch (Error& e) {
    put_back();
    describe_error(e, args_);
    throw;
  } catch (...) {
    put_back();
    throw;
  }
  if (op_.rule && !reads_data() && agrees_) return answer_by_rule();
  answer_from_real();
}

/// Stores the fakes and their real tensors. Returns false if an argument has no value; losses_ then has the reasons.
bool PropagatedCall::note_arguments() {
  for_each_tensor(args_, [&](TensorImpl* t) {
    fakes_.push_back(t);
    real_of_.push_back(RealValues::of(t));
    if (!real_of_.back()) add(losses_, reals_.losses_of(t));
  });
  if (losses_.empty()) return true;
  reals_.note_affected(losses_, op_.name);
  return false;
}

std::optional<std::string> PropagatedCall::obstacle() {
  const bool valued = plan_real_side();
  if (known_) return std::nullopt;
  if (!valued) return "an argument is symbolic";
  const auto on_cuda = [](const OutputSpec& o) { return is_tensor(o) && o.meta.device.is_cuda(); };
  if (std::any_of(rule_.outputs.begin(), rule_.outputs.end(), on_cuda) && cuda_device_count() == 0) {
    return "no cuda device is there";
  }
  if (const auto device = real_->missing_kernel()) return fmt::format("it has no kernel for {}", name(*device));
  if (reals_.budget() == INT64_MAX) return std::nullopt;
  const int64_t bytes = bytes_needed();
  if (reals_.fits(bytes)) return std::nullopt;
  return fmt::format("{} bytes more are over the budget of {} bytes", bytes, reals_.budget());
}

/// Plans the results of the real call. If the op is trusted and there are no symbols, the plan is the rule's outputs
/// with real tensors in place of fakes. Otherwise the rule runs again on the real arguments, with symbols replaced by
/// hints or real values. Returns false if a symbol has neither.
bool PropagatedCall::plan_real_side() {
  size_t n = 0;
  bool valued = true;
  for (const Value& v : args_) {
    real_args_.push_back(map_leaves(v, [&](const Value& leaf) {
      if (leaf.is_tensor()) return Value::borrow(real_of_[n++]);
      if (!symbolic_ || !holds_symbols({&leaf, 1})) return leaf.borrowed();
      const ShapeEnv* env = mode_.options.shape_env.get();
      std::optional<Value> value = env ? at_real_values(*env, leaf) : std::nullopt;
      valued &= value.has_value();
      return value ? std::move(*value) : Value();
    }));
  }
  if (!valued) return false;
  real_.emplace(op_, std::span<const Value>(real_args_));
  if (!trusted_ || symbolic_) {
    real_->plan();
    return true;
  }
  const auto real_of = [&](const TensorImpl* fake) {
    for (size_t i = 0; i < fakes_.size(); ++i) {
      if (fakes_[i] == fake) return real_of_[i].impl();
    }
    raise_internal_error(__FILE__, __LINE__, "source", "a rule named a tensor that is no argument: {}", fake->meta);
  };
  RuleResult& answer = real_->rule();
  for (const OutputSpec& o : rule_.outputs) {
    OutputSpec& real = answer.outputs.emplace_back(o);
    if (o.source) real.source = real_of(o.source);
  }
  for (const TensorImpl* t : rule_.also_written) answer.also_written.push_back(real_of(t));
  real_->plan_as_answered();
  return true;
}

/// Returns the bytes that the real run will allocate and keep. Results that a kernel allocates itself do not count,
/// because their sizes are unknown before the run.
int64_t PropagatedCall::bytes_needed() {
  SymInt total = 0;
  for (const OutputSpec& o : symbolic_ ? real_->rule().outputs : rule_.outputs) {
    if (o.kind == OutputSpec::Kind::Fresh) total += storage_bytes_needed(o.meta);
    if (o.kind == OutputSpec::Kind::Same && o.metadata_changed) {
      const SymInt grown = storage_bytes_needed(o.meta) - o.source->storage->nbytes();
      if (guard_gt(grown, 0)) total += grown;
    }
  }
  // Adds the bytes of lazy copies that the call will turn into full copies.
  InlineVec<const Storage*, 4> seen;
  const auto part = [&](const Tensor& real) {
    if (!real || !real.storage()->is_lazy_copy()) return;
    const Storage* s = real.storage().get();
    if (std::find(seen.begin(), seen.end(), s) != seen.end()) return;
    seen.push_back(s);
    total += s->nbytes();
  };
  if (!trusted_) {
    for (const Tensor& real : real_of_) part(real);
  }
  for (const uint16_t i : op_.written) {
    for_each_tensor(args_.subspan(i, 1), [&](const TensorImpl* t) { part(RealValues::of(t)); });
  }
  for (const TensorImpl* t : rule_.also_written) part(RealValues::of(t));
  return total.guard_int();
}

void PropagatedCall::answer_without_values() {
  log().info("propagate_real_tensors skipped {}", op_.name);
  try {
    call_.run_rule_or_fallback();
  } catch (Error& e) {
    if (e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape) {
      e.message += fmt::format(" (the real value was lost: {})", reals_.explain(losses_));
    }
    throw;
  }
  const auto stale = [&](TensorImpl* t) { reals_.lose(t->storage, losses_); };
  for (const uint16_t i : op_.written) for_each_tensor(args_.subspan(i, 1), stale);
  for (TensorImpl* t : rule_.also_written) stale(t);
  for_each_tensor(answer_.results, [&](const TensorImpl* t) {
    if (!RealValues::of(t)) reals_.note_lost(t, losses_);
  });
}

/// Runs before the real call: saves the arguments that the call may write. If the op is not trusted, also gives lazy
/// copies their own bytes and watches all arguments.
void PropagatedCall::guard_arguments() {
  const auto may_write = [&](TensorImpl* fake) {
    TensorImpl* real = RealValues::of(fake).impl();
    written_.push_back({real, real->meta, real->storage, real->storage->nbytes()});
  };
  for (const uint16_t i : op_.written) for_each_tensor(args_.subspan(i, 1), may_write);
  for (TensorImpl* t : rule_.also_written) may_write(t);
  const bool may_fail = op_.tags.has(Tag::FailsOnValues) || !trusted_;
  if (trusted_ && !(may_fail && !written_.empty())) return;
  if (!trusted_) {
    for (const Tensor& real : real_of_) real.storage()->prepare_write();
  }
  watch_.emplace();
  for (const Written& w : written_) watch_->may_write(w.real);
  for (size_t i = 0; i < real_of_.size(); ++i) watch_->watch(real_of_[i].impl(), static_cast<int>(i), !trusted_);
}

void PropagatedCall::run_real_side() {
  SuspendModes for_real;
  const ChecksAtOnce judged;  // a failed check on CUDA raises its error in this call, which can still undo its writes
  real_->run_all(real_results_);
}

/// Undoes the writes of a call that failed. Both the real tensors and the fakes are then unchanged.
void PropagatedCall::put_back() {
  for (const Written& w : written_) {
    w.real->meta = w.meta;
    w.real->storage = w.storage;
    if (!sym_eq(w.storage->nbytes(), w.nbytes)) w.storage->resize(w.nbytes);
  }
  if (!watch_) return;
  watch_->restore();
  // `restore` copies old bytes back only into arguments that the schema calls written. If the kernel wrote another
  // argument, the fake of that argument loses the real value that it carries.
  for (const InputWatch::Change& c : watch_->find_changes()) {
    lose(Tensor(Ref<TensorImpl>(fakes_[static_cast<size_t>(c.argument)])),
         "its kernel wrote an argument that the schema calls read-only");
  }
  for (const Written& w : written_) {
    if (w.meta.device.is_cpu()) continue;
    for (size_t i = 0; i < real_of_.size(); ++i) {
      if (real_of_[i].impl() == w.real) lose(Tensor(Ref<TensorImpl>(fakes_[i])), "its kernel failed while it wrote");
    }
  }
}

void PropagatedCall::disagree(const std::string& message) {
  agrees_ = false;
  if (mode_.options.collect_mismatches) return reals_.note_mismatch(op_.name, message);
  Error e(ErrorKind::MetadataMismatch, ErrorFamily::Runtime, message);
  e.op = op_.base();
  throw e;
}

void PropagatedCall::compare() {
  if (watch_ && !trusted_) {
    for (const InputWatch::Change& c : watch_->find_changes()) {
      const int i = argument_of(op_, args_, static_cast<size_t>(c.argument));
      disagree(fmt::format(
          "{}: argument {} (`{}`): its schema specified that the operator does not mutate the argument, but this seems "
          "to be empirically wrong, for func: {}",
          op_.base(), i, op_.schema.arguments[static_cast<size_t>(i)].name, op_.name));
    }
  }
  for (const Written& w : written_) {
    if (w.real->storage == w.storage) continue;
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "{}: its kernel gave an argument another storage, which a fake with a value cannot follow: {}", op_.base(),
         render_call(op_, args_));
  }
  // Results in memory that the rule's plan allocated have the predicted metadata. Only a kernel that returns its own
  // results can differ.
  if (trusted_ && !symbolic_ && real_->maker() != RealCall::Maker::ReturnKernel) return;
  InlineVec<TensorImpl*, 4> reals;
  for (const Tensor& t : real_of_) reals.push_back(t.impl());
  if (!op_.rule) {
    reals_.note_missing_rule(op_.name);
    if (const auto what = undeclared_alias(op_, args_, reals, flat_)) disagree(*what);
    if (mode_.options.shape_env) refuse_uninferable(reals);
    return;
  }
  if (reads_data()) return;  // the rule returned no outputs
  Outcome predicted = outcome_of(fakes_, rule_);
  std::vector<OutputSpec> valued;  // the rule's outputs with symbols replaced by values
  if (ShapeEnv* env = mode_.options.shape_env.get(); env && symbolic_ && rule_.outputs.size() == flat_.size()) {
    valued.reserve(flat_.size());
    for (size_t k = 0; k < flat_.size(); ++k) learn_real_values(*env, rule_.outputs[k], flat_[k]);
    for (size_t k = 0; k < flat_.size(); ++k) {
      OutcomeLeaf& leaf = predicted.results[k];
      std::optional<OutputSpec> said = at_real_values(*env, rule_.outputs[k]);
      const OutcomeLeaf there = said ? leaf_of(valued.emplace_back(*std::move(said))) : OutcomeLeaf();
      leaf.kind = said ? there.kind : OutcomeLeaf::Kind::Unknown;
      leaf.meta = there.meta;
      leaf.number = there.number;
    }
  }
  const Outcome observed = outcome_of(reals, flat_, trusted_ ? Sharing::ByObjects : Sharing::ByBytes);
  for (const std::string& what : real_mismatches(op_, predicted, observed, fakes_.size())) disagree(what);
}

/// Raises UnsupportedOperator if a result of an op without a rule cannot get symbolic sizes. One run shows only rank,
/// dtype, device and order of dims, so the result must be dense and must own its storage.
void PropagatedCall::refuse_uninferable(std::span<TensorImpl* const> reals) const {
  for (size_t k = 0; k < flat_.size(); ++k) {
    const TensorImpl* const made = flat_[k].is_tensor() ? flat_[k].tensor_impl() : nullptr;
    // A result that is an argument is allowed, because the schema declares it.
    if (made && std::find(reals.begin(), reals.end(), made) != reals.end()) continue;
    const auto shares = [&](const TensorImpl* t) { return made && t->storage == made->storage; };
    std::string_view why;
    if (!made) {
      why = "is no tensor";
    } else if (std::any_of(reals.begin(), reals.end(), shares)) {
      why = "is a view of an argument";
    } else if (!made->meta.offset.is_identical(0)) {
      why = "begins inside its storage";
    } else if (!is_non_overlapping_and_dense(made->meta.sizes, made->meta.strides)) {
      why = "is not dense";
    }
    if (why.empty()) continue;
    Error e(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented,
            fmt::format("{}: without a rule its result {} cannot be told over symbols: it {}: {}", op_.base(), k, why,
                        made ? to_string(made->meta) : to_string(flat_[k])));
    e.op = op_.name;
    e.suggestion = "give it a rule, or a mode without a ShapeEnv";
    throw e;
  }
}

/// Replaces each size of a result by a new symbol, and its strides by dense strides in the same order of dims.
void PropagatedCall::generalise(TensorImpl& fake) const {
  ShapeEnv& env = *mode_.options.shape_env;
  const TensorMeta seen = fake.meta;
  for (SymInt& size : fake.meta.sizes) {
    const SymInt made = env.fresh({.op = op_.name});
    env.set_real_value(made, size.as_int());
    size = made;
  }
  fake.meta.strides = strides_over(fake.meta.sizes, seen);
  fake.storage->resize(storage_bytes_needed(fake.meta));
}

void PropagatedCall::answer_by_rule() {
  if (symbolic_ && tells_of_data(op_)) note_data_use();
  for (size_t k = 0; k < flat_.size(); ++k) {
    OutputSpec& o = rule_.outputs[k];
    if (o.unknown_layout && is_tensor(o)) o.meta.strides = flat_[k].tensor_impl()->meta.strides;
  }
  call_.build_results(known_);
  size_t k = 0;
  Values fakes;
  flatten(answer_.results, fakes);
  bool known = known_;
  for (const Value& v : flat_) known = known && (!v.is_tensor() || Constants::qualifies(v.tensor()));
  for (const Value& v : fakes) {
    const Value& real = flat_[k++];
    if (!v.is_tensor() || !real.is_tensor()) continue;
    reals_.attach(v.tensor(), real.tensor());
    if (known) mode_.constants.attach(v.tensor(), real.tensor());
  }
}

void PropagatedCall::answer_from_real() {
  FakeRealMap fake_real(mode_);
  for (size_t i = 0; i < fakes_.size(); ++i) fake_real.pair(fakes_[i], real_of_[i].impl());
  const size_t arguments = fake_real.pairs().size();
  for (const Value& v : real_results_) answer_.results.push_back(fake_real.fake_of(v));
  const std::span<const FakeRealMap::Pair> made = fake_real.pairs().subspan(arguments);
  if (mode_.options.keep_stacks) mode_.note_stacks(answer_.results);
  take_changed_arguments();
  bool known = known_ && reads_data();
  int64_t bytes = 0;
  for (const Value& v : flat_) {
    if (!v.is_tensor()) continue;
    known = known && Constants::qualifies(v.tensor());
    bytes += v.tensor().storage()->nbytes().as_int();
  }
  if (reads_data() && !known_) note_data_use();
  for (const FakeRealMap::Pair& p : made) {
    const Tensor real{Ref<TensorImpl>(p.real)}, fake{Ref<TensorImpl>(p.fake)};
    if (!op_.rule && mode_.options.shape_env) generalise(*p.fake);
    if (!trusted_ && borrows_bytes(real)) {
      lose(fake, "its memory is an argument's, under another name");
      continue;
    }
    reals_.attach(fake, real);
    if (known) mode_.constants.attach(fake, real);
  }
  // If a kernel allocates the results itself, their bytes are known only after the run.
  if (made.empty() || reals_.fits(bytes)) return;
  const std::string why =
      fmt::format("its results of {} bytes are over the budget of {} bytes", bytes, reals_.budget());
  for (const FakeRealMap::Pair& p : made) lose(Tensor(Ref<TensorImpl>(p.fake)), why);
}

void PropagatedCall::note_data_use() {
  SeenValue seen;
  for (const Value& v : flat_) {
    if (v.is_tensor()) seen.tensors.push_back(v.tensor_impl()->meta);
    seen.text += (seen.text.empty() ? "" : ", ") +
                 (v.is_tensor() ? to_string(seen.tensors.back(), MetaStyle::People) : to_string(v));
  }
  if (flat_.size() == 1 && flat_[0].kind() == Value::Kind::Int && flat_[0].as_int().is_int()) {
    seen.integer = flat_[0].as_int64();
  }
  reals_.note_data_use(op_.name, seen);
}

void PropagatedCall::lose(const Tensor& fake, std::string_view why) {
  LossIds ids;
  ids.push_back(reals_.loss(op_.name, why));
  reals_.lose(fake.storage(), ids);
  mode_.constants.forget(*fake.storage());
}

/// Returns whether a result uses bytes of an argument, although its Storage object is a different one.
bool PropagatedCall::borrows_bytes(const Tensor& real) const {
  InlineVec<TensorImpl*, 4> arguments;
  for (const Tensor& t : real_of_) {
    if (t.shares_storage(real)) return false;
    arguments.push_back(t.impl());
  }
  const Value result(real);
  return alias_map(arguments, std::span(&result, 1))[0].same_storage >= 0;
}

/// Applies declared writes to the versions and known values of the fakes. Copies metadata and storage sizes from the
/// real arguments, because a kernel without a rule may have changed them.
void PropagatedCall::take_changed_arguments() {
  bump_written(op_, args_, rule_);
  mode_.constants.forget_written(op_, args_, rule_);
  for (size_t i = 0; i < fakes_.size(); ++i) {
    TensorMeta meta = real_of_[i].meta();
    meta.requires_grad = fakes_[i]->meta.requires_grad;
    if (!(fakes_[i]->meta == meta)) fakes_[i]->meta = std::move(meta);
    const SymInt nbytes = real_of_[i].storage()->nbytes();
    if (!sym_eq(fakes_[i]->storage->nbytes(), nbytes)) fakes_[i]->storage->resize(nbytes);
  }
}

}  // namespace ersatz
