#include "tests/op_sequence_fuzz/call_pairs.h"

#include <algorithm>

#include "fake/outcome/compare.h"
#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "tests/op_sequence_fuzz/gradient_steps.h"

namespace ersatz {
namespace {

void flatten(const Value& v, std::vector<Value>& flat) {
  size_t leaf = 0;
  map_leaves(v, leaf, [&](const Value& item, size_t) {
    flat.push_back(item);
    return item;
  });
}

/// Makes bool elements 0 or 1. Other values may be in memory that `empty` or a growing `resize_` left unwritten, or
/// that had bytes of another dtype.
void make_bools_valid(TensorImpl* t) {
  if (t->meta.dtype != DType::Bool || !t->storage->data()) return;
  t->storage->prepare_write();
  std::byte* bytes = t->storage->data();
  for (int64_t i = 0; i < t->storage->nbytes().as_int(); ++i) bytes[i] &= std::byte{1};
}

}  // namespace

Value CallPairs::swapped(const SequenceCall& call, const Value& leaf, size_t number) const {
  for (const SequenceCall::Swap& s : call.swaps) {
    if (s.leaf != number) continue;
    if (!s.tensor) return Value(s.number);
    const auto p = std::find_if(living.begin(), living.end(), [&](const Pair& q) { return q.origin == *s.tensor; });
    if (p != living.end()) return Value(p->real);
  }
  return leaf;
}

Tensor CallPairs::fake_of(const Tensor& real) {
  for (const auto* pairs : {&call_, &living}) {
    for (const Pair& p : *pairs) {
      if (!p.real.is(real)) continue;
      const Tensor fake = p.fake;
      if (pairs == &living) add(real, fake);
      return fake;
    }
  }
  Tensor fake = mode_.from_tensor(real);
  while (fake.version() < real.version()) fake.storage()->bump_version();  // a sample may have been written
  add(real, fake);
  return fake;
}

Value CallPairs::fake_of(const Value& real) {
  size_t leaf = 0;
  return map_leaves(real, leaf, [&](const Value& v, size_t) { return v.is_tensor() ? Value(fake_of(v.tensor())) : v; });
}

/// Runs a call of `op` for real and as fakes, or, if `op` is null, a request to autograd. Compares the real and the
/// fake outcome.
template <class F>
std::string CallPairs::run_both(const OpEntry* op, F&& run) {
  const auto outcome_of = [&](bool fake) {
    Outcome outcome;
    try {
      run(fake, outcome.results);
    } catch (const Error& e) {
      outcome.error = e;
      outcome.results.clear();
    }
    return outcome;
  };
  ++counts_.calls;
  Outcome real = outcome_of(false), fake;
  {
    const FakeScope scope(mode_);
    fake = outcome_of(true);
  }
  std::string wrong = compare(op, real, fake);
  if (!wrong.empty()) forget_touched(!op);
  return wrong;
}

std::string CallPairs::make(const SequenceCall& call, std::vector<Value> reals) {
  id_ = call.id;
  call_.clear();
  if (!call.op) return ask(call);
  const OpEntry& op = *call.op;
  size_t leaf = 0;
  for (Value& v : reals) {
    v = map_leaves(v, leaf, [&](const Value& item, size_t number) {
      const Value value = swapped(call, item, number);
      const bool own = value.is_tensor() && item.is_tensor() && value.tensor_impl() == item.tensor_impl();
      if (own && number < 64 && call.wanted >> number & 1) set_requires_grad(value.tensor());
      return value;
    });
  }
  std::vector<Value> fakes;
  for (const Value& v : reals) fakes.push_back(fake_of(v));
  for_each_tensor(reals, make_bools_valid);
  text_ = render_call(op, reals);
  return run_both(&op, [&](bool fake, std::vector<Value>& results) {
    const RegionScope region(call.region);
    Values made;
    dispatch(op, fake ? fakes : reals, made);
    results.assign(made.begin(), made.end());
  });
}

std::string CallPairs::ask(const SequenceCall& call) {
  std::vector<Tensor> reals, fakes;
  text_ = name(call.action);
  for (const SequenceCall::Swap& s : call.swaps) {
    const auto p = std::find_if(living.begin(), living.end(), [&](const Pair& q) { return q.origin == s.tensor; });
    if (p == living.end()) continue;
    reals.push_back(p->real);
    fakes.push_back(p->fake);
    text_ += fmt::format(" {}", to_string(p->real.meta()));
  }
  if (reals.empty()) return {};
  for (size_t i = 0; i < reals.size(); ++i) add(reals[i], fakes[i]);
  const Tensor real_gradient = incoming_gradient(reals[0], call.options.seed);
  const Tensor fake_gradient = real_gradient ? mode_.from_tensor(real_gradient) : Tensor();
  const int64_t before = counts_.refused + counts_.value_failures + counts_.data_dependent;
  std::string wrong = run_both(nullptr, [&](bool fake, std::vector<Value>& results) {
    results = ask_autograd(call, fake ? fakes : reals, fake ? fake_gradient : real_gradient);
  });
  const bool runs = call.action == SequenceAction::Backward || call.action == SequenceAction::Grad;
  counts_.backward +=
      runs && wrong.empty() && before == counts_.refused + counts_.value_failures + counts_.data_dependent;
  return wrong;
}

/// Removes tensors from `living` that may have been changed on one side only. After a call, these share memory with its
/// tensors. After a call that writes, and after a backward run, they are all tensors, because a node may have saved a
/// written one.
void CallPairs::forget_touched(bool all) {
  std::erase_if(living, [&](const Pair& p) {
    return all || std::any_of(call_.begin(), call_.end(), [&](const Pair& q) { return q.real.shares_storage(p.real); });
  });
  call_.clear();
}

std::string CallPairs::compare(const OpEntry* op, Outcome& real, Outcome& fake) {
  const bool sized_by_values = op && mode_.options().propagate_real && op->tags.has(Tag::DataDependent);
  const bool reads_data = sized_by_values || (fake.error && (fake.error->kind == ErrorKind::DataDependentOutput ||
                                                             fake.error->kind == ErrorKind::DynamicOutputShape));
  // A fake may be larger than the memory of the machine, but a real tensor of that size cannot be made.
  const bool exhausted =
      real.error && !fake.error && real.error->message.find("memory is exhausted") != std::string::npos;
  const auto on_value = [&](const std::optional<Error>& e) { return e && (e->value_failure || exhausted); };
  if (reads_data || on_value(real.error) || on_value(fake.error)) {
    // Either only one side knows the values, or both sides fail on different values (fakes with real values draw other
    // random numbers). An out= argument may then have been resized on one side only.
    ++(reads_data ? counts_.data_dependent : counts_.value_failures);
    forget_touched(!op || !op->written.empty());
    return {};
  }
  if (std::string wrong = compare_results(op, real, fake); !wrong.empty()) return wrong;
  for (size_t i = 0; i < call_.size(); ++i) {
    std::string wrong = compare_pair(fmt::format("tensor {}", i), call_[i].real, call_[i].fake);
    if (!wrong.empty()) return wrong;
  }
  if (std::string wrong = compare_sharing(); !wrong.empty()) return wrong;
  return compare_autograd();
}

std::string CallPairs::compare_results(const OpEntry* op, Outcome& real, Outcome& fake) {
  if (real.error || fake.error) {
    if (!real.error) return fmt::format("fake raises, real passes: {}", fake.error->message);
    if (!fake.error) return fmt::format("real raises, fake passes: {}", real.error->message);
    if (real.error->message != fake.error->message || real.error->kind != fake.error->kind ||
        real.error->family != fake.error->family) {
      return fmt::format("real raises '{}', fake '{}'", real.error->message, fake.error->message);
    }
    ++counts_.refused;
    return {};
  }
  std::vector<Value> reals, fakes;
  for (const Value& v : real.results) flatten(v, reals);
  for (const Value& v : fake.results) flatten(v, fakes);
  if (reals.size() != fakes.size()) return fmt::format("{} results, fake {}", reals.size(), fakes.size());
  bool followed = false;
  for (size_t k = 0; k < reals.size(); ++k) {
    if (reals[k].is_tensor() != fakes[k].is_tensor()) return fmt::format("result {} is a tensor on one side only", k);
    if (reals[k].is_tensor()) {
      followed = followed || reals[k].tensor_impl()->meta.requires_grad;
      add(reals[k].tensor(), fakes[k].tensor());
    } else if (op && !op->tags.has(Tag::ScalarRead) && !op->composite && !(reals[k] == fakes[k])) {
      return fmt::format("result {} is {}, fake {}", k, to_string(reals[k]), to_string(fakes[k]));
    }
  }
  counts_.followed += op && followed;
  return {};
}

/// Compares all living tensors in every second step only, because a query makes the nodes of written views anew.
std::string CallPairs::compare_autograd() {
  const auto compare = [](const std::string& what, const Pair& p) -> std::string {
    const std::string real = autograd_facts(p.real), fake = autograd_facts(p.fake);
    return real == fake ? std::string() : fmt::format("{}: real {}, fake {}", what, real, fake);
  };
  for (size_t i = 0; i < call_.size(); ++i) {
    if (std::string wrong = compare(fmt::format("tensor {}", i), call_[i]); !wrong.empty()) return wrong;
  }
  if (id_ % 2) return {};
  for (const Pair& p : living) {
    const std::string wrong = compare(fmt::format("a living {}", to_string(p.real.meta())), p);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string CallPairs::compare_pair(std::string_view what, const Tensor& real, const Tensor& fake) {
  if (!mode_.owns(fake)) return fmt::format("{}: the fake side is no fake: {}", what, to_string(fake.meta()));
  if (!ersatz::compare(leaf_of(fake.meta()), leaf_of(real.meta()), {.to_the_word = true}).same_meta()) {
    return fmt::format("{}: real {}, fake {}", what, to_string(real.meta()), to_string(fake.meta()));
  }
  if (!sym_eq(real.storage()->nbytes(), fake.storage()->nbytes())) {
    return fmt::format("{}: the storage has {} bytes, the fake one {}", what, real.storage()->nbytes(),
                       fake.storage()->nbytes());
  }
  return {};
}

/// Compares which tensors are the same object or share storage, within the call and with living tensors.
std::string CallPairs::compare_sharing() {
  for (size_t i = 0; i < call_.size(); ++i) {
    const auto differs = [&](const Pair& a, const Pair& b) {
      return a.real.is(b.real) != a.fake.is(b.fake) || a.real.shares_storage(b.real) != a.fake.shares_storage(b.fake);
    };
    for (size_t j = 0; j < i; ++j) {
      if (differs(call_[i], call_[j])) return fmt::format("tensors {} and {} share on one side only", j, i);
    }
    for (const Pair& p : living) {
      if (differs(call_[i], p)) {
        return fmt::format("tensor {} and a living {} share on one side only", i, to_string(p.real.meta()));
      }
    }
  }
  return {};
}

}  // namespace ersatz
