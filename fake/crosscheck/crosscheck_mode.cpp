#include "fake/crosscheck/crosscheck_mode.h"

#include <atomic>

#include "fake/mode/fake_real_map.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/value_checks.h"

namespace ersatz {
namespace {

thread_local constinit char t_thread_mark = 0;  // its address identifies the thread

/// Returns whether the metadata are valid. Results of ops always have valid metadata. For a tensor with invalid
/// metadata, FakeMode::from_tensor raises an error that describes the mistake.
bool is_sound(const TensorImpl& t) {
  const TensorMeta& m = t.meta;
  if (!t.storage || m.sizes.size() != m.strides.size() || m.offset.as_int() < 0 || m.device.index < 0) return false;
  int64_t signs = 0;
  for (size_t d = 0; d < m.sizes.size(); ++d) signs |= m.sizes[d].word() | m.strides[d].word();
  return signs >= 0;
}

/// Appends fakes of one call's arguments to `fakes`. Raises InvalidArgument if an argument is fake.
void make_fakes(const FakeMode& mode, std::span<const Value> real, Values& fakes) {
  FakeRealMap fake_real(mode.state());
  const auto fake_of = [&](const Value& v) {
    if (!v.is_tensor()) return v.borrowed();
    TensorImpl* const t = v.tensor_impl();
    if (t->fake_mode) {
      fail_argument("crosscheck: an argument is fake already: {}; a crosscheck needs the values of real tensors",
                    to_string(Tensor(Ref<TensorImpl>(t))));
    }
    if (!is_sound(*t)) mode.from_tensor(Tensor(Ref<TensorImpl>(t)));  // raises the error about the metadata
    return Value(fake_real.fake_of(t));
  };
  for (const Value& v : real) fakes.push_back(v.kind() == Value::Kind::List ? map_leaves(v, fake_of) : fake_of(v));
}

}  // namespace

struct CrosscheckMode::Impl {
  explicit Impl(CrosscheckOptions options) : check(std::move(options)) {}
  void claim_thread(const OpEntry& op);

  Crosscheck check;
  std::string node;
  std::atomic<const void*> thread{nullptr};  // the address of the owning thread's t_thread_mark
};

CrosscheckMode::CrosscheckMode(CrosscheckOptions options) {
  options.run_real = true;  // the caller gets real results
  impl_ = std::make_unique<Impl>(std::move(options));
}
CrosscheckMode::~CrosscheckMode() = default;

void CrosscheckMode::set_node(std::string name) { impl_->node = std::move(name); }
const Report& CrosscheckMode::report() const { return impl_->check.report(); }

void CrosscheckMode::Impl::claim_thread(const OpEntry& op) {
  const void* owner = nullptr;
  if (thread.compare_exchange_strong(owner, &t_thread_mark) || owner == &t_thread_mark) return;
  fail_argument(
      "{}: a crosscheck mode works on one thread at a time: it belongs to the thread of its first call until "
      "finish(); give each thread a mode of its own and add up their reports",
      op.base());
}

void CrosscheckMode::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (impl_->thread.load(std::memory_order_relaxed) != &t_thread_mark) [[unlikely]]
    impl_->claim_thread(op);
  Crosscheck& check = impl_->check;
  const CrosscheckOptions& options = check.options();
  if (op.composite && !(options.exclude && options.exclude(op))) {
    check.report().coverage.answered(op, Source::Composite);
    ModeGuard guard(*this);
    return run_composite(op, args, results);
  }
  Values fakes;
  try {
    make_fakes(check.fake_mode(), args, fakes);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::UnsupportedFakeTensor) throw;
    check.skip(&op, SkipReason::Unsupported, op.schema.returns.size());
    const ChecksAtOnce judged;
    return run_real(op, args, results);
  }
  CallOutcome outcome = check.call(op, CallSite{.node = impl_->node}, fakes, args, /*fresh_fakes=*/true);
  if (outcome.error) std::rethrow_exception(outcome.error);
  for (Value& v : outcome.real) results.push_back(std::move(v));
}

Report CrosscheckMode::finish() {
  impl_->thread.store(nullptr, std::memory_order_relaxed);
  return impl_->check.take_report();
}

}  // namespace ersatz
