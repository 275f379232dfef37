#include "fake/prediction.h"

#include "runtime/base/context.h"
#include "runtime/op/map_tensors.h"

namespace ersatz {

Values predict(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes) {
  Values results;
  try {
    SuspendModes alone;
    mode.state().call(op, fakes, results);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    results.clear();
  }
  return results;
}

Values predict_on_cpu(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes) {
  std::vector<std::pair<const Storage*, Ref<Storage>>> moved;
  const auto on_cpu = [&](const Tensor& t) {
    if (t.device().is_cpu()) return t;
    TensorMeta meta = t.meta();
    meta.device = kCPU;
    for (const auto& [known, storage] : moved) {
      if (known == t.storage().get()) return mode.make_on(storage, std::move(meta));
    }
    Tensor fake = mode.make(std::move(meta), t.storage()->nbytes());
    moved.emplace_back(t.storage().get(), fake.storage());
    return fake;
  };
  std::vector<Value> args = map_tensors(fakes, on_cpu);
  for (Value& v : args) {
    if (v.kind() == Value::Kind::Device) v = Value(kCPU);
  }
  const ContextGuard guard([](RuleContext& c) { c.default_device = kCPU; });
  return predict(mode, op, args);
}

}  // namespace ersatz
