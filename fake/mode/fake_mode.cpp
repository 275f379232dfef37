#include "fake/mode/fake_mode.h"

#include "fake/mode/active_fake_mode.h"
#include "fake/mode/dispatch_cache.h"
#include "fake/mode/fake_converter.h"
#include "fake/mode/fallback_log.h"
#include "fake/mode/parts_mode.h"
#include "fake/mode/real_values.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {
RealValues& values_of(const FakeModeState& mode) {
  if (!mode.reals) fail_argument("this fake mode was made without propagate_real: its fakes carry no values");
  return *mode.reals;
}
}  // namespace

FakeMode::FakeMode(FakeOptions options) : owner_(make_ref<FakeModeState>(std::move(options))) {}
FakeMode::FakeMode(Ref<FakeModeState> state) : owner_(std::move(state)) {}

FakeModeState& FakeMode::state() const { return static_cast<FakeModeState&>(*owner_); }

Tensor FakeMode::from_tensor(const Tensor& t, const FromTensorOptions& asked) const {
  return state().note_made(state().converter.convert(t, asked, state().epoch()));
}

Tensor FakeMode::from_meta(const Tensor& meta_tensor, Device device) const {
  return state().note_made(state().converter.convert_meta(meta_tensor, device));
}

const FakeOptions& FakeMode::options() const { return state().options; }
const std::string& FakeMode::stack() const { return state().made_at->text(); }
std::vector<FallbackEvent> FakeMode::fallbacks() const { return state().fallbacks.events(); }
Coverage FakeMode::coverage() const { return state().coverage(); }
std::map<std::string, int64_t> FakeMode::counters() const { return state().counters(); }
size_t FakeMode::tensor_memo_size() const { return state().converter.tensor_memo_size(); }
size_t FakeMode::storage_memo_size() const { return state().converter.storage_memo_size(); }
CacheInfo FakeMode::cache_info() const { return state().cache.info(); }
std::vector<CacheEntryInfo> FakeMode::cache_entries() const { return state().cache.entries(); }
void FakeMode::cache_clear() const { state().cache.clear(); }

Tensor FakeMode::make(TensorMeta meta, std::optional<SymInt> storage_bytes) const {
  const SymInt bytes = storage_bytes ? *storage_bytes : storage_bytes_needed(meta);
  Ref<Storage> storage = Storage::make_fake(bytes, meta.device);
  return make_on(storage, std::move(meta));
}

Tensor FakeMode::make_on(const Ref<Storage>& storage, TensorMeta meta) const {
  return state().note_made(Tensor(make_ref<TensorImpl>(std::move(meta), storage, owner_)));
}

Tensor FakeMode::from_constant(const Tensor& value) const {
  if (value && value.impl()->extra && value.impl()->extra->is_parameter) {
    fail_argument("from_constant: a parameter may change: it is no constant: {}", value.meta());
  }
  if (!Constants::qualifies(value)) {
    fail_argument("from_constant: a constant is a real cpu tensor of at most {} element, not {}",
                  Constants::kMostElements, to_string(value));
  }
  return state().note_made(state().make_known(value));
}

void FakeMode::attach_real(const Tensor& fake, const Tensor& real) const {
  RealValues& reals = values_of(state());
  ERSATZ_ASSERT(real && !real.is_fake(), "the real tensor of a fake must be real: {}", to_string(real));
  if (!owns(fake)) fail_argument("attach_real: {} is no fake of this mode", to_string(fake));
  if (RealValues::of(fake.impl())) fail_argument("attach_real: {} carries a value already", to_string(fake));
  const bool fits = guard_ge(real.storage()->nbytes(), fake.storage()->nbytes());
  if (diff(fake.meta(), real.meta()).is_significant() || !fits) {
    fail_argument("attach_real: the metadata must match: {} and {}", fake.meta(), real.meta());
  }
  reals.forget_losses(fake.storage());
  reals.attach_copy(fake, real);
}

RealReport FakeMode::real_report() const {
  RealReport report = values_of(state()).report();
  const ShapeEnv* env = options().shape_env.get();
  if (!env) return report;
  const auto decided = [](const Guard& g) { return DecidedCondition{g.text, g.site.op, g.site.line, g.count}; };
  for (const Guard& g : env->guards()) report.guards.push_back(decided(g));
  for (const Guard& a : env->asserts())
    if (a.message.starts_with(kDecidedByRealValues)) report.data_decisions.push_back(decided(a));
  return report;
}
void FakeMode::drop_real() const { values_of(state()).drop(); }
size_t FakeMode::real_copies() const { return values_of(state()).live_copies(); }
int64_t FakeMode::real_bytes() const { return values_of(state()).live_bytes(); }

Tensor real_value(const Tensor& fake) { return fake && fake.is_fake() ? RealValues::of(fake.impl()) : Tensor(); }

std::string creation_stack(const Tensor& t) {
  const TensorExtra* extra = t ? t.impl()->extra.get() : nullptr;
  return extra && extra->made_at ? extra->made_at->text() : std::string();
}

std::optional<FakeMode> mode_of(const Tensor& t) {
  if (!t || !t.is_fake()) return std::nullopt;
  auto* state = dynamic_cast<FakeModeState*>(t.impl()->fake_mode.get());
  if (!state) return std::nullopt;
  return FakeMode(Ref<FakeModeState>(state));
}

FakeModeState* active_fake_mode() {
  Mode* const mode = active_mode(ModeOrder::Fake);
  if (const auto* parts = dynamic_cast<PartsMode*>(mode)) return &parts->fake_mode();
  return dynamic_cast<FakeModeState*>(mode);
}

FakeScope::FakeScope(const FakeMode& mode) : mode_(mode) {
  if (active_fake_mode() != &mode_.state()) guard_.emplace(mode_.state());
}

std::string render_call(const OpEntry& op, std::span<const Value> args) {
  std::string text = op.name + "(";
  for (size_t i = 0; i < args.size(); ++i) text += (i ? ", " : "") + to_string(args[i]);
  return text + ")";
}

}  // namespace ersatz
