#include "fake/mode/fake_mode_state.h"

#include "runtime/base/log.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/live_objects.h"

namespace ersatz {
namespace {

FakeOptions uncached_if_propagating(FakeOptions o) {
  if (o.propagate_real) o.cache = CachePolicy::Never;
  return o;
}

void note_maker(TensorImpl* t, const Ref<CallStack>& maker) {
  if (!t->extra) t->extra = make_ref<TensorExtra>();
  if (!t->extra->made_at) t->extra->made_at = maker;
}

}  // namespace

FakeModeState::FakeModeState(FakeOptions o)
    : options(uncached_if_propagating(std::move(o))),
      logs_calls(log().writes(LogLevel::Debug)),
      watches_calls(logs_calls || options.count_sources),
      made_at(CallStack::capture(1)),
      reals(options.propagate_real ? make_ref<RealValues>(options.real_bytes) : Ref<RealValues>()),
      converter(*this, options, reals.get()),
      cache(options.cache_entries),
      keeps_all_(options.cache == CachePolicy::Always),
      keeps_costly_(options.cache == CachePolicy::Auto) {
  detail::count_live(detail::Live::Mode, 1);
}

FakeModeState::~FakeModeState() { detail::count_live(detail::Live::Mode, -1); }

std::map<std::string, int64_t> FakeModeState::counters() const {
  std::map<std::string, int64_t> named;
  const int64_t by_tensor = routed_by_tensor_.load();
  named["calls.tensor"] = by_tensor;
  named["calls.mode"] = watched_.load() - by_tensor;
  const OpCoverage total = coverage().total();
  for (int s = 0; s < kSourceCount; ++s) {
    const int64_t times = total.sources[static_cast<size_t>(s)];
    if (times) named[fmt::format("answered.{}", name(static_cast<Source>(s)))] = times;
  }
  return named;
}

Coverage FakeModeState::coverage() const {
  std::lock_guard lock(coverage_mutex_);
  return coverage_;
}

Coverage FakeModeState::take_coverage() {
  std::lock_guard lock(coverage_mutex_);
  return std::exchange(coverage_, Coverage());
}

Tensor FakeModeState::make_known(const Tensor& value) {
  TensorMeta meta = value.meta();
  meta.wrapped_number = false;
  Ref<Storage> storage = Storage::make_fake(value.storage()->nbytes(), meta.device);
  Tensor fake(make_ref<TensorImpl>(std::move(meta), std::move(storage), Ref<FakeOwner>(this)));
  Tensor own = make_real_tensor(value.meta());
  copy_elements(own, value);  // later writes to the literal do not show
  constants.attach(fake, own);
  if (reals) reals->attach(fake, own);
  return fake;
}

void FakeModeState::note_stacks(std::span<const Value> results) {
  const Ref<CallStack> here = CallStack::capture(2);
  for_each_tensor(results, [&](TensorImpl* t) { note_maker(t, here); });
}

Tensor FakeModeState::note_made(Tensor fake) const {
  if (options.keep_stacks) note_maker(fake.impl(), CallStack::capture(1));
  return fake;
}

}  // namespace ersatz
