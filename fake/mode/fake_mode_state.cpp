#include "fake/mode/fake_mode_state.h"

#include <mutex>

#include "fake/mode/constants.h"
#include "fake/mode/dispatch_cache.h"
#include "fake/mode/fake_converter.h"
#include "fake/mode/fallback_log.h"
#include "fake/mode/real_values.h"
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

struct FakeModeState::Impl {
  Impl(FakeModeState& mode, RealValues* reals)
      : converter(mode, mode.options, reals), cache(mode.options.cache_entries) {}

  FakeConverter converter;
  FallbackLog fallbacks;
  Constants constants;
  DispatchCache cache;
  std::mutex coverage_mutex;
  Coverage coverage;
};

FakeModeState::FakeModeState(FakeOptions o)
    : options(uncached_if_propagating(std::move(o))),
      logs_calls(log().writes(LogLevel::Debug)),
      watches_calls(logs_calls || options.count_sources),
      made_at(CallStack::capture(1)),
      reals(options.propagate_real ? make_ref<RealValues>(options.real_bytes) : Ref<RealValues>()),
      impl_(std::make_unique<Impl>(*this, reals.get())),
      converter(impl_->converter),
      fallbacks(impl_->fallbacks),
      constants(impl_->constants),
      cache(impl_->cache),
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
  std::lock_guard lock(impl_->coverage_mutex);
  return impl_->coverage;
}

Coverage FakeModeState::take_coverage() {
  std::lock_guard lock(impl_->coverage_mutex);
  return std::exchange(impl_->coverage, Coverage());
}

void FakeModeState::count(const OpEntry& op, const Answer& answer) {
  std::lock_guard lock(impl_->coverage_mutex);
  count_answer(impl_->coverage, op, answer);
}

Tensor FakeModeState::make_known(const Tensor& value) {
  TensorMeta meta = value.meta();
  meta.wrapped_number = false;
  Ref<Storage> storage = Storage::make_fake(value.storage()->nbytes(), meta.device);
  Tensor fake(make_ref<TensorImpl>(std::move(meta), std::move(storage), Ref<FakeOwner>(this)));
  Tensor own = make_real_tensor(value.meta());
  copy_elements(own, value);  // a copy, so that later writes to `value` do not change the known value
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
