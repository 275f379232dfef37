#include "fake/crosscheck_mode.h"

#include "runtime/dispatch.h"

namespace ersatz {

CrosscheckMode::CrosscheckMode(CrosscheckOptions options)
    : check_([&] {
        options.run_real = true;  // the caller gets real results
        return std::move(options);
      }()) {}

void CrosscheckMode::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (op.composite) {
    ModeGuard guard(*this);
    return op.composite(args, results);
  }
  std::vector<Value> fakes;
  fakes.reserve(args.size());
  for (const Value& v : args) fakes.push_back(fake_of(v));
  CallOutcome outcome = check_.call(op, CallSite(), fakes, args);
  if (outcome.error) std::rethrow_exception(outcome.error);
  for (size_t i = 0; i < outcome.real.size(); ++i) {
    if (i < outcome.fake.size()) remember(outcome.real[i], outcome.fake[i]);
    results.push_back(std::move(outcome.real[i]));
  }
}

Tensor CrosscheckMode::fake_of(const Tensor& real) {
  if (real.is_fake()) {
    fail_argument("crosscheck: an argument is fake already: {}; a crosscheck needs the values of real tensors",
                  to_string(real));
  }
  const auto found = pairs_.find(real.impl()->weak_cell());
  if (found != pairs_.end()) return found->second.fake;
  // A tensor that was made outside the mode. It may be a view of one that was made inside.
  Tensor fake;
  for (const auto& [cell, pair] : pairs_) {
    const Ref<TensorImpl> other = pair.real.lock();
    if (!other || other->storage != real.storage()) continue;
    fake = check_.fake_mode().make_on(pair.fake.storage(), real.meta());
    break;
  }
  if (!fake) fake = check_.fake_mode().from_tensor(real);
  remember(Value(real), Value(fake));
  return fake;
}

Value CrosscheckMode::fake_of(const Value& real) {
  if (real.is_tensor()) return Value(fake_of(real.tensor()));
  if (real.kind() != Value::Kind::List) return real;
  std::vector<Value> items;
  for (const Value& item : real.as_list()) items.push_back(fake_of(item));
  return Value::list(items);
}

void CrosscheckMode::remember(const Value& real, const Value& fake) {
  if (real.kind() == Value::Kind::List && fake.kind() == Value::Kind::List) {
    const auto reals = real.as_list(), fakes = fake.as_list();
    for (size_t i = 0; i < std::min(reals.size(), fakes.size()); ++i) remember(reals[i], fakes[i]);
    return;
  }
  if (!real.is_tensor() || !fake.is_tensor()) return;
  if (pairs_.size() >= purge_at_) {
    std::erase_if(pairs_, [](const auto& p) { return p.second.real.expired(); });
    purge_at_ = std::max<size_t>(256, 2 * pairs_.size());
  }
  const Tensor t = real.tensor();
  pairs_.insert_or_assign(t.impl()->weak_cell(), Pair{WeakRef<TensorImpl>(t.ref()), fake.tensor()});
}

Report CrosscheckMode::finish() {
  pairs_.clear();
  Report report = std::move(check_.report());
  check_.report() = Report();
  return report;
}

}  // namespace ersatz
