#include "tests/sequences/call_pool.h"

#include <algorithm>

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

constexpr size_t kMostLiving = 48;
constexpr int64_t kMostElements = 512;       // of a tensor that lives on
constexpr int64_t kMostStorage = 64 * 1024;  // bytes

void flatten(const Value& v, std::vector<Value>& flat) {
  if (v.kind() != Value::Kind::List) {
    flat.push_back(v);
    return;
  }
  for (const Value& item : v.as_list()) flatten(item, flat);
}

/// Memory that `empty` or a growing `resize_` left unwritten, or that was bytes before, may hold what is no bool.
void make_bools_valid(TensorImpl* t) {
  if (t->meta.dtype != DType::Bool || !t->storage->data()) return;
  t->storage->prepare_write();
  std::byte* bytes = t->storage->data();
  for (int64_t i = 0; i < t->storage->nbytes().as_int(); ++i) bytes[i] &= std::byte{1};
}

std::string spell(const OpEntry& op, std::span<const Value> args) { return render_call(op, args); }

}  // namespace

CallPool::CallPool(FakeOptions options, uint64_t seed) : mode_(std::move(options)), generator_(seed) {
  for (const OpEntry* op : registry().all()) {
    if (op->tags.has(Tag::Foreign) || op->samples.empty() || !op->name.starts_with("aten.")) continue;
    ops_.push_back(op);
  }
}

Tensor CallPool::choose(const Tensor& sample, bool written) {
  if (living_.empty() || !chance(written ? 0.5 : 0.6)) return sample;
  // A living tensor of the same rank and dtype if one of a few tries has them; now and then any.
  for (int attempt = 0; attempt < 6; ++attempt) {
    const Tensor& t = living_[static_cast<size_t>(random(static_cast<int64_t>(living_.size())))].real;
    if (chance(0.1) || (t.dim() == sample.dim() && t.dtype() == sample.dtype())) return t;
  }
  return sample;
}

Value CallPool::choose(const Value& sample, bool written) {
  if (sample.is_tensor()) return Value(choose(sample.tensor(), written));
  if (sample.kind() == Value::Kind::List) {
    std::vector<Value> items;
    for (const Value& item : sample.as_list()) items.push_back(choose(item, written));
    return Value::list(items);
  }
  if (sample.kind() == Value::Kind::Int && sample.as_int().is_int() && chance(0.15)) return Value(random(7) - 3);
  return sample;
}

Tensor CallPool::fake_of(const Tensor& real) {
  for (const Pair& p : call_) {
    if (p.real.is(real)) return p.fake;
  }
  for (const Pair& p : living_) {
    if (!p.real.is(real)) continue;
    call_.push_back(p);
    return p.fake;
  }
  Tensor fake = mode_.from_tensor(real);
  call_.push_back({real, fake});
  return fake;
}

Value CallPool::fake_of(const Value& real) {
  if (real.is_tensor()) return Value(fake_of(real.tensor()));
  if (real.kind() != Value::Kind::List) return real;
  std::vector<Value> items;
  for (const Value& item : real.as_list()) items.push_back(fake_of(item));
  return Value::list(items);
}

std::string CallPool::step() {
  const OpEntry& op = *ops_[static_cast<size_t>(random(static_cast<int64_t>(ops_.size())))];
  const Sample& sample = op.samples[static_cast<size_t>(random(static_cast<int64_t>(op.samples.size())))];
  SampleOptions options;
  options.layout = kSampleLayouts[random(std::size(kSampleLayouts))];
  if (!layout_applies(op, options.layout)) options.layout = SampleLayout::AsWritten;
  options.seed = generator_();

  std::vector<Value> reals = sample_arguments(op, sample, options);
  for (size_t i = 0; i < reals.size(); ++i) reals[i] = choose(reals[i], op.schema.arguments[i].is_write());
  call_.clear();
  std::vector<Value> fakes;
  for (const Value& v : reals) fakes.push_back(fake_of(v));
  for_each_tensor(reals, make_bools_valid);
  const std::string call = spell(op, reals);

  const auto run = [&](std::span<const Value> args) {
    Outcome outcome;
    try {
      dispatch(op, args, outcome.results);
    } catch (const Error& e) {
      outcome.error = e;
      outcome.results.clear();
    }
    return outcome;
  };
  ++counts_.calls;
  Outcome real = run(reals), fake;
  {
    const FakeScope scope(mode_);
    fake = run(fakes);
  }
  const std::string wrong = compare(op, reals, fakes, real, fake);
  return wrong.empty() ? wrong : fmt::format("{}\n  {}", call, wrong);
}

std::string CallPool::compare(const OpEntry& op, std::span<const Value>, std::span<const Value>, Outcome& real,
                              Outcome& fake) {
  const bool sized_by_values = mode_.options().propagate_real && op.tags.has(Tag::DataDependent);
  const bool reads_data = sized_by_values || (fake.error && (fake.error->kind == ErrorKind::DataDependentOutput ||
                                                             fake.error->kind == ErrorKind::DynamicOutputShape));
  const auto on_value = [](const std::optional<Error>& e) { return e && e->value_failure; };
  if (reads_data || on_value(real.error) || on_value(fake.error)) {
    // One side knows what the other cannot, or both fail on values of their own (fakes that carry some draw others):
    // an out= argument may have been resized on one side only.
    ++(reads_data ? counts_.data_dependent : counts_.value_failures);
    std::erase_if(living_, [&](const Pair& p) {
      return std::any_of(call_.begin(), call_.end(), [&](const Pair& q) { return q.real.shares_storage(p.real); });
    });
    return {};
  }
  if (real.error || fake.error) {
    if (!real.error) return fmt::format("fake raises, real passes: {}", fake.error->message);
    if (!fake.error) return fmt::format("real raises, fake passes: {}", real.error->message);
    if (real.error->message != fake.error->message || real.error->kind != fake.error->kind ||
        real.error->family != fake.error->family) {
      return fmt::format("real raises '{}', fake '{}'", real.error->message, fake.error->message);
    }
    ++counts_.refused;
  } else {
    std::vector<Value> reals, fakes;
    for (const Value& v : real.results) flatten(v, reals);
    for (const Value& v : fake.results) flatten(v, fakes);
    if (reals.size() != fakes.size()) return fmt::format("{} results, fake {}", reals.size(), fakes.size());
    for (size_t k = 0; k < reals.size(); ++k) {
      if (reals[k].is_tensor() != fakes[k].is_tensor()) return fmt::format("result {} is a tensor on one side only", k);
      if (!reals[k].is_tensor()) {
        if (!op.tags.has(Tag::ScalarRead) && !op.composite && !(reals[k] == fakes[k])) {
          return fmt::format("result {} is {}, fake {}", k, to_string(reals[k]), to_string(fakes[k]));
        }
        continue;
      }
      call_.push_back({reals[k].tensor(), fakes[k].tensor()});
    }
  }
  for (size_t i = 0; i < call_.size(); ++i) {
    std::string wrong = compare_pair(fmt::format("tensor {}", i), call_[i].real, call_[i].fake);
    if (!wrong.empty()) return wrong;
  }
  if (std::string wrong = compare_sharing(); !wrong.empty()) return wrong;
  for (const Pair& p : call_) keep(p.real, p.fake);
  return {};
}

std::string CallPool::compare_pair(std::string_view what, const Tensor& real, const Tensor& fake) {
  if (!mode_.owns(fake)) return fmt::format("{}: the fake side is no fake: {}", what, to_string(fake.meta()));
  TensorMeta predicted = fake.meta();
  if (!(predicted == real.meta())) {
    return fmt::format("{}: real {}, fake {}", what, to_string(real.meta()), to_string(predicted));
  }
  if (!sym_eq(real.storage()->nbytes(), fake.storage()->nbytes())) {
    return fmt::format("{}: the storage has {} bytes, the fake one {}", what, real.storage()->nbytes(),
                       fake.storage()->nbytes());
  }
  return {};
}

/// Who is who and who shares with whom, within the call and with what lives.
std::string CallPool::compare_sharing() {
  for (size_t i = 0; i < call_.size(); ++i) {
    const auto differs = [&](const Pair& a, const Pair& b) {
      return a.real.is(b.real) != a.fake.is(b.fake) || a.real.shares_storage(b.real) != a.fake.shares_storage(b.fake);
    };
    for (size_t j = 0; j < i; ++j) {
      if (differs(call_[i], call_[j])) return fmt::format("tensors {} and {} share on one side only", j, i);
    }
    for (const Pair& p : living_) {
      if (differs(call_[i], p)) {
        return fmt::format("tensor {} and a living {} share on one side only", i, to_string(p.real.meta()));
      }
    }
  }
  return {};
}

void CallPool::keep(const Tensor& real, const Tensor& fake) {
  for (const Pair& p : living_) {
    if (p.real.is(real)) return;
  }
  if (real.numel().as_int() > kMostElements || real.storage()->nbytes().as_int() > kMostStorage) return;
  if (living_.size() < kMostLiving) {
    living_.push_back({real, fake});
  } else {
    living_[static_cast<size_t>(random(kMostLiving))] = {real, fake};
  }
}

}  // namespace ersatz
