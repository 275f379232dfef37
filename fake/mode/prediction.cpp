#include "fake/mode/prediction.h"

#include "fake/mode/fake_real_map.h"
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
  FakeRealMap there(mode.state());
  there.put_all_on(kCPU);
  std::vector<Value> args =
      map_tensors(fakes, [&](const Tensor& t) { return t.device().is_cpu() ? t : there.fake_of(t.impl()); });
  for (Value& v : args) {
    if (v.kind() == Value::Kind::Device) v = Value(kCPU);
  }
  const ContextGuard guard([](RuleContext& c) { c.default_device = kCPU; });
  return predict(mode, op, args);
}

}  // namespace ersatz
